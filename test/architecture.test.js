// ARCHITECTURE.md is true: every module keeps to its tables, and the checker notices what it is there for.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { globSync } from 'tinyglobby';
import { describe, expect, test } from 'vitest';
import { measureFunctions } from './helpers/function-lines.js';
import {
  covers,
  findCircles,
  findOffences,
  importsOf,
  layerOf,
  programOf,
  readRules,
  readTable,
} from './helpers/layers.js';
import { findUnusedExports } from './helpers/unused-exports.js';

const root = path.resolve(import.meta.dirname, '..');
const architecture = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8');
const ruleIds = new Set(
  globSync('rules/*/*/rule.json', { cwd: root }).map((file) => file.split('/').slice(1, 3).join('/')),
);
const rules = { ...readRules(architecture), ruleIds };
const modules = readModules('bin/**/*.js', 'lib/**/*.js').map((module) => ({ ...module, program: programOf(module) }));

/** @param {...string} globs @returns {import('./helpers/layers.js').Module[]} */
function readModules(...globs) {
  return globSync(globs, { cwd: root })
    .sort()
    .map((file) => ({ path: file, text: readFileSync(path.join(root, file), 'utf8') }));
}

/** The most lines of a module. */
const LINE_LIMIT = 400;
/** Modules that may be longer, and why. @type {Record<string, string>} */
const LONGER_FOR_A_REASON = {};
/** The most lines of a function, without comments and blank lines. */
const FUNCTION_LIMIT = 60;
const SANDBOXED = 'its text runs in the sandbox: it can call nothing outside itself';
/** Functions that may be longer, and why. @type {Record<string, string>} */
const LONG_FUNCTIONS = {
  'lib/sandbox/environment.js: serveQueries': SANDBOXED,
  'lib/sandbox/foreign-answers.js: setForeignAnswers': SANDBOXED,
  'lib/sandbox/foreign-clock.js: setForeignClock': SANDBOXED,
  'lib/sandbox/watch-calls.js: watchCalls': SANDBOXED,
};

/** Names of modules that may import each other in a circle begin so. What follows nested code calls itself through its parts. */
const MUTUAL = ['lib/javascript/flow', 'lib/proof/run-'];

/** What opens a file with node:fs. */
const OPENERS = /^(?:createReadStream|openAsBlob|openSync|open|readFile|readFileSync|readv|promises|default|\*)$/;
const SHIPPED = 'a file of the package';
const WRITES = 'writes';
const KERNEL = 'a file that the kernel makes';
/** Modules beside `files` that open files, with what, and why they may. @type {Record<string, [string, string]>} */
const OPENS_FILES = {
  'lib/cli/commands/confirm/read-experiments.js': ['readFileSync', SHIPPED],
  'lib/cli/commands/confirm/result-file.js': ['openSync', WRITES],
  'lib/cli/commands/init/run.js': ['readFileSync', SHIPPED],
  'lib/cli/commands/rule/run.js': ['readFileSync', SHIPPED],
  'lib/cli/commands/upgrade/changes.js': ['readFileSync', SHIPPED],
  'lib/cli/compiled-scripts.js': ['readFileSync', SHIPPED],
  'lib/cli/version.js': ['readFileSync', SHIPPED],
  'lib/cli/write-file.js': ['openSync', WRITES],
  'lib/engine/bundled-rules.js': ['readFileSync', SHIPPED],
  'lib/engine/load.js': ['readFileSync', SHIPPED],
  'lib/index.js': ['readFileSync', SHIPPED],
  'lib/measure/profile/run/v8.js': ['readFileSync', SHIPPED],
  'lib/measure/servers/server-processes.js': ['readFileSync', KERNEL],
  'lib/reports/html/assets.js': ['readFileSync', SHIPPED],
  'lib/sandbox/compiled-engine.js': ['readFileSync', SHIPPED],
  'lib/sandbox/thread-clock.js': ['openSync', KERNEL],
  'lib/shared/schema/compile.js': ['readFileSync', SHIPPED],
  'lib/sources/live/answers-file.js': ['openSync', WRITES],
};

