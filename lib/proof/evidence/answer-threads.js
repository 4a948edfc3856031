// Has threads answer whole questions about functions, where there are so many that it pays to start them.

import { DEFAULT_LIMITS, THREAD_OPTIONS } from '../../sandbox/limits.js';
import { ThreadPool } from '../../sandbox/thread-pool.js';

/** @typedef {{kind: 'proof' | 'rows' | 'witness', question: unknown}} Question */

/** Functions of a run from which on it pays, and questions for each thread: to start one and to optimize the search in it takes as much as a dozen. */
const MANY = 100;
const EACH = 20;

/** Milliseconds of the processor for one question. Most take a hundredth of that. */
const QUESTION_CPU_MS = 2500;

/** The search needs more heap than the texts of jobs: with less it collects garbage most of the time. */
const OPTIONS = {
  ...THREAD_OPTIONS,
  resourceLimits: { ...THREAD_OPTIONS.resourceLimits, maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 },
};

export class AnswerThreads {
  /** @param {number} size how many threads may run together @param {number} functions of the run */
  constructor(size, functions) {
    this.size = functions < MANY ? 0 : size;
    this.pool = new ThreadPool(size, { url: new URL('./answer-thread.js', import.meta.url), options: OPTIONS });
  }

  /** @param {number} questions @returns {number} threads for so many; 0 where it does not pay */
  sizeFor(questions) {
    const size = Math.min(this.size, Math.floor(questions / EACH));
    return size > 1 ? size : 0;
  }

  /**
   * @param {Question['kind']} kind
   * @param {unknown} question
   * @returns {Promise<any>} undefined where the question took too long or broke the engine down: then it is not answered here
   */
  async answer(kind, question) {
    const work = { kind, question, cpuMs: QUESTION_CPU_MS, limits: DEFAULT_LIMITS, inputs: [] };
    return (await this.pool.run(work)).answer;
  }

  /** @returns {Promise<void>} */
  close() {
    return this.pool.close();
  }
}
