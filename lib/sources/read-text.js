// Reads a file as text, or reports one clear error. Only UTF-8 is read: edits are written back as UTF-8.

import { constants, isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { SourceFile } from '../shared/source-file.js';
import { UserError } from '../shared/user-error.js';

/** A file with a NUL among its first bytes is no text; git decides the same way (buffer_is_binary, 8,000 bytes). */
const BINARY_BYTES = 8192;

/**
 * @param {string} absolutePath
 * @param {string} path as it is shown
 * @returns {Buffer}
 * @throws {UserError} of code `unreadable` or `too-large`
 */
export function readBytes(absolutePath, path) {
  try {
    const stats = statSync(absolutePath);
    // Reading a socket or a device may never end; a pipe is how shells hand over the output of a command.
    if (!stats.isFile() && !stats.isFIFO()) {
      throw new UserError('unreadable', `${path} is no regular file`, { place: placeOf(path) });
    }
    if (stats.size > constants.MAX_STRING_LENGTH) {
      const message = `${path} has ${stats.size} bytes, and at most ${constants.MAX_STRING_LENGTH} can be read`;
      throw new UserError('too-large', message, { place: placeOf(path) });
    }
    return readFileSync(absolutePath);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw unreadable(path, error);
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {string} path as it is shown
 * @returns {string} the text, its byte order mark included
 * @throws {UserError} of code `not-utf8` or `binary-file`
 */
export function decodeText(bytes, path) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isUtf16(buffer)) {
    throw new UserError('not-utf8', `${path} is UTF-16; expected UTF-8`, {
      place: placeOf(path),
      hint: 'save the file as UTF-8',
    });
  }
  if (isBinary(buffer)) {
    throw new UserError('binary-file', `${path} is a binary file; expected text`, { place: placeOf(path) });
  }
  const text = buffer.toString('utf8');
  if (isUtf8(buffer)) return text;
  // The decoder puts U+FFFD where the bytes are wrong.
  const place = new SourceFile(path, text).place(Math.max(0, text.indexOf('\ufffd')));
  const message = `${path} is not UTF-8: line ${place.line} has a byte that no UTF-8 text has there`;
  throw new UserError('not-utf8', message, { place, hint: 'save the file as UTF-8' });
}

/**
 * @param {Uint8Array} bytes
 * @returns {boolean} whether they begin with a UTF-16 byte order mark
 */
export function isUtf16(bytes) {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

/**
 * @param {Uint8Array} bytes
 * @returns {boolean} whether they are no text
 */
export function isBinary(bytes) {
  return bytes.subarray(0, BINARY_BYTES).includes(0);
}

/**
 * @param {string} path as it is shown
 * @param {unknown} error of the file system
 * @returns {UserError}
 */
export function unreadable(path, error) {
  const { code } = /** @type {NodeJS.ErrnoException} */ (error);
  const reason = code === 'EACCES' || code === 'EPERM' ? 'permission denied' : (code ?? String(error));
  const details = {
    place: placeOf(path),
    hint: 'make it readable, or leave it out with `exclude` in the configuration',
  };
  return new UserError('unreadable', `${path} cannot be read: ${reason}`, details);
}

/** @param {string} path @returns {import('../shared/source-file.js').Place} the head of the file */
function placeOf(path) {
  return { file: path, line: 1, column: 1 };
}
