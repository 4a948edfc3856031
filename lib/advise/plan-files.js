// Makes the files of a change: a Mango index as `POST /db/_index` takes it, or a whole design document. Pure.

import { hashText } from '../shared/hash-text.js';

/** @import { PlanChange, ViewDefinition } from './plan.js' */

/** @typedef {{path: string, content: string}} PlanFile `path` with `/` between folders, below the folder of `--write` */
/** @typedef {Record<string, unknown>} DesignDocument as the server has it, or a file */

/** The folder of changes whose database is unknown. */
const UNKNOWN_DATABASE = 'unknown-database';
/** File names may have 255 bytes: of each character up to nine, and an ending. */
const MAX_NAME = 180;
/** What all file systems take in a name. The name of a database may hold `$ ( ) +`; its `/` and the `*` of a pattern are written as in URLs. */
const SAFE = /[^a-zA-Z0-9_$()+\-. ]/gu;
/** Names of devices on Windows, whatever their ending is. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * The files of changes that are made one after the other: where several change one design document, the file of a later
 * one holds the earlier changes too.
 * @param {PlanChange[]} changes in the order of their steps
 * @param {(database: string | null, designDoc: string) => DesignDocument | undefined} documentOf what is there now; undefined where there is none
 * @returns {PlanFile[][]} for each change; none for an index that is dropped, for a design document that ends up without members, and for a
 *   changed or dropped view whose design document is not known
 */
export function planFiles(changes, documentOf) {
  /** @type {Map<string, DesignDocument>} */
  const changed = new Map();
  return changes.map((change) => {
    const { kind, database, designDoc } = change;
    const folder = database === null ? UNKNOWN_DATABASE : fileNameOf(database);
    if (kind === 'create-index')
      return [fileOf(`${folder}/indexes/${fileNameOf(change.name)}.json`, indexBody(change))];
    if (kind === 'drop-index') return [];
    const key = JSON.stringify([database, designDoc]);
    const now = changed.get(key) ?? documentOf(database, designDoc);
    if (now === undefined && kind !== 'create-view') return [];
    const document = withView(now ?? { _id: designDoc, language: 'javascript' }, change);
    changed.set(key, document);
    // An empty design document is deleted, which no file does.
    if (Object.keys(document).every((member) => member === '_id' || member === 'language')) return [];
    return [fileOf(`${folder}/design/${fileNameOf(designDoc.replace('_design/', ''))}.json`, document)];
  });
}

/**
 * @param {PlanChange} change that creates an index
 * @returns {object} body of the request, in the form in which `lint` reads Mango indexes
 */
function indexBody({ index, designDoc, name }) {
  return { index, ddoc: designDoc.replace('_design/', ''), name, type: 'json' };
}

/**
 * @param {DesignDocument} document
 * @param {PlanChange} change of a view
 * @returns {DesignDocument} without its revision: it is the server's
 */
function withView({ _rev, ...document }, { kind, name, view }) {
  const { views: old, ...others } = document;
  // Names of members such as `__proto__` must stay names.
  const views = new Map(Object.entries(/** @type {Record<string, ViewDefinition>} */ (old ?? {})));
  if (kind === 'drop-view' || view === undefined) views.delete(name);
  else views.set(name, view);
  if (views.size === 0) return others;
  return Object.fromEntries([
    ...Object.entries(document).map(([member, value]) => [
      member,
      member === 'views' ? Object.fromEntries(views) : value,
    ]),
    ...(old === undefined ? [['views', Object.fromEntries(views)]] : []),
  ]);
}

/** @param {string} path @param {object} value @returns {PlanFile} */
function fileOf(path, value) {
  return { path, content: `${JSON.stringify(value, null, 2)}\n` };
}

/**
 * @param {string} name of a database, an index or a design document: any text
 * @returns {string} the same name for a file on any system: what some system refuses is written as in a URL
 */
function fileNameOf(name) {
  const encoded = name
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(SAFE, (character) => encodeURIComponent(character).replace(/^[*'!~]$/, percent))
    // A hidden file or a step up; and what Windows drops at the end.
    .replace(/^\.|[. ]$/g, percent)
    .replace(DEVICE, (device) => percent(device.charAt(0)) + device.slice(1));
  if (encoded.length <= MAX_NAME) return encoded === '' ? '%' : encoded;
  return `${encoded.slice(0, MAX_NAME).replace(/%\w?$/, '')}-${hashText(name)}`;
}

/** @param {string} character of ASCII @returns {string} `%2E` */
function percent(character) {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
