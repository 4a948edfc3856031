// Reads how large indexes are from answers of a server that were saved, and from predictions. Pure.

import { parseJson } from '../../shared/parse-json.js';
import { UserError } from '../../shared/user-error.js';
import { asCount, asObject } from '../../shared/values.js';

/**
 * @typedef {object} IndexSizes
 * @property {Map<string, {file: number, active: number}>} current by signature and by id of the design document
 * @property {Map<string, {fileBytes: number, buildBytes: {low: number, high: number}}>} predicted by id of the design document and name of the Mango index
 * @property {number | undefined} documents in the database
 */

/** @returns {IndexSizes} */
export function noSizes() {
  return { current: new Map(), predicted: new Map(), documents: undefined };
}

/**
 * @param {IndexSizes} sizes what is found is added
 * @param {string} text answers of `GET /db/_design/name/_info` and `GET /db`, and what `predict --views --format json` printed: one JSON
 *   value, a list of them, or one a line
 * @param {string} file for messages
 * @throws {UserError} where it holds none of these
 */
export function addSizes(sizes, text, file) {
  const whole = parseJson(text);
  const values = whole === undefined ? text.split('\n').map((line) => parseJson(line)) : [whole].flat();
  const found = values.filter((value) => addValue(sizes, asObject(value))).length;
  if (found > 0) return;
  throw new UserError('bad-sizes', `${file} holds no sizes of indexes`, {
    hint: 'save answers of GET /db/_design/name/_info, one a line, or what `npx --no-install couch-advisor predict --views --format json` prints',
  });
}

/**
 * @param {IndexSizes} sizes
 * @param {Record<string, unknown> | undefined} value
 * @returns {boolean} whether it was one of the answers
 */
function addValue(sizes, value) {
  const info = asObject(value?.['view_index']);
  const figures = asObject(info?.['sizes']);
  if (info && figures) {
    const [file, active] = [asCount(figures['file']), asCount(figures['active'])];
    if (file === undefined || active === undefined) return false;
    if (typeof info['signature'] === 'string') sizes.current.set(info['signature'], { file, active });
    if (typeof value?.['name'] === 'string') sizes.current.set(`_design/${value['name']}`, { file, active });
    return true;
  }
  if (Array.isArray(value?.['indexes'])) {
    const added = value['indexes'].map((one) => addPrediction(sizes, asObject(one)));
    return added.includes(true);
  }
  if (typeof value?.['db_name'] !== 'string') return false;
  sizes.documents ??= asCount(value['doc_count']);
  return true;
}

/**
 * @param {IndexSizes} sizes
 * @param {Record<string, unknown> | undefined} one
 * @returns {boolean}
 */
function addPrediction(sizes, one) {
  const build = asObject(one?.['buildBytes']);
  const [fileBytes, low, high] = [asCount(one?.['fileBytes']), asCount(build?.['low']), asCount(build?.['high'])];
  if (fileBytes === undefined || low === undefined || high === undefined) return false;
  sizes.predicted.set(nameOfIndex(one?.['designDoc'], one?.['name']), { fileBytes, buildBytes: { low, high } });
  return true;
}

/**
 * @param {unknown} designDoc id
 * @param {unknown} name of a Mango index, or empty
 * @returns {string}
 */
export function nameOfIndex(designDoc, name) {
  return JSON.stringify([designDoc ?? null, name ?? '']);
}
