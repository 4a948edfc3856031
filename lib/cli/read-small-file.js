// Reads a file that is held whole in memory, such as a configuration or a baseline: a regular file within a limit.

import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';

/** More than any baseline, configuration or plan has: 100,000 findings of a baseline take some 20 MB. */
const MAX_BYTES = 64 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;

/**
 * @param {string} file
 * @param {{allowsPipe?: boolean, maxBytes?: number}} [options] `allowsPipe`: whether the user named it, so that it may be the output of a command
 * @returns {string} as UTF-8
 * @throws {Error} with a `code`: that of the file system, or what is wrong with the file
 */
export function readSmallFile(file, { allowsPipe = false, maxBytes = MAX_BYTES } = {}) {
  // Opening a pipe that nobody writes to would wait for ever; a device has no end.
  const isPipe = allowsPipe && statSync(file).isFIFO();
  const handle = openSync(file, constants.O_RDONLY | (isPipe ? 0 : constants.O_NONBLOCK));
  try {
    if (isPipe) return readPipe(handle, maxBytes);
    const stats = fstatSync(handle);
    if (!stats.isFile()) throw withCode('not a file');
    if (stats.size > maxBytes) throw tooLarge(maxBytes);
    return readFileSync(handle, 'utf8');
  } finally {
    closeSync(handle);
  }
}

/** @param {number} handle @param {number} maxBytes @returns {string} */
function readPipe(handle, maxBytes) {
  /** @type {Buffer[]} */
  const parts = [];
  let size = 0;
  for (;;) {
    const part = Buffer.alloc(MEGABYTE);
    const read = readSync(handle, part);
    if (read === 0) return Buffer.concat(parts).toString('utf8');
    parts.push(part.subarray(0, read));
    size += read;
    if (size > maxBytes) throw tooLarge(maxBytes);
  }
}

/** @param {number} maxBytes @returns {Error} */
function tooLarge(maxBytes) {
  return withCode(`larger than ${Math.round(maxBytes / MEGABYTE)} MiB`);
}

/** @param {string} code @returns {Error} */
function withCode(code) {
  return Object.assign(new Error(code), { code });
}
