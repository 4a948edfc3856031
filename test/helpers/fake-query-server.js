// A query server for tests, as a process of its own: `node fake-query-server.js MODE`. Speaks the protocol for the score view, and makes the mistake
// that its mode names. Its rows are right whatever function it is given; only `python` looks at the language.

import { createInterface } from 'node:readline';

const mode = process.argv[2] ?? 'good';
let maps = 0;

/** @param {unknown} value */
const answer = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

/** @type {Record<string, (...given: any[]) => unknown>} */
const commands = {
  reset: () => true,
  add_fun: (/** @type {string} */ source) => {
    if (mode === 'python' && !source.includes('def ')) return ['error', 'map_compilation_error', 'invalid syntax'];
    if (mode === 'not-true') return { ok: true };
    return true;
  },
  map_doc: ({ metadata, score }) => {
    maps += 1;
    if (mode === 'logs') answer(['log', 'a document came']);
    if (maps < 6) return [[[metadata.createdAt.split('-').slice(0, 2), score]]];
    if (mode === 'garbage') {
      process.stdout.write('<html>proxy error</html>\n');
      return undefined;
    }
    if (mode === 'error') return ['error', 'map_runtime_error', 'no such thing'];
    if (mode === 'error-object') return { error: 'map_runtime_error', reason: 'no such thing' };
    if (mode === 'no-rows') return { rows: [] };
    if (mode === 'wrong-rows') return [[[['1999', '01'], 1]]];
    if (mode === 'silent') return undefined;
    if (mode === 'endless') {
      const piece = 'x'.repeat(1024 * 1024);
      const write = () => void process.stdout.write(piece, write);
      write();
      return undefined;
    }
    if (mode === 'exits') {
      process.stderr.write('fatal: out of memory\n');
      process.exit(3);
    }
    if (mode === 'killed') process.kill(process.pid, 'SIGKILL');
    return [[[metadata.createdAt.split('-').slice(0, 2), score]]];
  },
  reduce: (_, rows) => [
    true,
    [rows.reduce((/** @type {number} */ sum, /** @type {[unknown, number]} */ [, value]) => sum + value, 0)],
  ],
  rereduce: (_, values) => {
    if (mode === 'wrong-sum') return [true, [1]];
    if (mode === 'no-sum') return [false, []];
    return [true, [values.reduce((/** @type {number} */ sum, /** @type {number} */ value) => sum + value, 0)]];
  },
};

if (mode === 'stubborn') process.on('SIGTERM', () => {});
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const [name, ...given] = JSON.parse(line);
  const value = commands[name]?.(...given);
  if (value !== undefined) answer(value);
});
// One that goes on when its input has ended.
if (mode === 'stubborn') setInterval(() => {}, 1000);
