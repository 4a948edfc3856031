// Random maps in great number, and mutants of the analysis that they must catch.

import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSandbox } from '../helpers/internals.js';
import { judgeMap, randomMapCase, runMaps } from '../helpers/map-oracle.js';

/** @import { Analysis, RunMap } from '../helpers/map-oracle.js' */

const MAP_COUNT = Number(process.env['ORACLE_MAPS'] ?? 12_000);

/** Maps that each mutant is tried with. */
const MAPS_FOR_MUTANTS = 6000;

/** Maps that share one job of the sandbox. */
const MAPS_EACH_JOB = 50;

const JAVASCRIPT = 'lib/javascript';

/** Faults of the kinds that proofs cannot bear: what was known is kept too long, or two values are taken for one. */
const MUTANTS = /** @type {const} */ ([
  ['all variables as keys are one key', 'flow-members.js', '`#${numberOf(key)}`', "'#'"],
  ['all elements are one element', 'flow-operators.js', 'key = `#${nextNumber()}`', "key = '#'"],
  ['all numbers as keys are one key', 'flow-members.js', 'JSON.stringify(String(index))', "'0'"],
  [
    'a test of one of several values is a test of each',
    'flow-tests.js',
    "return only?.kind === 'path' && !other ? withType(narrowed, only, { type, isList }) : narrowed;",
    "for (const item of alternatives(value)) if (item.kind === 'path') narrowed = withType(narrowed, item, { type, isList });\n  return narrowed;",
  ],
  [
    'a variable holds behind branches what it held in one',
    'flow-state.js',
    'values.set(variable, renumbered(unionOf([value, second ?? UNDEFINED])));',
    'values.set(variable, value);',
  ],
  [
    'loops forget nothing',
    'assignments.js',
    'for (const [name, change] of changes) forgetName(walk, name, change, state, scope);',
    '',
  ],
  [
    'inner functions change nothing',
    'assignments.js',
    'for (const [name, change] of walk.assignedByClosures) forgetName(walk, name, change, state, scope);',
    '',
  ],
  [
    'rows are written when they are emitted',
    'flow-changes.js',
    'for (const site of walk.emits) {',
    'for (const site of []) {',
  ],
  [
    'objects without a name are changed by nobody',
    'flow-members.js',
    "if (place.kind === 'unknown') openState(walk, state);\n    else if",
    'if',
  ],
  ['products are finite', 'flow-operators.js', 'return power + powerOf(right);', 'return power;'],
  [
    'what is true is finite',
    'flow-operators.js',
    "return value.kind === 'constant' && !value.value ? [] : [withoutNaN(value)];",
    "if (value.kind === 'typed' && value.type === 'maybe-number') return [{ kind: 'typed', type: 'number' }];\n  return value.kind === 'constant' && !value.value ? [] : [value];",
  ],
  [
    'a `break` is dropped',
    'flow-try.js',
    'if (breaks.length > 0) frame.targets[at]?.breaks.push(copy(walk, end));',
    '',
  ],
  [
    'a `continue` is dropped',
    'flow-try.js',
    'if (continues.length > 0) frame.targets[at]?.continues.push(copy(walk, end));',
    '',
  ],
  [
    'a `return` is dropped',
    'flow-try.js',
    'for (const exit of inner.exits) frame.exits.push(',
    'for (const exit of []) frame.exits.push(',
  ],
  ['a `throw` is dropped', 'flow-try.js', 'join(walk, [normal, thrown, ', 'join(walk, [normal, '],
  ['a normal completion is dropped', 'flow-try.js', 'return normal && end;', 'return undefined;'],
  [
    'a label is dropped',
    'flow-statements.js',
    'return join(walk, [end, ...target.breaks]);\n}\n\n/**\n * @param {FlowWalk} walk\n * @param {IfStatement}',
    'return end;\n}\n\n/**\n * @param {FlowWalk} walk\n * @param {IfStatement}',
  ],
  ['static blocks do nothing', 'flow-classes.js', 'replaceState(state, walkStatements(', 'void (walkStatements('],
  [
    'a tag is not called',
    'flow-calls.js',
    "if (tag.kind === 'function') return invoke(walk, tag, [texts, ...values], state, frame);",
    "if (tag.kind === 'function') return unknown('');",
  ],
  ['a default value is always used', 'flow-members.js', 'isMissing ? [inside] : [state, inside]', '[inside]'],
  [
    'what is loosely equal to a number is one',
    'flow-tests.js',
    'operator.length === 3 && isOfTypeNumber',
    'isOfTypeNumber',
  ],
  [
    'what isFinite tests is a number',
    'flow-tests.js',
    "return value.kind === 'path' ? withFinite(pathFacts, value) : pathFacts;",
    "return presentIf(value, pathFacts, 'number');",
  ],
  [
    'a filter keeps numbers',
    'flow-globals.js',
    'settledValue(element, narrowByTruth(result, true, NOTHING_KNOWN)) : element',
    "{ kind: 'typed', type: 'number' } : element",
  ],
  ['every result is NaN or finite', 'numbers.js', 'return isBelow && numbers.every(isBounded) ?', 'return isBelow ?'],
  ['`arguments` changes nothing', 'flow-calls.js', 'depth > 0 || mayChangeArguments(node)', 'depth > 0'],
  ['lists have no end', 'flow-members.js', 'return unionOf([...alternatives(element), UNDEFINED]);', 'return element;'],
]);

