// Digests logs: finds them, shares the work among threads, and merges the parts into one digest.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { readAll } from '../../files/open-file.js';
import { UserError } from '../../shared/user-error.js';
import { compressionOf } from '../../sources/logs/compression.js';
import { detectLog } from '../../sources/logs/detect.js';
import { findLogs, HEAD_BYTES } from '../../sources/logs/find-logs.js';
import { MAX_HAR_BYTES } from '../../sources/logs/har.js';
import { readStream } from '../../sources/logs/read-log.js';
import { wrapperName } from '../../sources/logs/unwrap.js';
import { Digest } from '../digest.js';
import { mergeDigest } from '../merge.js';
import { settleParts } from '../parts.js';
import { readDigest } from '../read-digest.js';
import { planTasks, readTwins, TaskRunner } from './tasks.js';

/** @import { Readable } from 'node:stream' */
/** @import { DigestOptions } from '../digest.js' */
/** @import { Detected } from '../../sources/logs/detect.js' */
/** @import { LogFile } from '../../sources/logs/find-logs.js' */
/** @import { TwinTimes } from './har-twins.js' */
/** @import { Task, TaskError } from './tasks.js' */
/** @import { WorkerOutput } from './worker.js' */

/** @typedef {{bytes: number, total: number | undefined}} Progress `total`: undefined for standard input, which ends when it ends */

/**
 * @typedef {object} DigestLogsOptions
 * @property {string[]} paths files, globs and `-`
 * @property {boolean} [isNamed] whether the user named them, so that they may be pipes; false for those of a configuration
 * @property {string} cwd
 * @property {Readable} [stdin] what `-` stands for
 * @property {string} [stdinName] how its lines are named
 * @property {number | 'first-line'} [part] number of the part of a log that standard input is; its lines then count from the start of the
 *   part until digests of all parts are put together
 * @property {string} [format] of LOG_FORMATS, for all logs; each log's own where absent
 * @property {string} [field] the member of JSON lines that holds a line of the log: `jsonPayload.message`; detected where absent
 * @property {number} [threads] as many as there are processors where absent
 * @property {number} now milliseconds since 1970: no line of standard input was written later
 * @property {DigestOptions} [options]
 * @property {(progress: Progress) => void} [onProgress] called a few times a second
 */

/**
 * @typedef {object} DigestedLogs
 * @property {Digest} digest
 * @property {UserError[]} errors logs, or parts of them, that could not be read
 * @property {{path: string, format: string | undefined, wrapper: string, lines: number}[]} files in the order of their first lines; `wrapper`: what was around
 *   their lines, empty where nothing
 */

/** Starting threads costs more than it gains below that. */
const MIN_BYTES_FOR_THREADS = 24 * 1024 * 1024;
const MAX_THREADS = 8;
const PROGRESS_MS = 200;

/**
 * @param {DigestLogsOptions} given
 * @returns {Promise<DigestedLogs>}
 */
export async function digestLogs(given) {
  const { paths, cwd, format, field, isNamed, options = {} } = given;
  const onProgress = seldom(given.onProgress);
  const named = paths.filter((item) => item !== '-');
  const { files, errors } = await findLogs(named, cwd, { format, field, isNamed });
  const tasks = planTasks(files);
  const twins = readTwins(files);
  const total = files.reduce((sum, file) => sum + file.size, 0);
  const threads = Math.min(given.threads ?? Math.min(availableParallelism(), MAX_THREADS), tasks.length);
  const isForced = format !== undefined;
  const digest = new Digest(options);
  /** By number of the task. @type {TaskError[]} */
  const failed = [];
  if (threads > 1 && total >= MIN_BYTES_FOR_THREADS) {
    await runInThreads({ tasks, threads, options, isForced, twins, total, digest, failed, onProgress });
  } else {
    const runner = new TaskRunner(digest, isForced, twins);
    let bytes = 0;
    for (const [number, task] of tasks.entries()) {
      const error = await runner.run(task, (count) => {
        bytes += count;
        onProgress({ bytes, total });
      });
      if (error) failed[number] = error;
    }
  }
  for (const error of failed) if (error) errors.push(new UserError(error.code, error.message, { hint: error.hint }));
  const read = files.map((file) => ({
    path: file.path,
    format: file.format,
    wrapper: file.wrapper ? wrapperName(file.wrapper) : '',
    lines: linesOf(file, digest),
  }));
  settleParts(digest);
  if (paths.includes('-') && given.stdin) {
    const { lines, ...found } = await readStdin(counted(given.stdin, onProgress), given, digest, isForced);
    errors.push(...found.errors);
    const wrapper = found.wrapper ? wrapperName(found.wrapper) : '';
    read.push({ path: given.stdinName ?? '<stdin>', format: found.format, wrapper, lines });
  }
  digest.finish();
  return { digest, errors, files: read };
}

/**
 * @param {{tasks: Task[], threads: number, options: DigestOptions, isForced: boolean, twins: TwinTimes, total: number, digest: Digest, failed: TaskError[],
 *   onProgress: (progress: Progress) => void}} run
 */
