// Reads the records of a file: chooses the reader by the file's name and text, and loads only that.

import { basename, extname } from 'node:path';
import { ENDPOINT_WORDS } from '../clients/index.js';
import { loadDialect } from '../javascript/dialects.js';
import { UserError } from '../shared/user-error.js';
import { readBareFunction } from './design-docs/bare-function.js';
import { looksLikeJsonLines, readJsonLines } from './design-docs/export.js';
import { readJsModule } from './design-docs/js-module.js';
import { readJson } from './design-docs/json.js';
import { readAnswers } from './live/read-answers.js';
import { isRecording } from './record.js';
import { looksLikeCouchdbIni, readServerConfig } from './server-config.js';

/** @import { SourceFile } from '../shared/source-file.js' */
/** @import { BareRole } from '../shared/bare-roles.js' */
/** @import { ReadResult } from './record.js' */

/** @typedef {'json' | 'lines' | 'module' | 'ini' | 'manifest' | 'dockerfile'} Kind */

/** What the ending of a name says. @type {Map<string, Kind>} */
const KINDS = new Map([
  ['.json', 'json'],
  ['.jsonl', 'lines'],
  ['.ndjson', 'lines'],
  ['.couchbackup', 'lines'],
  ['.js', 'module'],
  ['.mjs', 'module'],
  ['.cjs', 'module'],
  ['.jsx', 'module'],
  ['.ts', 'module'],
  ['.mts', 'module'],
  ['.cts', 'module'],
  ['.tsx', 'module'],
  ['.ini', 'ini'],
  ['.yml', 'manifest'],
  ['.yaml', 'manifest'],
]);

/** One of these stands in every JSON file with something for us in it: ids, or members of documents without one; or a query in a string. */
const JSON_WORDS =
  /_design|"(?:views|validate_doc_update|filters|updates|shows|lists|indexes|nouveau|fulltext|index)"|\\"selector\\"/;

