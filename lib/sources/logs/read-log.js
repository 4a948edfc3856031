// Reads the lines of a log, or of a part of one, in large pieces. A log that cannot be read to its end gives what could
// be read, and an error.

import { closeSync, readSync } from 'node:fs';
import { openFile, readFile, streamFile, unreadable } from '../../files/open-file.js';
import { UserError } from '../../shared/user-error.js';
import { createInflater, inflate } from './compression.js';

/** @import { LogFile } from './find-logs.js' */
/** @import { LineBuffer } from './line-buffer.js' */

/**
 * Reads the lines that start in a part of a file.
 * @param {LogFile} file
 * @param {number} start of the part
 * @param {number} end behind it
 * @param {LineBuffer} lines gets them
 * @param {(bytes: number) => void} onProgress
 * @throws {UserError} where the file cannot be read
 */
export function readPart(file, start, end, lines, onProgress) {
  let handle = -1;
  try {
    handle = openFile(file.absolute).handle;
    const isInside = start > 0;
    lines.begin(end - start, isInside);
    let at = isInside ? start - 1 : start;
    while (!lines.isDone) {
      const room = lines.room();
      const count = readSync(handle, room, 0, room.length, at);
      if (count === 0) break;
      at += count;
      lines.took(count);
      onProgress(Math.min(count, Math.max(0, end - at + count)));
    }
    if (at < end && !lines.isDone) {
      lines.finish();
      throw new UserError('shrank', `${file.path} was truncated while it was read: ${end - at} bytes are missing`, {
        place: { file: file.path, line: 1, column: 1 },
        hint: 'read it again when nothing truncates it, or read the rotated copy',
      });
    }
    lines.finish();
  } catch (error) {
    throw error instanceof UserError ? error : unreadable(file.path, error);
  } finally {
    if (handle !== -1) closeSync(handle);
  }
}

/**
 * Reads a compressed file, or one that has no size: a pipe.
 * @param {LogFile} file
 * @param {LineBuffer} lines gets them
 * @param {(bytes: number) => void} onProgress gets bytes of the file
 * @throws {UserError} where it cannot be read, or ends too early; what it had was given out
 */
export async function readWhole(file, lines, onProgress) {
  try {
    const raw = streamFile(file.absolute, { isNamed: file.isPipe });
    raw.on('data', (chunk) => onProgress(chunk.length));
    const stream = file.compression ? raw.pipe(createInflater(file.compression)) : raw;
    raw.on('error', (error) => stream.destroy(error));
    await readStream(stream, lines);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    const isCut = code === 'Z_BUF_ERROR' || code === 'ZSTD_error_srcSize_wrong';
    if (!isCut && code !== 'Z_DATA_ERROR' && !code?.startsWith('ZSTD')) throw unreadable(file.path, error);
    const what = isCut ? 'is truncated' : 'is damaged';
    throw new UserError('cut-short', `${file.path} ${what}; it was read up to that point`, {
      place: { file: file.path, line: 1, column: 1 },
      hint: `copy it again, and check it with \`${file.compression} -t\``,
    });
  }
}

/**
 * @param {AsyncIterable<Buffer | string>} stream
 * @param {LineBuffer} lines gets all lines, also where the stream then fails
 */
export async function readStream(stream, lines) {
  lines.begin(Number.POSITIVE_INFINITY, false);
  try {
    for await (const chunk of stream) lines.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  } finally {
    lines.finish();
  }
}

/**
 * Reads a file that is one document.
 * @param {LogFile} file
 * @param {number} most bytes of the document
 * @returns {Buffer}
 * @throws {UserError} where it cannot be read, or is larger
 */
export function readAtOnce({ absolute, path, isPipe, compression }, most) {
  /** @type {Buffer} */
  let bytes;
  try {
    bytes = readFile(absolute, { isNamed: isPipe, maxBytes: most });
  } catch (error) {
    throw unreadable(path, error);
  }
  if (!compression) return bytes;
  try {
    return inflate(bytes, compression, { maxOutputLength: most });
  } catch {
    throw new UserError('cut-short', `${path} is damaged, truncated or too large for one document`, {
      hint: `copy it again, and check it with \`${compression} -t\``,
    });
  }
}
