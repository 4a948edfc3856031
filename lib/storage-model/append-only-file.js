// Counts the bytes of an append-only file: blocks with a byte in front of each, headers at the beginning of a block (couch_file.erl). Holds no bytes.

import { BLOCK_BYTES, CHECKSUM_BYTES, CHUNK_PREFIX_BYTES, HEADER_PREFIX_BYTES } from './constants.js';

export class AppendOnlyFile {
  /** Length of the file. */
  position = 0;
  /** Of it: headers with the blanks in front of them. */
  headerBytes = 0;
  headers = 0;

  /**
   * @param {number} bytes of a packed term
   * @param {boolean} [hasChecksum] as documents have
   * @returns {number} bytes on the disk, those in front of blocks included; it begins where `position` was
   */
  append(bytes, hasChecksum = false) {
    return this.#write(CHUNK_PREFIX_BYTES + (hasChecksum ? CHECKSUM_BYTES : 0) + bytes, this.position % BLOCK_BYTES);
  }

  /**
   * `handle_call({write_header, …})`: the rest of the block stays empty.
   * @param {number} bytes of the header's term
   */
  writeHeader(bytes) {
    const start = this.position;
    const offset = this.position % BLOCK_BYTES;
    if (offset > 0) this.position += BLOCK_BYTES - offset;
    this.position += HEADER_PREFIX_BYTES;
    this.#write(CHECKSUM_BYTES + bytes, HEADER_PREFIX_BYTES);
    this.headers += 1;
    this.headerBytes += this.position - start;
  }

  /**
   * `make_blocks`: what ends just where a block ends has the first byte of the next block, too.
   * @param {number} bytes
   * @param {number} offset in the block
   * @returns {number}
   */
  #write(bytes, offset) {
    let size = bytes;
    let left = bytes;
    let free = BLOCK_BYTES - offset;
    if (offset === 0) {
      size += 1;
      free -= 1;
    }
    if (left >= free) {
      left -= free;
      size += 1 + Math.floor(left / (BLOCK_BYTES - 1));
    }
    this.position += size;
    return size;
  }
}
