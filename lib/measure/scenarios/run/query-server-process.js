// Runs one process that speaks the query server protocol and sends it commands one after the other. It may answer late, never, with rubbish, too
// much, or end: each is a fault with its reason and what it wrote to standard error. Judges no figures.

import { spawn } from 'node:child_process';
import process from 'node:process';
import { readAnswer } from '../query-protocol.js';

/** @import { ChildProcess } from 'node:child_process' */

/** An answer is no longer than this, in bytes: one document's rows. */
const MAX_BYTES = 64 * 1024 * 1024;
/** So much of standard error is kept, from its end, in characters. */
const MAX_KEPT = 4000;
/** A process that is to end gets so long, in milliseconds. */
const GRACE = 500;

/** What a query server did wrong. */
export class QueryServerFault extends Error {}

export class QueryServerProcess {
  /** @type {ChildProcess} */
  #child;
  #buffer = '';
  /** @type {{resolve: (line: string) => void, reject: (fault: QueryServerFault) => void} | undefined} */
  #waiting;
  /** Answers that came before their command was sent. @type {string[]} */
  #early = [];
  /** @type {QueryServerFault | undefined} */
  #fault;
  #stderr = '';
  #hasEnded = false;
  /** Lines that it logged. */
  logged = 0;

  /**
   * @param {string} command for the shell
   * @param {{timeoutMs: number, cwd?: string}} options
   */
  constructor(command, { timeoutMs, cwd }) {
    this.timeoutMs = timeoutMs;
    // A group of its own, so that the shell's children end with it.
    this.#child = spawn(command, { shell: true, detached: process.platform !== 'win32', ...(cwd ? { cwd } : {}) });
    const { stdin, stdout, stderr } = this.#child;
    stdout?.setEncoding('utf8').on('data', (text) => this.#read(text));
    stderr?.setEncoding('utf8').on('data', (text) => {
      this.#stderr = (this.#stderr + text).slice(-MAX_KEPT);
    });
    // A pipe that closes is reported by the end of the process.
    stdin?.on('error', () => {});
    this.#child.once('error', ({ message }) => {
      this.#hasEnded = true;
      this.#fail(`it cannot be started: ${message}`);
    });
    this.#child.once('close', (code, signal) => {
      this.#hasEnded = true;
      this.#fail(signal ? `it was killed by ${signal}` : `it exited with code ${code}`);
    });
  }

  /** @returns {string} what it wrote to standard error, the end of it */
  get stderr() {
    return this.#stderr.trim();
  }

  /** @returns {number | undefined} */
  get pid() {
    return this.#child.pid;
  }

  /**
   * @param {string} line a command with its line feed
   * @returns {Promise<unknown>} the value it answers
   * @throws {QueryServerFault}
   */
  async ask(line) {
    this.#child.stdin?.write(line);
    for (;;) {
      const answer = readAnswer(await this.#nextLine());
      if (answer.kind === 'value') return answer.value;
      if (answer.kind === 'fault') throw new QueryServerFault(answer.message);
      this.logged += 1;
    }
  }

  /** @returns {Promise<void>} when it has ended */
  async close() {
    if (this.#hasEnded) return;
    const ended = new Promise((resolve) => this.#child.once('close', () => resolve(undefined)));
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.#kill(), GRACE);
    await ended;
    clearTimeout(timer);
  }

  #kill() {
    const { pid } = this.#child;
    try {
      if (pid !== undefined && process.platform !== 'win32') process.kill(-pid, 'SIGKILL');
      else this.#child.kill('SIGKILL');
    } catch {
      // It has ended by itself meanwhile.
    }
    // A child that left the group may still hold the pipes open.
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  /** @returns {Promise<string>} */
  #nextLine() {
    const early = this.#early.shift();
    if (early !== undefined) return Promise.resolve(early);
    if (this.#fault) return Promise.reject(this.#fault);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#fail(`it did not respond within ${this.timeoutMs / 1000} s`);
        this.#kill();
      }, this.timeoutMs);
      this.#waiting = {
        resolve: (line) => {
          clearTimeout(timer);
          resolve(line);
        },
        reject: (fault) => {
          clearTimeout(timer);
          reject(fault);
        },
      };
    });
  }

  /** @param {string} text */
  #read(text) {
    this.#buffer += text;
    if (!text.includes('\n')) {
      if (this.#buffer.length > MAX_BYTES) {
        this.#buffer = '';
        this.#fail('its response does not end');
        this.#kill();
      }
      return;
    }
    const lines = this.#buffer.split('\n');
    this.#buffer = lines.pop() ?? '';
    for (const line of lines) this.#take(line.replace(/\r$/, ''));
  }

  /** @param {string} line */
  #take(line) {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) waiting.resolve(line);
    else if (this.#early.length < 1000) this.#early.push(line);
  }

  /** @param {string} message */
  #fail(message) {
    this.#fault ??= new QueryServerFault(message);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.reject(this.#fault);
  }
}
