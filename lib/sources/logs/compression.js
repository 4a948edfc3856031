// Recognizes how a log is compressed by its first bytes. Gzip is read always, Zstandard where Node.js can (from 22.15); other forms are named.

import zlib from 'node:zlib';
import { attempt } from '../../shared/attempt.js';
import { shellWord } from '../../shared/shell-word.js';
import { UserError } from '../../shared/user-error.js';

/** @import { Transform } from 'node:stream' */

/** @typedef {'gzip' | 'zstd'} Compression that is read */

/** First bytes: RFC 1952, RFC 8878, the xz and LZ4 frame formats, bzip2's manual. @type {[name: string, bytes: number[], command: string][]} */
const MAGIC = [
  ['gzip', [0x1f, 0x8b], 'gzip -dc'],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd], 'zstd -dc'],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], 'xz -dc'],
  ['bzip2', [0x42, 0x5a, 0x68], 'bzip2 -dc'],
  ['lz4', [0x04, 0x22, 0x4d, 0x18], 'lz4 -dc'],
];

/** What Node.js has for Zstandard; nothing before 22.15. @type {{createZstdDecompress?: () => Transform, zstdDecompressSync?: (bytes: Buffer, options: object) => Buffer}} */
const zstd = /** @type {any} */ (zlib);

/**
 * @param {Buffer} head the first bytes of a file
 * @param {string} shown its path; empty for standard input, which must not be compressed
 * @returns {Compression | undefined} undefined where it is not compressed
 * @throws {UserError} where it is compressed in a form that is not read
 */
export function compressionOf(head, shown) {
  const found = MAGIC.find(([, magic]) => magic.every((byte, at) => head[at] === byte));
  if (!found) return undefined;
  const [name, , command] = found;
  if (shown === '') {
    throw new UserError('compressed', `standard input is compressed with ${name}`, {
      hint: `decompress it: ${command} LOG | …`,
    });
  }
  if (name === 'gzip' || (name === 'zstd' && zstd.createZstdDecompress)) return name;
  const why =
    name === 'zstd' ? `, which Node.js reads from 22.15 (this is ${process.versions.node})` : ', which is not read';
  throw new UserError('compressed', `${shown} is compressed with ${name}${why}`, {
    hint: `decompress it: ${command} ${shellWord(shown)} | npx --no-install couch-advisor digest -`,
  });
}

/**
 * @param {Compression} compression
 * @returns {Transform}
 */
export function createInflater(compression) {
  return compression === 'zstd' && zstd.createZstdDecompress ? zstd.createZstdDecompress() : zlib.createGunzip();
}

/**
 * @param {Buffer} bytes
 * @param {Compression} compression
 * @param {object} [options] of zlib
 * @returns {Buffer}
 * @throws {Error} where they are damaged
 */
export function inflate(bytes, compression, options = {}) {
  return compression === 'zstd' && zstd.zstdDecompressSync
    ? zstd.zstdDecompressSync(bytes, options)
    : zlib.gunzipSync(bytes, options);
}

/**
 * @param {Buffer} bytes the first ones of a file
 * @param {Compression} compression
 * @returns {Buffer} what they hold, as far as they go
 */
export function inflateHead(bytes, compression) {
  const { Z_SYNC_FLUSH, ZSTD_e_flush = 1 } = /** @type {typeof zlib.constants & {ZSTD_e_flush?: number}} */ (
    zlib.constants
  );
  return attempt(
    () => inflate(bytes, compression, { finishFlush: compression === 'zstd' ? ZSTD_e_flush : Z_SYNC_FLUSH }),
    Buffer.alloc(0),
  );
}
