// Splits the reading of logs into tasks and runs one. The tasks are the same whether one thread runs them or several,
// so that the result is the same.

import { UserError } from '../../shared/user-error.js';
import { MAX_HAR_BYTES, readHar } from '../../sources/logs/har.js';
import { LineBuffer } from '../../sources/logs/line-buffer.js';
import { readAtOnce, readPart, readWhole } from '../../sources/logs/read-log.js';
import { mayHavePieces } from '../../sources/logs/unwrap.js';
import { LineFeeder } from './feed-lines.js';
import { twinTimes } from './har-twins.js';

/** @import { Detected } from '../../sources/logs/detect.js' */
/** @import { LogFile } from '../../sources/logs/find-logs.js' */
/** @import { Digest } from '../digest.js' */
/** @import { TwinTimes } from './har-twins.js' */

/**
 * @typedef {object} Task
 * @property {LogFile} file
 * @property {number} part its number in the file
 * @property {number} start first byte of the part
 * @property {number} end behind its last byte
 */

/** @typedef {{code: string, message: string, hint: string | undefined}} TaskError why a file could not be read to its end */

const PART_BYTES = 8 * 1024 * 1024;

/**
 * @param {LogFile[]} files
 * @returns {Task[]}
 */
export function planTasks(files) {
  return files.flatMap((file) => {
    const isWhole = file.compression || file.format === 'har' || file.isPipe || mayHavePieces(file.wrapper);
    const count = isWhole ? 1 : Math.max(1, Math.ceil(file.size / PART_BYTES));
    return Array.from({ length: count }, (_, part) => ({
      file,
      part,
      start: part * PART_BYTES,
      end: Math.min(file.size, (part + 1) * PART_BYTES),
    }));
  });
}

/**
 * @param {LogFile[]} files
 * @returns {TwinTimes} requests of HAR files, where there are logs beside them that may have the same
 */
export function readTwins(files) {
  const hars = files.filter(({ format }) => format === 'har');
  if (hars.length === files.length) return new Map();
  return twinTimes(
    hars.flatMap((file) => {
      try {
        return readHar(readAtOnce(file, MAX_HAR_BYTES).toString('utf8'), file.path).requests;
      } catch (error) {
        // It is reported where it is counted.
        if (error instanceof UserError) return [];
        throw error;
      }
    }),
  );
}

export class TaskRunner {
  #feeder;
  #buffer;
  #isForced;

  /**
   * @param {Digest} digest counts what the tasks read
   * @param {boolean} isForced whether all lines must have the format of their file
   * @param {TwinTimes} [twins] requests of HAR files that are read too
   */
  constructor(digest, isForced, twins) {
    this.#isForced = isForced;
    this.#feeder = new LineFeeder(digest, twins);
    const feeder = this.#feeder;
    this.#buffer = new LineBuffer(
      (bytes, from, to) => feeder.feed(bytes, from, to),
      () => feeder.feedLongLine(),
    );
  }

  /** @returns {LineBuffer} for what is no file */
  get lines() {
    return this.#buffer;
  }

  /**
   * @param {string} name
   * @param {Detected} detected
   * @param {number} latest
   * @param {number} [part]
   */
  begin(name, { format, wrapper }, latest, part) {
    this.#feeder.begin(name, part, { format, wrapper, isForced: this.#isForced, latest });
  }

  /** All of what began is in. */
  end() {
    this.#feeder.end();
  }

  /**
   * @param {Task} task
   * @param {(bytes: number) => void} onProgress
   * @returns {Promise<TaskError | undefined>}
   */
  async run({ file, part, start, end }, onProgress) {
    this.begin(file.path, file, file.modified, part);
    /** @type {TaskError | undefined} */
    let error;
    try {
      if (file.format === 'har') this.feedHar(readAtOnce(file, MAX_HAR_BYTES), file.path);
      else if (file.compression || file.isPipe || mayHavePieces(file.wrapper))
        await readWhole(file, this.#buffer, onProgress);
      else readPart(file, start, end, this.#buffer, onProgress);
    } catch (thrown) {
      if (!(thrown instanceof UserError)) throw thrown;
      error = { code: thrown.code, message: thrown.message, hint: thrown.hint };
    }
    this.end();
    return error;
  }

  /**
   * @param {Buffer} bytes
   * @param {string} name
   * @throws {UserError} where they are no HAR document, or not all of one; what it had was counted
   */
  feedHar(bytes, name) {
    const { requests, error } = readHar(bytes.toString('utf8'), name);
    for (const request of requests) this.#feeder.feedHarRequest(request);
    if (error) throw error;
  }
}
