// Detects the format of a log from its first bytes: the one that most of its first lines fit.

import { DETECTED_FORMATS } from './formats.js';
import { LINE, LogLine } from './log-line.js';

const MAX_LINES = 200;
/** Any time will do: none is kept. */
const SOME_TIME = Date.UTC(2026, 0);

/**
 * @param {Buffer} head the first bytes, perhaps ending within a line
 * @returns {string | undefined} undefined where no line fits any format
 */
export function detectFormat(head) {
  if (isHar(head)) return 'har';
  const formats = DETECTED_FORMATS.map((format) => ({ format, fits: 0 }));
  let start = 0;
  for (let count = 0; count < MAX_LINES && start < head.length; count += 1) {
    const feed = head.indexOf(10, start);
    const end = feed === -1 ? head.length : feed;
    for (const candidate of formats) {
      const line = new LogLine(SOME_TIME);
      const kind = candidate.format.scan(head, start, lineEnd(head, start, end), line);
      // A request is better evidence than a line that merely has the head of a format.
      if (kind === LINE.OTHER) candidate.fits += line.minute < 0 ? 0 : 1;
      else if (kind !== LINE.MALFORMED) candidate.fits += 3;
    }
    start = end + 1;
  }
  const best = formats.reduce((first, second) => (second.fits > first.fits ? second : first));
  return best.fits > 0 ? best.format.name : undefined;
}

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end at the line feed
 * @returns {number} without a carriage return
 */
export function lineEnd(bytes, start, end) {
  return end > start && bytes[end - 1] === 13 ? end - 1 : end;
}

/**
 * @param {Buffer} head
 * @returns {boolean} whether a JSON document with HAR's outermost member begins there
 */
function isHar(head) {
  return /^\ufeff?\s*\{\s*"log"\s*:\s*\{/.test(head.toString('utf8', 0, 4096));
}
