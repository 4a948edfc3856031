// Methods of HTTP as small numbers. Any that CouchDB does not know is one of them: clients may send what they like.

export const MethodNames = Object.freeze([
  'OTHER',
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'HEAD',
  'COPY',
  'OPTIONS',
  'PATCH',
  'MOVE',
]);

/** The number of GET. */
export const GET = 1;

/** Added to the number where a replicator asks. */
export const REPLICATION = 16;

const NUMBERS = new Map(MethodNames.map((name, number) => [name, number]));

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @returns {number} index of MethodNames
 */
export function methodNumber(bytes, start, end) {
  const length = end - start;
  if (length === 3) {
    if (bytes[start] === 71 && bytes[start + 1] === 69 && bytes[start + 2] === 84) return GET;
    if (bytes[start] === 80 && bytes[start + 1] === 85 && bytes[start + 2] === 84) return 3;
    return 0;
  }
  if (
    length === 4 &&
    bytes[start] === 80 &&
    bytes[start + 1] === 79 &&
    bytes[start + 2] === 83 &&
    bytes[start + 3] === 84
  ) {
    return 2;
  }
  return length > 7 ? 0 : (NUMBERS.get(bytes.toString('latin1', start, end)) ?? 0);
}
