// Decodes the bytes of a file as text, or reports one clear error. Only UTF-8 is read: edits are written back as UTF-8.

import { isUtf8 } from 'node:buffer';
import { SourceFile } from '../shared/source-file.js';
import { UserError } from '../shared/user-error.js';

/** A file with a NUL among its first bytes is no text; git decides the same way (buffer_is_binary, 8,000 bytes). */
const BINARY_BYTES = 8192;

/**
 * @param {Uint8Array} bytes
 * @param {string} path as it is shown
 * @param {string} [decoded] what decoding them gave, where that was done
 * @returns {string} the text, its byte order mark included
 * @throws {UserError} of code `not-utf8` or `binary-file`
 */
export function decodeText(bytes, path, decoded) {
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
  const text = decoded ?? buffer.toString('utf8');
  if (isUtf8(buffer)) return text;
  // The decoder puts U+FFFD where the bytes are wrong.
  const place = new SourceFile(path, text).place(Math.max(0, text.indexOf('\ufffd')));
  const message = `${path} is not valid UTF-8 (line ${place.line})`;
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

/** @param {string} path @returns {import('../shared/source-file.js').Place} the head of the file */
function placeOf(path) {
  return { file: path, line: 1, column: 1 };
}
