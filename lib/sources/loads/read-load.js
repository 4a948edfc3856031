// Reads a file of documents to be written into a record and errors. Read as a stream, once, in constant memory; packed
// files (gzip) are unpacked on the way.

import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { reasonOf, streamFile } from '../../files/open-file.js';
import { SourceFile } from '../../shared/source-file.js';
import { isUtf16 } from '../read-text.js';
import { limitErrors, MAX_ERRORS } from '../record.js';
import { DocumentReader } from './document-reader.js';
import { LoadSummary } from './summary.js';
import { Utf8Check } from './utf8-check.js';

/** @import { OpenOptions } from '../../files/open-file.js' */
/** @import { LoadRecord, ReadError } from '../record.js' */
/** @import { LoadDocument } from './document-reader.js' */

/** Bytes that are read at once. */
const PIECE = 256 * 1024;

/** Of a document that is held in memory: without attachments, CouchDB refuses more than 8 MB by default (`max_document_size` in default.ini, since 3.0). */
const MAX_DOCUMENT = 64 * 1024 * 1024;

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** @typedef {{record: LoadRecord | undefined, errors: ReadError[]}} LoadResult */

/**
 * @typedef {object} DocumentTaker Who wants the documents themselves.
 * @property {(document: LoadDocument, bytes: Buffer, offset: number) => void} onDocument `bytes` are those read last, and
 *   `offset` where they begin: the document stands in them from `start` to `end`
 * @property {() => void} onRequestEnd a body of `_bulk_docs` ended
 * @property {boolean} [isDone] whether nothing behind what was read is wanted; then the record is that of what was read
 */

/**
 * @param {string} absolutePath
 * @param {string} path as it is shown
 * @param {OpenOptions & {taker?: DocumentTaker | undefined}} [options] `taker` receives each document, too
 * @returns {Promise<LoadResult>} never rejects for what it reads
 */
export function readLoad(absolutePath, path, { taker, ...options } = {}) {
  // Opened where its faults are reported.
  const pieces = async function* () {
    yield* streamFile(absolutePath, { ...options, highWaterMark: PIECE });
  };
  return readLoadPieces(pieces(), path, taker);
}

/**
 * @param {AsyncIterable<Uint8Array>} pieces what a file has, in pieces of any size
 * @param {string} path as it is shown
 * @param {DocumentTaker} [taker] receives each document, too
 * @returns {Promise<LoadResult>} never rejects for what it reads
 */
export async function readLoadPieces(pieces, path, taker) {
  const reading = new LoadReading(path, taker);
  try {
    await reading.readAll(pieces);
  } catch (error) {
    reading.addError('unreadable', `cannot read ${path}: ${reasonOf(error)}`);
  }
  return reading.result();
}

class LoadReading {
  #summary = new LoadSummary();
  /** @type {ReadError[]} */
  #errors = [];
  #errorCount = 0;
  #utf8 = new Utf8Check();

  /** The pieces that the document in hand stands in, and where they begin; only for a taker. @type {Buffer[]} */
  #pieces = [];
  #piecesStart = 0;
  #held = 0;

