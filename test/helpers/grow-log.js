// Grows the first lines of a log, as a page shows them, to the number that the example is about.

/** What the info of a block says: `requests=200` in all, spread evenly over `minutes=20`, in a HAR perhaps with answers of `rows=20000`.
 *  @typedef {{requests: number, minutes: number, rows?: number | undefined}} Traffic */

const MS_OF_MINUTE = 60_000;

/**
 * @param {string} info
 * @returns {Traffic | undefined} undefined where the block is all there is
 */
export function readTraffic(info) {
  const requests = /\brequests=(\d+)/.exec(info)?.[1];
  const minutes = /\bminutes=(\d+)/.exec(info)?.[1];
  if (requests === undefined || minutes === undefined) return undefined;
  const rows = /\brows=(\d+)/.exec(info)?.[1];
  return { requests: Number(requests), minutes: Number(minutes), rows: rows === undefined ? undefined : Number(rows) };
}

/**
 * @param {string} text lines of a CouchDB log; they come by turns, from the time of the first one on. A number of four or more
 *   digits behind `-` or `:` in an address counts up with each line, so that keys differ.
 * @param {Traffic} traffic
 * @returns {string} what the page shows, then the lines that are added
 */
export function growLog(text, { requests, minutes, rows }) {
  if (text.startsWith('{')) return growHar(text, { requests, minutes, rows });
  const shown = text.trimEnd().split('\n');
  const times = shown.map((line) => /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(line)?.[0] ?? '');
  const start = Date.parse(times[0] ?? '');
  const lines = Array.from({ length: requests }, (_, at) => {
    const pattern = shown[at % shown.length] ?? '';
    const time = new Date(start + Math.round((at * minutes * MS_OF_MINUTE) / Math.max(1, requests - 1)));
    return pattern
      .replace(times[at % shown.length] ?? '', time.toISOString())
      .replace(/(?<=\/\S*[-:])\d{4,}(?=\S* \d{3} )/g, (digits) => String(at + 1).padStart(digits.length, '0'));
  });
  return `${lines.join('\n')}\n`;
}

/**
 * @param {string} text a HAR document; its entries come by turns
 * @param {Traffic} traffic
 * @returns {string}
 */
function growHar(text, { requests, minutes, rows }) {
  const { entries } = JSON.parse(text).log;
  if (rows !== undefined) {
    for (const { response } of entries) {
      const { rows: shown } = JSON.parse(response.content.text);
      response.content.text = JSON.stringify({
        rows: Array.from({ length: rows }, (_, at) => shown[at % shown.length]),
      });
    }
  }
  const start = Date.parse(entries[0].startedDateTime);
  const grown = Array.from({ length: requests }, (_, at) => {
    const time = new Date(start + Math.round((at * minutes * MS_OF_MINUTE) / Math.max(1, requests - 1)));
    return { ...entries[at % entries.length], startedDateTime: time.toISOString() };
  });
  return JSON.stringify({ log: { entries: grown } });
}