describe('the modules of this project', () => {
  test('are found', () => {
    expect(modules.length).toBeGreaterThan(30);
    expect(ruleIds.size).toBeGreaterThan(10);
  });

  test('keep to the tables', () => {
    expect(modules.flatMap((module) => findOffences(module, rules))).toEqual([]);
  });

  test('open files through lib/files, but for those that are listed', () => {
    const others = modules.filter(({ path: file }) => file.startsWith('lib/') && !file.startsWith('lib/files/'));
    const found = others.flatMap((module) => {
      const openers = importsOf(module, /^(?:node:)?fs(?:\/promises)?$/).filter((name) => OPENERS.test(name));
      return openers.length > 0 ? [[module.path, openers.join(', ')]] : [];
    });
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(Object.entries(OPENS_FILES).map(([file, [openers]]) => [file, openers])),
    );
  });

  test('import in no circle', () => {
    expect(findCircles(modules).filter((circle) => !MUTUAL.some((name) => circle.startsWith(name)))).toEqual([]);
  });

  test('export nothing that only tests import, or nobody', () => {
    const program = [...modules, ...readModules('docs/playground/*.js', 'test/tools/*.js')];
    const unused = findUnusedExports(
      program,
      readModules('test/**/*.js'),
      new Set(['lib/index.js', 'lib/cli/packed.js']),
    );
    expect(unused).toEqual([]);
  });

  test('have at most 400 lines', () => {
    const long = modules.filter(({ text }) => text.split('\n').length - 1 > LINE_LIMIT).map((module) => module.path);
    expect(long).toEqual(Object.keys(LONGER_FOR_A_REASON));
  });

  test('have functions of at most 60 lines of code', () => {
    const long = modules.flatMap(({ path: file, text }) =>
      measureFunctions(text).flatMap(({ name, lines }) => (lines > FUNCTION_LIMIT ? [`${file}: ${name}`] : [])),
    );
    expect(long.sort()).toEqual(Object.keys(LONG_FUNCTIONS));
  });

  test('begin with a comment that says what they do', () => {
    const silent = modules.filter(({ path: file, text }) => file.startsWith('lib/') && !/^\/\/ \S/.test(text));
    expect(silent.map((module) => module.path)).toEqual([]);
  });
});

test('a module that more than four tests need is imported in test/helpers, so that a move of it touches no test', () => {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { path: file, text } of readModules('test/**/*.test.js')) {
    for (const [, target = ''] of text.matchAll(/^(?:import|\}) .*from '([./]+\/lib\/[^']+)';$/gm)) {
      const wanted = path.posix.join(path.dirname(file), target);
      counts.set(wanted, (counts.get(wanted) ?? 0) + 1);
    }
  }
  expect(counts.size).toBeGreaterThan(100);
  expect([...counts].filter(([wanted, count]) => wanted !== 'lib/index.js' && count > 4)).toEqual([]);
});