/** A call of `emit` as a function of a view has it; components of user interfaces have it as a method. */
const EMIT = /(?:^|[^.\w$])emit\s*\(/m;

/** What a manifest of a container has; its reader looks closer, and is loaded for nothing else. */
const MANIFEST = /^[ \t]*(?:- )?["']?(?:image|data|configs|couchdbConfig)["']?[ \t]*:/m;

/** A Dockerfile may have any ending behind its name, and one of these before it. */
const DOCKERFILE = /^(?:Dockerfile|Containerfile)(?:\.[\w-]+)?$|\.(?:Dockerfile|Containerfile)$/i;
const COMPOSE_FILE = /^(?:docker-)?compose\b.*\.ya?ml$/i;

/** Generated code in few, long lines; places in it would help nobody. */
const MINIFIED_LENGTH = 20_000;
const MINIFIED_LINE = 500;

/** Characters at the end of a file that may name its source map. */
const SOURCE_MAP_END = 1000;

/** Characters that are looked at to detect what a file without a known name is. */
const MAX_HEAD = 4096;

/**
 * @param {string} path
 * @returns {Kind | undefined} undefined for files that discovery skips
 */
export function kindByName(path) {
  if (DOCKERFILE.test(basename(path))) return 'dockerfile';
  // Declarations of types hold no values.
  return /\.d\.[cm]?ts$/i.test(path) ? undefined : KINDS.get(extname(path).toLowerCase());
}

/**
 * @param {string} path
 * @returns {boolean} whether it is a Compose file or a Dockerfile, by its name
 */
export function isContainerFile(path) {
  return COMPOSE_FILE.test(basename(path)) || kindByName(path) === 'dockerfile';
}

/**
 * @param {string} path
 * @returns {boolean} whether it may be code of an application, by its name: declarations of types are none
 */
export function isCode(path) {
  return /\.(?:[cm]?[jt]sx?|vue|svelte|html?)$/i.test(path) && !/\.d\.[cm]?ts$/i.test(path);
}

/**
 * @param {string} path
 * @returns {boolean} whether discovery looks into a file of this name
 */
export function mayBeSource(path) {
  return kindByName(path) !== undefined || isCode(path);
}

/**
 * @param {string} path or words for several files
 * @param {boolean} isPath
 * @returns {UserError} for what was named and holds nothing to judge
 */
export function nothingIn(path, isPath) {
  const last = isCode(path) ? 'call of a CouchDB client' : 'CouchDB configuration';
  return new UserError('no-design-documents', `no design document, Mango index or ${last} in ${path}`, {
    place: isPath ? { file: path, line: 1, column: 1 } : undefined,
    hint: 'pass the file or folder that contains them, or no path to search for them',
  });
}

/**
 * @param {string} text
 * @returns {boolean} whether it may use a client of CouchDB, of its own or by an import, query a view without one, or give names and addresses to other files
 */
export function mayHoldCalls(text) {
  return (
    /\b(?:import|require|exports?|[pP]ouchDB)\b|\b_view\/|\.view\(|\.(?:allDocs|bulkDocs)\(|\bangular\b/.test(text) ||
    /(?:db|couch|cloudant|nano|database)\w*\)?\.\w|couch-advisor-client/i.test(text) ||
    ENDPOINT_WORDS.test(text)
  );
}

/**
 * @param {Kind} kind
 * @param {string} text
 * @returns {Promise<boolean>} false where the file certainly holds nothing for us; costs no parsing
 */
export async function mayMatter(kind, text) {
  if (kind === 'json' || kind === 'lines') return isRecording(text) || JSON_WORDS.test(text) || mayReplicate(text);
  if (kind === 'module') {
    return text.includes('_design/') || (EMIT.test(text) && text.includes('map') && /\bviews\b|\bexport/.test(text));
  }
  if (kind === 'manifest') return /couchdb/i.test(text) && MANIFEST.test(text);
  if (kind === 'dockerfile') return /^[ \t]*(?:FROM|ARG)[ \t].*couchdb/im.test(text);
  return looksLikeCouchdbIni(text, '.ini');
}

/** @param {string} text @returns {boolean} whether a replication may stand in it: edges of graphs have the same members */
function mayReplicate(text) {
  return text.includes('"source"') && text.includes('"target"');
}

/**
 * @param {string} path
 * @param {string} text
 * @returns {boolean} whether it is a bundle or other minified code
 */
export function isMinified(path, text) {
  if (/\.min\.[cm]?jsx?$/.test(path)) return true;
  if (text.length < MINIFIED_LENGTH) return false;
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return text.length / lines > MINIFIED_LINE;
}

/**
 * @param {string} path
 * @param {string} text
 * @returns {boolean} whether a compiler or bundler wrote it, so that its calls stand in other files as well
 */
export function isBuilt(path, text) {
  if (/(?:^|\/)(?:dist|build|out|coverage|\.next|\.nuxt|\.output|\.svelte-kit)\//.test(path)) return true;
  return text.includes('__webpack_require__') || /\/[/*][#@] sourceMappingURL=/.test(text.slice(-SOURCE_MAP_END));
}

/**
 * @param {string} path
 * @returns {boolean} whether it is code of a test, whose design documents are thrown away and often broken on purpose
 */
export function isTestCode(path) {
  return /(^|\/)(tests?|__tests__|specs?)\//.test(path) || /[.-](test|spec)\.[cm]?[jt]sx?$/.test(path);
}

/**
 * @param {SourceFile} file
 * @param {{isNamed: boolean}} options `isNamed`: the user named this very file, so what is wrong with it is reported
 * @returns {Promise<ReadResult>}
 */
export async function readFile(file, { isNamed }) {
  const kind = kindByName(file.path) ?? kindByText(file.text);
  if ((kind === 'json' || kind === 'lines') && isRecording(file.text)) {
    return readAnswers(file);
  }
  switch (kind) {
    case 'ini': {
      return readServerConfig(file);
    }
    case 'manifest': {
      const { readManifest } = await import('./manifests/read-manifest.js');
      return readManifest(file);
    }
    case 'dockerfile': {
      const { readDockerfile } = await import('./manifests/read-dockerfile.js');
      return readDockerfile(file);
    }
    case 'module': {
      await loadDialect(file.path, file.text);
      // `docker-compose.yml` is no broken JavaScript: only a name that says so, or none that says anything, makes it that.
      return readJsModule(file, { isNamed: isNamed && isMeantAsCode(file.path) });
    }
    case 'lines': {
      if (looksLikeJsonLines(file.text)) return readJsonLines(file, { isDiscovered: !isNamed });
      break;
    }
    default:
  }
  const read = readJson(file, { isDiscovered: !isNamed });
  if (!file.text.includes('\\"selector\\"')) return read;
  const { readQueryStrings } = await import('./query-strings.js');
  return { ...read, records: [...read.records, ...readQueryStrings(file)] };
}

/**
 * @param {SourceFile} file that the user named and that holds nothing else
 * @param {BareRole} [role] what its function is for
 * @returns {ReadResult | undefined} one function as a design document; undefined where it is none
 */
export function readFunctionFile(file, role) {
  const kind = kindByName(file.path) ?? kindByText(file.text);
  return kind === 'module' && isMeantAsCode(file.path) ? readBareFunction(file, role) : undefined;
}

/** @param {string} path @returns {boolean} */
const isMeantAsCode = (path) => kindByName(path) === 'module' || extname(path) === '';

/**
 * @param {string} text
 * @returns {Kind}
 */
function kindByText(text) {
  const head = text
    .slice(0, MAX_HEAD)
    .replace(/^\ufeff/, '')
    .split('\n');
  const first = head.map((line) => line.trim()).find((line) => line !== '' && !/^[;#]/.test(line)) ?? '';
  if (/^\[[a-z][\w:.-]*\]$/i.test(first) && text.includes('=')) return 'ini';
  return /^(?:[{[]|$)/.test(first) ? 'json' : 'module';
}
