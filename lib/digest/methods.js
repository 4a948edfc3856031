// Numbers the methods of HTTP. All that CouchDB does not know share one number: clients may send what they like.

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

/** Added to the number where a replicator sends the request. */
export const REPLICATION = 16;

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @returns {number} index of MethodNames
 */
export function methodNumber(bytes, start, end) {
  for (let number = GET; number < MethodNames.length; number += 1) {
    if (isAt(bytes, start, end, MethodNames[number] ?? '')) return number;
  }
  return 0;
}

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @param {string} name
 * @returns {boolean}
 */
function isAt(bytes, start, end, name) {
  let at = 0;
  while (at < name.length && bytes[start + at] === name.charCodeAt(at)) at += 1;
  return at === name.length && start + at === end;
}
