// Recognizes programs in languages that are not read, which name a client of CouchDB: their number belongs into a report on calls.

/** Packages of clients, as code imports them: PyPI's and Packagist's, by what they are called there. @type {readonly {ending: RegExp, language: string, words: RegExp}[]} */
const LANGUAGES = [
  {
    ending: /\.py$/,
    language: 'Python',
    words:
      /^\s*(?:import|from)\s+(?:couchdb|couchdb2|couchdbkit|pycouchdb|aiocouch|cloudant|ibmcloudant|restkit\.couch)\b/m,
  },
  {
    ending: /\.php$/,
    language: 'PHP',
    words: /\b(?:PHPOnCouch|Doctrine\\(?:CouchDB|ODM\\CouchDB)|PHPCouchDB|CouchDB\\Client)\b|\bnew\s+\\?couchClient\b/,
  },
];

/**
 * @param {string} name of a file
 * @returns {boolean} whether it may be such a program
 */
export function mayBeForeign(name) {
  return LANGUAGES.some(({ ending }) => ending.test(name));
}

/**
 * @param {string} path
 * @param {string} text
 * @returns {string | undefined} why its calls are not read, where it has any
 */
export function foreignClient(path, text) {
  const found = LANGUAGES.find(({ ending, words }) => ending.test(path) && words.test(text));
  return found && `names a CouchDB client of ${found.language}, whose calls are not read`;
}