  /**
   * @param {string} path
   * @param {DocumentTaker} [taker]
   */
  constructor(path, taker) {
    this.path = path;
    this.taker = taker;
    this.reader = new DocumentReader({
      onDocument: (document) => {
        this.#summary.addDocument(document);
        if (document.bytes !== undefined && document.end - document.start > MAX_DOCUMENT) {
          const { line } = this.reader.scanner;
          const message = `line ${line}: a document larger than ${MAX_DOCUMENT / 1024 / 1024} MiB, which is only counted`;
          return this.addError('too-large', message, line);
        }
        if (!taker) return;
        if (this.#pieces.length > 1) this.#pieces = [Buffer.concat(this.#pieces)];
        taker.onDocument(document, /** @type {Buffer} */ (this.#pieces[0]), this.#piecesStart);
      },
      onBatch: (batch) => {
        this.#summary.addBatch(batch);
        taker?.onRequestEnd();
      },
      onNewEditsOff: () => this.#summary.markRestore(),
      onFault: (message, line, offset) =>
        this.addError('not-json', `line ${line}, byte ${offset + 1}: ${message}`, line),
    });
  }

  /** @param {AsyncIterable<Uint8Array>} pieces */
  async readAll(pieces) {
    const iterator = pieces[Symbol.asyncIterator]();
    const head = await readHead(iterator);
    if (isUtf16(head)) {
      this.addError('not-utf8', `${this.path} is UTF-16; expected UTF-8`);
      await iterator.return?.();
      return;
    }
    const isPacked = head[0] === 0x1f && head[1] === 0x8b;
    if (isPacked) await this.#unpack(head, iterator);
    else {
      this.#write(withoutMark(head));
      for (let next = await iterator.next(); !next.done && !this.taker?.isDone; next = await iterator.next())
        this.#write(asBuffer(next.value));
      await iterator.return?.();
    }
    this.reader.end();
  }

  /**
   * @param {Buffer} head
   * @param {AsyncIterator<Uint8Array>} iterator
   */
  async #unpack(head, iterator) {
    const gunzip = createGunzip({ chunkSize: PIECE });
    // What goes wrong on the way is thrown where the end is read.
    pipeline(Readable.from(startingWith(head, iterator)), gunzip, () => {});
    let isFirst = true;
    try {
      for await (const piece of gunzip) {
        this.#write(isFirst ? withoutMark(piece) : piece);
        isFirst = false;
        if (this.taker?.isDone) break;
      }
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      const what = code === 'Z_BUF_ERROR' ? 'is truncated' : `cannot be unpacked (${code ?? String(error)})`;
      const { line } = this.reader.scanner;
      this.addError('broken-gzip', `${this.path} ${what}; it was read up to line ${line}`, line);
    }
  }

  /** @param {Buffer} piece */
  #write(piece) {
    const line = this.#utf8.add(piece, this.reader.scanner.line);
    if (line !== undefined) {
      this.addError('not-utf8', `${this.path}, line ${line}: invalid UTF-8, which CouchDB rejects`, line);
    }
    if (this.taker) this.#keep(piece);
    this.reader.write(piece);
  }

  /** @param {Buffer} piece that is read now */
  #keep(piece) {
    const { keptFrom } = this.reader;
    for (let first = this.#pieces[0]; first; first = this.#pieces[0]) {
      // Less than none where pieces of the document were let go of.
      const done = Math.max(0, keptFrom - this.#piecesStart);
      if (done < first.length) {
        this.#pieces[0] = first.subarray(done);
        this.#piecesStart += done;
        this.#held -= done;
        break;
      }
      this.#drop();
    }
    this.#pieces.push(piece);
    this.#held += piece.length;
    // What is in front of it and behind it in its first and last piece is held too.
    while (this.#held > MAX_DOCUMENT + 2 * PIECE) this.#drop();
  }

  /** Lets go of the first piece. */
  #drop() {
    const { length } = this.#pieces.shift() ?? [];
    this.#piecesStart += length;
    this.#held -= length;
  }

  /**
   * @param {string} code
   * @param {string} message
   * @param {number} [line]
   */
  addError(code, message, line = 1) {
    this.#errorCount += 1;
    if (this.#errors.length > MAX_ERRORS) return;
    this.#errors.push({ code, message, place: { file: this.path, line, column: 1 } });
  }

  /** @returns {LoadResult} */
  result() {
    const record = this.#summary.finish(new SourceFile(this.path, ''));
    if (!record && this.#errorCount === 0) this.addError('no-documents', `no documents in ${this.path}`);
    return { record, errors: limitErrors(this.#errors, this.#errorCount) };
  }
}

/**
 * @param {AsyncIterator<Uint8Array>} iterator
 * @returns {Promise<Buffer>} the first piece, with at least three bytes where there are so many
 */
async function readHead(iterator) {
  let head = Buffer.alloc(0);
  while (head.length < BYTE_ORDER_MARK.length) {
    const next = await iterator.next();
    if (next.done) return head;
    head = Buffer.concat([head, next.value]);
  }
  return head;
}

/**
 * @param {Buffer} head
 * @param {AsyncIterator<Uint8Array>} iterator
 * @returns {AsyncGenerator<Uint8Array>} both, one after the other
 */
async function* startingWith(head, iterator) {
  yield head;
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
}

/** @param {Uint8Array} bytes @returns {Buffer} the same bytes */
function asBuffer(bytes) {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** @param {Buffer} bytes @returns {Buffer} without the byte order mark of UTF-8 */
function withoutMark(bytes) {
  return bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? bytes.subarray(BYTE_ORDER_MARK.length)
    : bytes;
}
