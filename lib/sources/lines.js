// Reads a stream line by line, with a limit for what one line may take.

const LINE_FEED = 0x0a;

/**
 * @param {AsyncIterable<Buffer | string>} stream
 * @param {number} [maxBytes] of one line: where one is longer, the lines end before it
 * @returns {AsyncGenerator<string>} lines without their ends, as UTF-8
 */
export async function* linesOf(stream, maxBytes = Number.POSITIVE_INFINITY) {
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
    if (size > maxBytes) return;
  }
  if (parts.length > 0) yield Buffer.concat(parts).toString('utf8');
}
