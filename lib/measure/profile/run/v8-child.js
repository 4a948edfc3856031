// Times foreign code in V8, in a process of its own: a job as JSON on standard input, its figures as JSON on standard output. The process is given
// this text and nothing else, so it may import nothing of this project. The foreign code runs in contexts of their own, which receive only texts and
// numbers of this one; that is a fence and no wall, so it runs only with the user's consent.

import vm from 'node:vm';

/** @typedef {{setup: string, inputs: string[], order: {rounds: number, spendMs: number, warmUp: number}}} ChildRun */
/** @typedef {{environment: string, runs: ChildRun[]}} ChildJob */
/** @typedef {{compile: (setup: string) => string, call: (input: string) => string, figures: () => string, forget: () => void}} Served */

/** @returns {number} nanoseconds */
function nanoseconds() {
  return Math.round(performance.now() * 1e6);
}

/**
 * @param {string} environment the text of the query server
 * @returns {Served}
 */
function open(environment) {
  const server = vm.createContext(Object.create(null), { microtaskMode: 'afterEvaluate' });
  const foreign = vm.createContext(Object.create(null), { microtaskMode: 'afterEvaluate' });
  // A function of this process must not be seen in there, nor an error that it throws.
  const hide = vm.runInContext(
    '(function (clock) { Date.now = function now() { try { return clock(); } catch (error) { return 0; } }; })',
    server,
  );
  hide(nanoseconds);
  const serve = vm.runInContext(environment, server);
  return serve(vm.runInContext('globalThis', foreign), vm.runInContext('eval', foreign));
}

/**
 * @param {string} environment
 * @param {ChildRun} run
 * @returns {{rounds: number[][], calls: number} | {fault: string}}
 */
function measure(environment, { setup, inputs, order }) {
  const served = open(environment);
  const compiled = served.compile(setup);
  if (!compiled.startsWith('=')) return { fault: compiled.slice(1) };
  // V8 makes machine code of what runs often: without this the first rounds would be of another engine.
  for (let again = 0; again < 3; again += 1) for (const input of inputs.slice(0, order.warmUp)) served.call(input);
  /** @type {number[][]} */
  const rounds = [];
  const end = performance.now() + order.spendMs;
  while (rounds.length < order.rounds && (rounds.length === 0 || performance.now() < end)) {
    served.forget();
    for (const input of inputs) served.call(input);
    const [phases] = JSON.parse(served.figures().slice(1));
    rounds.push(phases);
  }
  return { rounds, calls: inputs.length };
}

let text = '';
for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk;
/** @type {ChildJob} */
const job = JSON.parse(text);
process.stdout.write(JSON.stringify(job.runs.map((run) => measure(job.environment, run))));