/** @type {string} */
let folder;
const sandbox = openSandbox({ workers: availableParallelism() });
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'couch-advisor-mutants-'));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

/**
 * @param {number} from
 * @param {number} count
 * @param {(map: RunMap, seed: number) => void} use
 */
async function runRandomMaps(from, count, use) {
  const jobs = Array.from({ length: Math.ceil(count / MAPS_EACH_JOB) }, (_, job) => from + job * MAPS_EACH_JOB);
  const next = async () => {
    for (let first = jobs.pop(); first !== undefined; first = jobs.pop()) {
      const seeds = Array.from({ length: MAPS_EACH_JOB }, (_, at) => /** @type {number} */ (first) + at);
      const maps = await runMaps(sandbox, seeds.map(randomMapCase));
      for (const [at, map] of maps.entries()) use(map, /** @type {number} */ (seeds[at]));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, next));
}

/**
 * @param {string} name of the folder
 * @param {string} [file] of the analysis
 * @param {string} [from]
 * @param {string} [to]
 * @returns {Promise<Analysis>} the analysis with that change
 */
async function loadAnalysis(name, file, from = '', to = '') {
  const root = join(folder, name);
  await cp('lib', join(root, 'lib'), { recursive: true });
  if (file) {
    const path = join(root, JAVASCRIPT, file);
    const text = await readFile(path, 'utf8');
    expect(text.split(from).length, `${file} holds once: ${from}`).toBe(2);
    await writeFile(
      path,
      text.replace(from, () => to),
    );
  }
  await writeFile(join(root, 'package.json'), '{"type":"module"}');
  const load = (/** @type {string} */ path) => import(/* @vite-ignore */ pathToFileURL(join(root, 'lib', path)).href);
  const [{ parseFunction }, { followFlow }, { emittedValues }] = await Promise.all([
    load('javascript/parse.js'),
    load('javascript/flow.js'),
    load('proof/emitted-values.js'),
  ]);
  return { parseFunction, followFlow, emittedValues };
}

describe('random maps', () => {
  test(`${MAP_COUNT} of them emit nothing that reading says cannot be`, async () => {
    const analysis = await loadAnalysis('sound');
    const counts = { always: 0, unknown: 0, some: 0 };
    await runRandomMaps(1, MAP_COUNT, (map, seed) => {
      const { claim, contradiction } = judgeMap(analysis, map);
      counts[claim] += 1;
      if (contradiction) expect.fail(`seed ${seed}: ${JSON.stringify(contradiction)}\n${map.source}`);
    });
    expect(counts.always).toBeGreaterThan(MAP_COUNT / 50);
    // Some define a getter or `toString`, and reading gives up.
    expect(counts.unknown).toBeLessThan(MAP_COUNT / 15);
  });

  test('catch each mutant of the analysis', async () => {
    /** @type {RunMap[]} */
    const maps = [];
    await runRandomMaps(1, MAPS_FOR_MUTANTS, (map) => maps.push(map));
    const survivors = [];
    for (const [at, [name, file, from, to]] of MUTANTS.entries()) {
      const mutant = await loadAnalysis(`mutant-${at}`, file, from, to);
      if (!maps.some((map) => judgeMap(mutant, map).contradiction)) survivors.push(name);
    }
    expect(survivors).toEqual([]);
  });
});
