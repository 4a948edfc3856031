// Logs in, one digest out: finds them, shares the work among threads, and puts the parts together.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { UserError } from '../../shared/user-error.js';
import { detectFormat } from '../../sources/logs/detect.js';
import { findLogs } from '../../sources/logs/find-logs.js';
import { readStream } from '../../sources/logs/read-log.js';
import { Digest } from '../digest.js';
import { mergeDigest } from '../merge.js';
import { placeExamples } from '../place-examples.js';
import { digestFromJson } from '../read-digest.js';
import { planTasks, TaskRunner } from './tasks.js';

/** @import { Readable } from 'node:stream' */
/** @import { DigestOptions } from '../digest.js' */
/** @import { LogFile } from '../../sources/logs/find-logs.js' */
/** @import { Task, TaskResult } from './tasks.js' */
/** @import { WorkerOutput } from './worker.js' */

/**
 * @typedef {object} DigestLogsOptions
 * @property {string[]} paths files, globs and `-`
 * @property {string} cwd
 * @property {Readable} [stdin] what `-` stands for
 * @property {string} [stdinName] how its lines are named
 * @property {string} [format] of FORMAT_NAMES, for all logs; each log's own where absent
 * @property {number} [threads] as many as there are processors where absent
 * @property {number} now milliseconds since 1970: no line of standard input was written later
 * @property {DigestOptions} [options]
 * @property {(progress: {bytes: number, total: number}) => void} [tellProgress] called a few times a second
 */

/**
 * @typedef {object} DigestedLogs
 * @property {Digest} digest
 * @property {UserError[]} errors logs, or parts of them, that could not be read
 * @property {{path: string, format: string | undefined, lines: number}[]} files in the order of their first lines
 */

/** Starting threads costs more than it gains below that. */
const LEAST_BYTES_FOR_THREADS = 24 * 1024 * 1024;
const MOST_THREADS = 8;
const PROGRESS_MS = 200;

/**
 * @param {DigestLogsOptions} given
 * @returns {Promise<DigestedLogs>}
 */
export async function digestLogs(given) {
  const { paths, cwd, format, options = {}, tellProgress } = given;
  const named = paths.filter((item) => item !== '-');
  const { files, errors } = await findLogs(named, cwd, format);
  const tasks = planTasks(files);
  const total = files.reduce((sum, file) => sum + file.size, 0);
  const threads = Math.min(given.threads ?? Math.min(availableParallelism(), MOST_THREADS), tasks.length);
  const isForced = format !== undefined;
  const digest = new Digest(options);
  /** @type {TaskResult[]} */
  const results = [];
  if (threads > 1 && total >= LEAST_BYTES_FOR_THREADS) {
    await runInThreads({ tasks, threads, options, isForced, total, digest, results, tellProgress });
  } else {
    const runner = new TaskRunner(digest, isForced);
    let bytes = 0;
    for (const [number, task] of tasks.entries()) {
      results[number] = await runner.run(task, (count) => {
        bytes += count;
      });
      tellProgress?.({ bytes, total });
    }
  }
  placeExamples(digest, blockStarts(tasks, results));
  for (const { error } of results)
    if (error) errors.push(new UserError(error.code, error.message, { hint: error.hint }));
  const read = files.map((file) => ({ path: file.path, format: file.format, lines: linesOf(file, tasks, results) }));
  if (paths.includes('-') && given.stdin) {
    const { lines, ...found } = await readStdin(given.stdin, given, digest, isForced);
    errors.push(...found.errors);
    read.push({ path: given.stdinName ?? '<stdin>', format: found.format, lines });
  }
  digest.finish();
  return { digest, errors, files: read };
}

/**
 * @param {{tasks: Task[], threads: number, options: DigestOptions, isForced: boolean, total: number, digest: Digest, results: TaskResult[],
 *   tellProgress: DigestLogsOptions['tellProgress']}} run
 */