async function runInThreads({ tasks, threads, options, isForced, twins, total, digest, failed, onProgress }) {
  // The number of the next task, and the bytes that were read.
  const shared = new SharedArrayBuffer(16);
  const counters = new BigInt64Array(shared);
  const timer = setInterval(() => onProgress({ bytes: Number(counters[1]), total }), PROGRESS_MS);
  try {
    // This thread is one of them.
    const workers = Array.from({ length: threads - 1 }, () => runWorker({ tasks, options, isForced, twins, shared }));
    const runner = new TaskRunner(digest, isForced, twins);
    for (;;) {
      const number = Number(Atomics.add(counters, 0, 1n));
      const task = tasks[number];
      if (!task) break;
      const error = await runner.run(task, (bytes) => Atomics.add(counters, 1, BigInt(bytes)));
      if (error) failed[number] = error;
      // Timers and messages get their turn between tasks.
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const worker of workers) {
      const output = await worker;
      for (const [number, error] of output.errors) failed[number] = error;
      mergeDigest(digest, readDigest(output.digest, options));
    }
  } finally {
    clearInterval(timer);
  }
}

/**
 * @param {((progress: Progress) => void) | undefined} report
 * @returns {(progress: Progress) => void} that passes on a few calls a second
 */
function seldom(report) {
  let last = 0;
  return (progress) => {
    const now = Date.now();
    if (!report || now - last < PROGRESS_MS) return;
    last = now;
    report(progress);
  };
}

/**
 * @param {Readable} stream
 * @param {(progress: Progress) => void} onProgress
 * @returns {AsyncGenerator<Buffer>} its chunks
 */
async function* counted(stream, onProgress) {
  let bytes = 0;
  for await (const chunk of stream) {
    const piece = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    bytes += piece.length;
    onProgress({ bytes, total: undefined });
    yield piece;
  }
}

/**
 * @param {import('./worker.js').WorkerInput} workerData
 * @returns {Promise<WorkerOutput>}
 */
function runWorker(workerData) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.js', import.meta.url), {
      workerData,
      // What is made for a line is garbage with the next one, so a small nursery is enough.
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`a thread that reads logs ended with ${code}`)));
  });
}

/**
 * @param {AsyncGenerator<Buffer>} stdin
 * @param {DigestLogsOptions} given
 * @param {Digest} digest
 * @param {boolean} isForced
 * @returns {Promise<Detected & {errors: UserError[], lines: number}>}
 */
async function readStdin(stdin, { format, field, stdinName = '<stdin>', part, now }, digest, isForced) {
  const runner = new TaskRunner(digest, isForced);
  /** @type {UserError[]} */
  const errors = [];
  /** @type {Detected} */
  let detected = { format };
  try {
    const { head, number, rest } = await takeHead(stdin, part === 'first-line');
    compressionOf(head, '');
    detected = detectLog(head, { format, field });
    runner.begin(stdinName, detected, now, part === 'first-line' ? number : part);
    try {
      if (detected.format === 'har') {
        runner.feedHar(await readAll(rest, MAX_HAR_BYTES), stdinName);
      } else await readStream(rest, runner.lines);
    } finally {
      runner.end();
    }
  } catch (error) {
    const { code = 'unknown' } = /** @type {NodeJS.ErrnoException} */ (error);
    errors.push(
      error instanceof UserError ? error : new UserError('stdin-unreadable', `cannot read standard input (${code})`),
    );
  }
  return { ...detected, errors, lines: digest.line };
}

/**
 * @param {AsyncGenerator<Buffer>} stream
 * @param {boolean} hasNumber whether its first line is the number of a part
 * @returns {Promise<{head: Buffer, number: number, rest: AsyncIterable<Buffer>}>} `rest` begins with the head, without that line
 * @throws {UserError} where there is no number
 */
async function takeHead(stream, hasNumber) {
  /** @type {Buffer[]} */
  const chunks = [];
  let length = 0;
  while (length < HEAD_BYTES) {
    const { value, done } = await stream.next();
    if (done) break;
    chunks.push(value);
    length += value.length;
  }
  const whole = Buffer.concat(chunks);
  const feed = hasNumber ? whole.indexOf(10) : -1;
  const text = hasNumber ? whole.toString('latin1', 0, feed === -1 ? whole.length : feed) : '0';
  const number = /^\d{1,15}\r?$/.test(text) ? Number(text) : -1;
  if (number === -1) {
    throw new UserError('no-part', 'the first line of standard input is not a part number', {
      hint: 'put the number there, or pass it: --part 7',
    });
  }
  const head = hasNumber ? whole.subarray(feed === -1 ? whole.length : feed + 1) : whole;
  async function* rest() {
    yield head;
    yield* stream;
  }
  return { head, number, rest: rest() };
}

/**
 * @param {LogFile} file
 * @param {Digest} digest whose parts are not settled
 * @returns {number}
 */
function linesOf(file, digest) {
  return digest.parts.reduce((sum, part) => sum + (part.file === file.path ? part.lines : 0), 0);
}