describe('the tables', () => {
  test('have a row for each folder of lib that is used, and no other', () => {
    const used = modules.map((module) => layerOf(rules.layers, module.path.replace(/^lib\//, ''))?.name);
    expect(rules.layers.map((layer) => layer.name).filter((name) => !used.includes(name))).toEqual([]);
  });

  test('list the packages that package.json asks for', () => {
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    const asked = Object.keys({ ...dependencies, ...peerDependencies });
    expect(rules.packages.map((door) => door.name).sort()).toEqual(asked.sort());
  });

  test('name no package that nothing imports', () => {
    const texts = modules.map((module) => module.text).join('\n');
    const isImported = (/** @type {string} */ name) =>
      new RegExp(`(from |import\\(|require.*\\()'${name}'`).test(texts);
    expect(rules.packages.map((door) => door.name).filter((name) => !isImported(name))).toEqual([]);
  });

  test('name only files that exist', () => {
    const named = [...architecture.matchAll(/`((?:bin|lib|rules)\/[\w./-]+\.(?:js|json))`/g)].map(
      (match) => match[1] ?? '',
    );
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });

  test('keep what must not be loosened', () => {
    for (const name of [
      'shared',
      'facts',
      'digest',
      'javascript',
      'engine/findings',
      'engine',
      'engine/fixes',
      'reports',
      'engine/pipeline*.js',
    ]) {
      const layer = rules.layers.find((candidate) => candidate.name === name);
      expect(layer, name).toMatchObject({ isPure: true });
      const forbidden = [
        'fs',
        'fs/promises',
        'http',
        'https',
        'net',
        'process',
        'child_process',
        'worker_threads',
        'vm',
      ];
      expect(layer?.node.filter((module) => forbidden.includes(module))).toEqual([]);
      expect(layer?.imports.filter((other) => other === 'cli' || other.startsWith('cli/'))).toEqual([]);
    }
  });
});

describe('the checker', () => {
  test.each([
    ["import { existsSync, readFileSync as read } from 'node:fs';", ['existsSync', 'readFileSync']],
    ["import fs from 'node:fs';", ['default']],
    ["import * as fs from 'node:fs/promises';", ['*']],
    ["const { open } = await import('node:fs/promises');", ['*']],
    ["createRequire(import.meta.url)('node:fs').readFileSync(file);", ['*']],
    ["import path from 'node:path';", []],
  ])('sees what is imported of a module: %s', (text, names) => {
    expect(importsOf({ text }, /^node:fs/)).toEqual(names);
  });

  const made = {
    ...readRules(`
## Layers

| Layer | May import | Node | Pure |
|---|---|---|---|
| \`shared\` | nothing | nothing | yes |
| \`facts\` | \`shared\`, \`sources/record.js\` | nothing | yes |
| \`sources/record.js\` | nothing | nothing | yes |
| \`sources\` | \`shared\`, \`sources/record.js\` | \`fs\` | no |

## Doors of packages

| Package | Door |
|---|---|
| \`acorn\` | \`sources/js-*.js\` |
`),
    ruleIds: new Set(['view/emit-whole-doc']),
  };

  test.each([
    ['a layer it may not', 'lib/facts/view.js', "import { open } from '../sources/open.js';", 'sources/open.js'],
    [
      'a layer through a re-export',
      'lib/facts/view.js',
      "export { open } from '../sources/open.js';",
      'sources/open.js',
    ],
    ['a layer through export *', 'lib/facts/view.js', "export * from '../sources/open.js';", 'sources/open.js'],
    ['a layer by import()', 'lib/facts/view.js', "await import('../sources/open.js');", 'sources/open.js'],
    ['a package by require', 'lib/sources/open.js', "require('acorn');", 'acorn'],
    ['a package by createRequire', 'lib/sources/open.js', "createRequire(import.meta.url)('acorn');", 'acorn'],
    ['a computed module', 'lib/facts/view.js', 'await import(name);', 'computed'],
    ['a module of Node', 'lib/facts/view.js', "import { readFileSync } from 'node:fs';", 'node:fs'],
    ['a module of Node without its prefix', 'lib/sources/open.js', "import fs from 'fs';", 'lacks node:'],
    ['a package outside its door', 'lib/sources/open.js', "import { parse } from 'acorn';", 'acorn'],
    ['a package that is not in the table', 'lib/sources/open.js', "import got from '@stock/got';", '@stock/got'],
    ['a file of no layer', 'lib/helper/stock.js', 'export const stock = 1;', 'no layer'],
  ])('sees an import of %s', (_, file, text, told) => {
    expect(findOffences({ path: file, text }, made)).toEqual([expect.stringContaining(told)]);
  });

  test.each([
    ['the time', 'const now = Date.now();', 'Date.now'],
    ['a new date', 'const now = new Date();', 'clock'],
    ['a date as text', 'const now = Date();', 'clock'],
    ['chance', 'const id = Math.random();', 'Math.random'],
    ['the process', 'const { env } = process;', 'process'],
    ['the console', 'console.log(1);', 'console'],
    ['a request', "await fetch('http://localhost');", 'fetch'],
    ['eval', "eval('1');", 'eval'],
    ['new Function', "new Function('return 1');", 'Function'],
    ['the id of a rule', "const rule = 'view/emit-whole-doc';", 'names the rule'],
    ['the id of an outcome', 'const outcome = `view/emit-whole-doc#copies`;', 'names the rule'],
  ])('sees %s in a pure layer', (_, text, told) => {
    expect(findOffences({ path: 'lib/facts/view.js', text }, made)).toEqual([expect.stringContaining(told)]);
  });

  test.each([
    ['imports of its own layer', 'lib/facts/view.js', "import { facts } from './reduce.js';"],
    ['what its row names', 'lib/facts/view.js', "import { member } from '../sources/record.js';"],
    ['type imports', 'lib/facts/view.js', "/** @import { Opened } from '../sources/open.js' */"],
    ['a package at its door', 'lib/sources/js-module.js', "import { parse } from 'acorn';"],
    ['the clock where it is not forbidden', 'lib/sources/open.js', 'const now = Date.now();'],
    ['dates made of something', 'lib/facts/view.js', 'const date = new Date(0);'],
    ['a member called process', 'lib/facts/view.js', 'export const run = (stage) => stage.process;'],
  ])('lets %s pass', (_, file, text) => {
    expect(findOffences({ path: file, text }, made)).toEqual([]);
  });

  test.each(["import './stock.js';", "await import('./stock.js');"])('sees a circle that %s closes', (text) => {
    const stock = { path: 'lib/facts/stock.js', text: "import './order.js';" };
    expect(findCircles([stock, { path: 'lib/facts/order.js', text }])).toEqual([
      'lib/facts/stock.js -> lib/facts/order.js -> lib/facts/stock.js',
      'lib/facts/order.js -> lib/facts/stock.js -> lib/facts/order.js',
    ]);
    expect(findCircles([stock, { path: 'lib/facts/order.js', text: "import './customer.js';" }])).toEqual([]);
  });

  test.each([
    ['nobody', '', '', ['lib/facts/stock.js: count']],
    ['a test', '', "import { count } from '../lib/facts/stock.js';", ['lib/facts/stock.js: count']],
    ['a module', "import { count } from './stock.js';", '', []],
    ['a module as another name', "import { count as all } from './stock.js';", '', []],
    ['a module as a whole', "import * as stock from './stock.js';", '', []],
    ['a module that hands it on', "export { count } from './stock.js';", '', ['lib/facts/order.js: count']],
    ['import() that takes it', "const { count } = await import('./stock.js');", '', []],
    ['import() that takes another', "(await import('./stock.js')).first();", '', ['lib/facts/stock.js: count']],
    ['import() of all', "load(() => import('./stock.js'));", '', []],
    ['a type', "/** @import { count } from './stock.js' */", '', []],
  ])('sees whether an export is imported by %s', (_, order, test, told) => {
    const program = [
      { path: 'lib/facts/stock.js', text: 'export const count = 1;' },
      { path: 'lib/facts/order.js', text: order },
    ];
    expect(findUnusedExports(program, [{ path: 'test/stock.test.js', text: test }], new Set())).toEqual(told);
  });

  test('lets a test import a part that its own module uses', () => {
    const stock = { path: 'lib/facts/stock.js', text: 'export const count = 1; export const facts = [count];' };
    const order = { path: 'lib/facts/order.js', text: "import { facts } from './stock.js';" };
    const test = { path: 'test/stock.test.js', text: "import { count } from '../lib/facts/stock.js';" };
    expect(findUnusedExports([stock, order], [test], new Set())).toEqual([]);
    expect(findUnusedExports([stock, order], [], new Set())).toEqual(['lib/facts/stock.js: count']);
  });

  test.each([
    ['a function', 'function stock() {\n  count();\n}', [{ name: 'stock', lines: 3 }]],
    [
      'no comments, no blank lines',
      'function stock() {\n\n  // all\n  /*\n  */ count();\n}',
      [{ name: 'stock', lines: 3 }],
    ],
    ['a function in a constant', 'const stock = () =>\n  count();', [{ name: 'stock', lines: 2 }]],
    ['a method', 'class Stock {\n  #add() {\n  }\n}', [{ name: '#add', lines: 2 }]],
    ['a member of an object', 'read({ end: () => 1 });', [{ name: 'end', lines: 1 }]],
    ['one without a name', 'all.map(() => 1);', [{ name: 'line 1', lines: 1 }]],
  ])('counts the lines of %s', (_, text, told) => {
    expect(measureFunctions(text)).toEqual(told);
  });

  test('takes the longest row', () => {
    expect(layerOf(made.layers, 'sources/record.js')?.name).toBe('sources/record.js');
    expect(layerOf(made.layers, 'sources/open.js')?.name).toBe('sources');
    expect(covers('facts', 'facts-of-life/view.js')).toBe(false);
  });

  test('says which heading has no table', () => {
    expect(() => readTable('# Layers\n', 'Layers')).toThrow('no table under Layers');
    expect(() => readTable('# Layers\n', 'Doors')).toThrow('no heading Doors');
  });
});