async function runInThreads({ tasks, threads, options, isForced, total, digest, results, tellProgress }) {
  // The number of the next task, and the bytes that were read.
  const shared = new SharedArrayBuffer(16);
  const counters = new BigInt64Array(shared);
  const timer = tellProgress && setInterval(() => tellProgress({ bytes: Number(counters[1]), total }), PROGRESS_MS);
  try {
    // This thread is one of them.
    const workers = Array.from({ length: threads - 1 }, () => runWorker({ tasks, options, isForced, shared }));
    const runner = new TaskRunner(digest, isForced);
    for (;;) {
      const number = Number(Atomics.add(counters, 0, 1n));
      const task = tasks[number];
      if (!task) break;
      results[number] = await runner.run(task, (bytes) => Atomics.add(counters, 1, BigInt(bytes)));
      // Timers and messages get their turn between tasks.
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const worker of workers) {
      const output = await worker;
      for (const [number, result] of output.results) results[number] = result;
      mergeDigest(digest, digestFromJson(output.digest, 'a part', options));
    }
  } finally {
    clearInterval(timer);
  }
  tellProgress?.({ bytes: total, total });
}

/**
 * @param {import('./worker.js').WorkerInput} workerData
 * @returns {Promise<WorkerOutput>}
 */
function runWorker(workerData) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.js', import.meta.url), {
      workerData,
      // Hardly anything is made while reading, so a small nursery is enough.
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`a thread that reads logs ended with ${code}`)));
  });
}

/**
 * @param {Readable} stdin
 * @param {DigestLogsOptions} given
 * @param {Digest} digest
 * @param {boolean} isForced
 * @returns {Promise<{errors: UserError[], format: string | undefined, lines: number}>}
 */
async function readStdin(stdin, { format: forced, stdinName = '<stdin>', now }, digest, isForced) {
  const runner = new TaskRunner(digest, isForced);
  /** @type {UserError[]} */
  const errors = [];
  let format = forced;
  try {
    const { head, rest } = await takeHead(stdin);
    format ??= detectFormat(head);
    runner.begin(stdinName, format, now);
    if (format === 'har') {
      const chunks = [];
      for await (const chunk of rest) chunks.push(chunk);
      runner.feedHar(Buffer.concat(chunks), stdinName);
    } else await readStream(rest, runner.lines);
  } catch (error) {
    const { code = 'unknown' } = /** @type {NodeJS.ErrnoException} */ (error);
    errors.push(
      error instanceof UserError ? error : new UserError('stdin-unreadable', `standard input cannot be read (${code})`),
    );
  }
  return { errors, format, lines: digest.line };
}

const HEAD_BYTES = 65_536;

/**
 * @param {Readable} stream
 * @returns {Promise<{head: Buffer, rest: AsyncIterable<Buffer>}>} `rest` begins with the head
 */
async function takeHead(stream) {
  const iterator = stream[Symbol.asyncIterator]();
  /** @type {Buffer[]} */
  const chunks = [];
  let length = 0;
  while (length < HEAD_BYTES) {
    const { value, done } = await iterator.next();
    if (done) break;
    const chunk = typeof value === 'string' ? Buffer.from(value) : value;
    chunks.push(chunk);
    length += chunk.length;
  }
  const head = Buffer.concat(chunks);
  async function* rest() {
    yield head;
    for (;;) {
      const { value, done } = await iterator.next();
      if (done) return;
      yield typeof value === 'string' ? Buffer.from(value) : value;
    }
  }
  return { head, rest: rest() };
}

/**
 * @param {Task[]} tasks
 * @param {TaskResult[]} results
 * @returns {Map<string, number[]>} by file, the number of lines before each of its blocks
 */
function blockStarts(tasks, results) {
  /** @type {Map<string, number[]>} */
  const starts = new Map();
  for (const [number, { file }] of tasks.entries()) {
    const list = starts.get(file.path) ?? [0];
    list.push((list.at(-1) ?? 0) + (results[number]?.lines ?? 0));
    starts.set(file.path, list);
  }
  return starts;
}

/**
 * @param {LogFile} file
 * @param {Task[]} tasks
 * @param {TaskResult[]} results
 * @returns {number}
 */
function linesOf(file, tasks, results) {
  return tasks.reduce((sum, task, number) => sum + (task.file === file ? (results[number]?.lines ?? 0) : 0), 0);
}
