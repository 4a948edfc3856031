// Writes the calls that advice proposes: with the options that the call has, and in the style in which the code gets answers.

/** @import { AnswerStyle, CallRecord, WrittenCall } from '../../sources/application/record.js' */

/** A call that is longer is shown with fewer of its options. */
const MAX_CALL = 160;

/**
 * @param {WrittenCall} written
 * @param {{drop?: string[], add?: string[]}} [change] options to leave out, and to add behind the others
 * @returns {string} the call without callback, on one line
 */
export function callWritten({ callee, arguments: given, options }, { drop = [], add = [] } = {}) {
  const kept = options.filter(({ key }) => key === null || !drop.includes(key)).map(({ text }) => text);
  const write = (/** @type {string[]} */ members) => {
    const object = members.length > 0 ? [`{ ${members.join(', ')} }`] : [];
    return `${callee}(${[...given, ...object].join(', ')})`;
  };
  const whole = write([...kept, ...add]);
  return whole.length <= MAX_CALL ? whole : write(['…', ...add]);
}

/**
 * @param {string} call
 * @param {AnswerStyle} style
 * @returns {string}
 */
export function sent(call, style) {
  if (style === 'await') return `await ${call}`;
  if (style === 'promise') return `${call}.then(…)`;
  return call.endsWith('()') ? `${call.slice(0, -1)}…)` : `${call.slice(0, -1)}, …)`;
}

/** What a request reads, by its method; `db` stands for the database, as in the CouchDB manual. @type {Partial<Record<CallRecord['method'], string>>} */
const PATHS = { 'all-docs': '/db/_all_docs', find: '/db/_find', changes: '/db/_changes' };

/**
 * @param {Pick<CallRecord, 'method' | 'designDoc' | 'view'>} record of a request that the code builds itself
 * @returns {string} its path: `/db/_design/orders/_view/by_status`
 */
export function requestPath({ method, designDoc, view }) {
  return PATHS[method] ?? `/db/${designDoc ?? '_design/…'}/_view/${view ?? '…'}`;
}
