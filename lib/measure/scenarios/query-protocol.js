// Writes commands and reads answers of the query server protocol, and checks their form. Pure. One JSON value per line
// in both directions (docs/src/query-server/protocol.rst and src/couch/src/couch_os_process.erl, CouchDB 3.5.0).

/** @typedef {['reset', object] | ['add_fun', string] | ['map_doc', object] | ['reduce', string[], unknown[]] | ['rereduce', string[], unknown[]]} Command */

/** Lines that answer nothing are skipped: a server may log as it works. @typedef {{kind: 'log', message: string}} Log */
/** @typedef {{kind: 'value', value: unknown} | Log | {kind: 'fault', message: string}} Answer */

/** So much of a line that is no answer is shown. */
const MAX_SHOWN = 120;

/**
 * @param {Command} command
 * @returns {string}
 */
export function writeCommand(command) {
  return `${JSON.stringify(command)}\n`;
}

/**
 * @param {string} line without its line feed
 * @returns {Answer}
 */
export function readAnswer(line) {
  let value;
  try {
    value = JSON.parse(line);
  } catch {
    return { kind: 'fault', message: `it returned invalid JSON: ${shorten(line)}` };
  }
  const [word, ...rest] = Array.isArray(value) ? value : [];
  if (word === 'log') return { kind: 'log', message: String(rest[0]) };
  if (word === 'error' || word === 'fatal')
    return { kind: 'fault', message: `it returned an error: ${shorten(rest.join(': '))}` };
  if (typeof value === 'object' && value !== null && typeof value.error === 'string') {
    return { kind: 'fault', message: `it returned an error: ${shorten(`${value.error}: ${value.reason}`)}` };
  }
  return { kind: 'value', value };
}

/**
 * @param {unknown} value the answer to `map_doc` for one function
 * @returns {{rows: [unknown, unknown][]} | {fault: string}}
 */
export function rowsOf(value) {
  const rows = Array.isArray(value) && value.length === 1 ? value[0] : undefined;
  const areRows = Array.isArray(rows) && rows.every((row) => Array.isArray(row) && row.length === 2);
  return areRows ? { rows } : { fault: `it returned no rows: ${shorten(JSON.stringify(value))}` };
}

/**
 * @param {unknown} value the answer to `reduce` or `rereduce` with one function
 * @returns {{reduced: unknown} | {fault: string}}
 */
export function reducedOf(value) {
  const [isDone, results] = Array.isArray(value) ? value : [];
  if (isDone === true && Array.isArray(results) && results.length === 1) return { reduced: results[0] };
  return { fault: `it returned no reduced value: ${shorten(JSON.stringify(value))}` };
}

/**
 * @param {unknown} value the answer to `reset` or `add_fun`
 * @returns {string | undefined} what is wrong with it
 */
export function faultOfTrue(value) {
  return value === true ? undefined : `it returned ${shorten(JSON.stringify(value))}, expected \`true\``;
}

/** @param {string | undefined} text @returns {string} */
function shorten(text) {
  const shown = text ?? 'nothing';
  return shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown;
}
