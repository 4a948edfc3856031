// Collects documents one by one into columns: ids, sizes, order. The documents themselves are not kept, so a million of
// them take some 100 MB with ids of 32 characters.

import { RING_TOP, SNAPPY_PREFIX_BYTES } from './constants.js';
import { crc32 } from './crc32.js';
import { DocumentTerm } from './document-term.js';
import { rankTexts } from './rank-texts.js';
import { packedLength } from './snappy.js';
import { binaryBytes, TermWriter, TUPLE_BYTES, VERSION_BYTES } from './term-writer.js';

/** Attachments of a document without any: an empty list, packed. couch_bt_engine.erl, `serialize_doc`. */
const NO_ATTACHMENTS_BYTES = SNAPPY_PREFIX_BYTES + 4;
/** Documents are packed, each of them, up to so many bytes of JSON. */
const ALL_PACKED = 256 * 1024 * 1024;
/** Of those that come then, one in so many. */
const STRIDE = 16;

/**
 * @typedef {object} LoadColumns A load, ready to be replayed.
 * @property {number} count documents
 * @property {Uint8Array} ids the bytes of all ids, one behind the other
 * @property {Float64Array} idEnds where each ends
 * @property {Uint32Array} ranks place of each id in the order of bytes; equal ids have equal ranks
 * @property {number} distinct how many ranks there are
 * @property {Uint32Array} hashes CRC-32 of each id, which determines its shard
 * @property {Int32Array} bodyBytes of each document as its term is stored, without length, checksum and blocks
 * @property {Int32Array} externalBytes of each document as JSON
 * @property {Uint8Array} deleted 1 for a tombstone
 */

export class LoadTable {
  count = 0;
  /** Documents whose stored size was taken from others of about their length. */
  guessed = 0;
  /** Bytes as JSON, of all documents. */
  jsonBytes = 0;
  #ids = Buffer.allocUnsafe(1 << 20);
  #idBytes = 0;
  #idEnds = new Float64Array(1024);
  #hashes = new Uint32Array(1024);
  #bodies = new Int32Array(1024);
  #external = new Int32Array(1024);
  #deleted = new Uint8Array(1024);
  #writer = new TermWriter();
  #term = new DocumentTerm(this.#writer);
  /** Stored and external bytes a byte of JSON, by the length as a power of two. */
  #stored = new Float64Array(64);
  #outer = new Float64Array(64);
  #seen = new Float64Array(64);

  /**
   * @param {string} id its bytes, one a character
   * @param {Uint8Array} json in which the document stands
   * @param {number} start
   * @param {number} end
   * @param {boolean} isDeleted
   * @returns {boolean} false where it is no document in JSON, and was not added
   */
  add(id, json, start, end, isDeleted) {
    const length = end - start;
    const size = Math.min(63, 31 - Math.clz32(length | 1));
    const seen = /** @type {number} */ (this.#seen[size]);
    let body;
    let external;
    if (this.jsonBytes < ALL_PACKED || this.count % STRIDE === 0 || seen < 100) {
      if (!this.#term.encode(json, start, end)) return false;
      const { length: termBytes, bytes } = this.#writer;
      body = storedBodyBytes(packedLength(bytes, 0, termBytes));
      external = this.#term.externalBytes;
      const weight = Math.max(1 / (seen + 1), 1 / 1024);
      this.#seen[size] = seen + 1;
      this.#learn(this.#stored, size, body / length, weight);
      this.#learn(this.#outer, size, external / length, weight);
    } else {
      body = Math.round(length * /** @type {number} */ (this.#stored[size]));
      external = Math.round(length * /** @type {number} */ (this.#outer[size]));
      this.guessed += 1;
    }
    this.jsonBytes += length;
    this.addSizes(id, body, external, isDeleted);
    return true;
  }

  /**
   * @param {string} id its bytes, one a character
   * @param {number} bodyBytes as it is stored
   * @param {number} externalBytes
   * @param {boolean} isDeleted
   */
  addSizes(id, bodyBytes, externalBytes, isDeleted) {
    const at = this.count;
    if (at === this.#hashes.length) this.#grow();
    if (this.#idBytes + id.length > this.#ids.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#ids.length * 2, this.#idBytes + id.length));
      this.#ids.copy(larger, 0, 0, this.#idBytes);
      this.#ids = larger;
    }
    this.#ids.write(id, this.#idBytes, 'latin1');
    this.#hashes[at] = crc32(this.#ids, this.#idBytes, this.#idBytes + id.length);
    this.#idBytes += id.length;
    this.#idEnds[at] = this.#idBytes;
    this.#bodies[at] = bodyBytes;
    this.#external[at] = externalBytes;
    this.#deleted[at] = isDeleted ? 1 : 0;
    this.count += 1;
  }

  /** @param {Float64Array} ratios @param {number} size @param {number} ratio @param {number} weight */
  #learn(ratios, size, ratio, weight) {
    const known = /** @type {number} */ (ratios[size]);
    ratios[size] = known + (ratio - known) * weight;
  }

  #grow() {
    const length = this.#hashes.length * 2;
    this.#idEnds = copyInto(new Float64Array(length), this.#idEnds);
    this.#hashes = copyInto(new Uint32Array(length), this.#hashes);
    this.#bodies = copyInto(new Int32Array(length), this.#bodies);
    this.#external = copyInto(new Int32Array(length), this.#external);
    this.#deleted = copyInto(new Uint8Array(length), this.#deleted);
  }

  /** @returns {LoadColumns} of all documents that were added */
  columns() {
    const { count } = this;
    const idEnds = this.#idEnds.subarray(0, count);
    const ids = this.#ids.subarray(0, this.#idBytes);
    const { ranks, distinct } = rankTexts(ids, idEnds);
    return {
      count,
      ids,
      idEnds,
      ranks,
      distinct,
      hashes: this.#hashes.subarray(0, count),
      bodyBytes: this.#bodies.subarray(0, count),
      externalBytes: this.#external.subarray(0, count),
      deleted: this.#deleted.subarray(0, count),
    };
  }
}

/**
 * `term_to_bin({Body, Atts})`, both packed before. couch_bt_engine.erl, `serialize_doc`.
 * @param {number} packed bytes of the body as snappy gives them
 * @returns {number}
 */
function storedBodyBytes(packed) {
  return VERSION_BYTES + TUPLE_BYTES + binaryBytes(SNAPPY_PREFIX_BYTES + packed) + binaryBytes(NO_ATTACHMENTS_BYTES);
}

/**
 * @param {number} hash CRC-32 of an id
 * @param {number} shards
 * @returns {number} from 0. mem3_util.erl, `make_key_ranges`: ranges of one size, and the last takes what is left
 */
export function shardOf(hash, shards) {
  return Math.min(Math.floor(hash / Math.floor(RING_TOP / shards)), shards - 1);
}

/**
 * @template {Float64Array | Uint32Array | Int32Array | Uint8Array} T
 * @param {T} target
 * @param {T} source
 * @returns {T} the target
 */
function copyInto(target, source) {
  target.set(source);
  return target;
}
