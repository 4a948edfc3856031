// Reads a stream line by line, with a limit for what one line may take.

import { fault, MAX_BYTES } from './open-file.js';

const LINE_FEED = 0x0a;

/**
 * @param {AsyncIterable<Buffer | string>} stream
 * @returns {AsyncGenerator<string>} lines without their ends, as UTF-8
 * @throws {Error} with a `code` where one of them is too long to be held in memory
 */
export async function* linesOf(stream) {
  /** @type {Buffer[]} */
  let parts = [];
  let size = 0;
  for await (const piece of stream) {
    let chunk = typeof piece === 'string' ? Buffer.from(piece) : piece;
    for (let feed = chunk.indexOf(LINE_FEED); feed !== -1; feed = chunk.indexOf(LINE_FEED)) {
      yield Buffer.concat([...parts, chunk.subarray(0, feed)]).toString('utf8');
      parts = [];
      size = 0;
      chunk = chunk.subarray(feed + 1);
    }
    if (chunk.length > 0) parts.push(chunk);
    size += chunk.length;
    if (size > MAX_BYTES) throw fault(`a line longer than ${MAX_BYTES / 1024 / 1024} MiB`);
  }
  if (parts.length > 0) yield Buffer.concat(parts).toString('utf8');
}
