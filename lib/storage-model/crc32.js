// Computes the CRC-32 of bytes, as zlib and `erlang:crc32` do (mem3_hash.erl, 3.4.3). Node's own came with 20.15 only.

const TABLE = new Uint32Array(256);
for (let byte = 0; byte < 256; byte += 1) {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  TABLE[byte] = rest;
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end
 * @returns {number} from 0 to 2^32 - 1
 */
export function crc32(bytes, start, end) {
  let rest = 0xffffffff;
  for (let at = start; at < end; at += 1)
    rest = (rest >>> 8) ^ /** @type {number} */ (TABLE[(rest ^ /** @type {number} */ (bytes[at])) & 0xff]);
  return (rest ^ 0xffffffff) >>> 0;
}
