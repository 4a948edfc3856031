// Which maps are known to throw on no document, held against what they do: random maps are run with documents in which anything may be missing.

import { compileFunction } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { throwsNever } from '../../lib/javascript/never-throws.js';
import { parseFunction } from '../helpers/internals.js';
import { turns } from '../helpers/long.js';
import { FunctionWriter, randomDocument, randomOf } from '../helpers/random-functions.js';
import { GuardedMapWriter, guardedDocument } from '../helpers/random-guarded-maps.js';

/** @import { Random } from '../helpers/random-functions.js' */

/** @param {string} source @returns {boolean} */
function isTotal(source) {
  const tree = parseFunction(source);
  return tree.ok && throwsNever(tree);
}

/** @param {string} body @returns {string} */
const map = (body) => `function (doc) { ${body} }`;

describe('a map that reads only what is there', () => {
  test.for([
    'emit(doc.customer, 1);',
    "if (doc.type === 'order') emit([doc.customer, doc.date], doc.total * 2);",
    'if (doc.address) emit(doc.address.town, null);',
    'if (doc.address && doc.address.town) emit(doc.address.town.name, null);',
    'if (!doc.address) return; emit(doc.address.town);',
    'if (doc.type !== "order" || !doc.address) return; emit(doc.address.town);',
    'emit(doc.address ? doc.address.town : null);',
    'emit(!doc.address || doc.address.town);',
    'var address = doc.address; if (address) emit(address.town);',
    "if (typeof doc.name === 'string') emit(doc.name.length);",
    'if (doc.address != null) emit(doc.address.town);',
    'if (Array.isArray(doc.items)) for (var i = 0; i < doc.items.length; i++) emit(doc.items[i]);',
    'for (var name in doc.parts) emit(name, doc.parts[name]);',
    "emit(doc._id.split(':')[1], new Date(doc.date).getTime());",
    "switch (doc.type) { case 'order': emit(doc._id); break; default: emit(null); }",
    'emit(Math.round(doc.total), String(doc.name));',
    'emit(doc.address?.town);',
    "if (/^order:/.test(doc._id)) emit(doc._id.split(':')[1], doc.total);",
    "var parts = String(doc.date).split('-'); emit(parts[0], parts[1]);",
    "if (typeof doc.name === 'string') emit(doc.name.toLowerCase().replace(/[^a-z]/g, '-'));",
    'var day = new Date(doc.date); emit(day.getUTCFullYear(), day.getUTCMonth() + 1);',
    'try { emit(doc.address.town); } catch (error) { log(error); }',
    'try { emit(doc.address.town.name.first); } catch (error) {} finally { emit(doc.type); }',
    'for (var name in doc.parts) if (Object.prototype.hasOwnProperty.call(doc.parts, name)) emit(name);',
  ])('%s', (body) => {
    expect(isTotal(map(body))).toBe(true);
  });
});

describe('a map that may throw, or that was not read', () => {
  test.for([
    'emit(doc.address.town);',
    'if (doc.address) emit(doc.address.town.name);',
    'if (doc.address || doc.town) emit(doc.address.town);',
    'if (!doc.address) emit(doc.address.town);',
    'if (doc.address !== undefined) emit(doc.address.town);',
    "if (typeof doc.address === 'object') emit(doc.address.town);",
    'if (doc.name) emit(doc.name.toLowerCase());',
    'doc.items.forEach(function (item) { emit(item); });',
    'for (var i = 0; i < doc.items.length; i++) emit(doc.items[i]);',
    'for (var i = 0; i < 9; i--) emit(i);',
    'if (doc.items) for (var i = 0; i < doc.items.length; i++) emit(doc.items[i].name);',
    'for (;;) emit(1);',
    'emit(new Date(doc.date).toISOString());',
    "emit('town' in doc.address);",
    'emit(customer, 1);',
    'doc.total = 1; emit(doc.total);',
    'var doc = null; emit(doc.name);',
    'doc = doc.address; emit(doc.town);',
    'var address = doc.address; if (address) { address = null; emit(address.town); }',
    'var emit = doc.emit; emit(1);',
    'emit(...doc.items);',
    "if (doc['[k]']) for (var k in doc) emit(doc[k].name);",
    'const { town } = doc.address; emit(town);',
    'emit(doc.address?.town.name);',
    'throw new Error(doc._id);',
    'emit(doc._id.split(doc.separator)[1].length);',
    "var parts = String(doc.date).split('-'); emit(parts[1].length);",
    "var parts = doc.date.split('-'); emit(parts[1]);",
    "if (doc.a) { var parts = String(doc.date).split('-'); } emit(parts[1]);",
    "emit(parts[1]); var parts = String(doc.date).split('-');",
    'var day = new Date(doc.date); emit(day.toISOString());',
    "if (typeof doc.name !== 'string') emit(doc.name.toLowerCase());",
    'emit(String(doc.name).match(doc.pattern));',
    'emit(String(doc.name).indexOf("a").toFixed(doc.digits));',
    'try { emit(doc.address.town); } catch (error) { emit(doc.address.town); }',
    'try { emit(doc.address.town); } finally { emit(1); }',
    'try { emit(doc.address.town); } catch ({ message }) { emit(message.town.name); }',
    'try { throw doc.a; } catch (error) { emit(error.message); }',
    'if (Object.prototype.hasOwnProperty.call(doc.parts, "a")) emit(1);',
    'var Object = doc.a; for (var name in doc.parts) if (Object.prototype.hasOwnProperty.call(doc.parts, name)) emit(name);',
  ])('%s', (body) => {
    expect(isTotal(map(body))).toBe(false);
  });
});

/** Writes maps of tests and reads, most of which stand below a test of the same path or one that looks like it. */
class ReadWriter {
  /** @param {Random} random */
  constructor(random) {
    this.random = random;
  }

  /** @template T @param {readonly T[]} list @returns {T} */
  pick(list) {
    return /** @type {T} */ (list[Math.floor(this.random() * list.length)]);
  }

  /** Paths that a test around has probably shown to be there. @type {string[]} */
  tested = [];

  /** @returns {string} */
  path() {
    if (this.random() < 0.85)
      return `${this.pick(['doc', 'doc', ...this.tested])}${this.pick(['.a', '.b', "['c']", '[k]'])}`;
    const root = this.pick(['doc', 'doc', 'doc', 'v', 'w']);
    const length = 1 + Math.floor(this.random() * 3);
    return root + Array.from({ length }, () => this.pick(['.a', '.b', '.c', "['a']", '[k]', '[0]'])).join('');
  }

  /** @param {string} path @returns {string} a test that shows something of it, or seems to */
  testOf(path) {
    const equals = this.pick(['===', '!==', '==', '!=']);
    return this.pick([
      path,
      `!${path}`,
      `typeof ${path} ${equals} '${this.pick(['string', 'number', 'object', 'undefined'])}'`,
      `${path} ${equals} ${this.pick(['null', '0', "'x'", 'undefined', 'false'])}`,
      `isArray(${path})`,
    ]);
  }

  /** @param {number} depth @returns {string} */
  condition(depth) {
    const path = this.path();
    if (depth > 0 && this.random() < 0.4)
      return `${this.condition(depth - 1)} ${this.pick(['&&', '||'])} ${this.condition(depth - 1)}`;
    return this.testOf(path);
  }

  /** @param {number} depth @returns {string} */
  statement(depth) {
    const path = this.path();
    const inner = () => this.statement(depth - 1);
    const below = () => {
      this.tested.push(path);
      const written = inner();
      this.tested.pop();
      return written;
    };
    if (depth === 0) return `emit(${path});`;
    return this.pick([
      () => `emit(${path}, ${this.condition(1)} ? ${this.path()} : ${this.path()});`,
      () => `if (${this.testOf(path)}) { ${below()} }`,
      () => `if (${this.testOf(path)}) ${this.pick([inner(), 'return;'])} ${below()}`,
      () => `emit(${this.testOf(path)} ${this.pick(['&&', '||'])} ${path}.a);`,
      () => `for (var k in doc) { if (v) { emit(v.a); } var v = ${path}; if (v) { ${below()} } emit(v.b); }`,
      () => `if (${path}) { ${below()} ${below()} }`,
      () => `if (${path} && ${this.condition(1)}) { ${below()} }`,
      () => `if (!${path}${this.random() < 0.3 ? ` || ${this.condition(1)}` : ''}) return; ${below()}`,
      () => `if (${this.condition(2)}) ${this.pick([inner(), 'return;', `{ ${inner()} return; }`])}`,
      () => `if (${this.condition(2)}) { ${inner()} ${inner()} } else ${this.pick([inner(), 'return;'])}`,
      () => `for (var ${this.pick(['k', 'n'])} in ${path}) { ${below()} }`,
      () => `if (${path}) for (var i = 0; i < ${path}.length; i++) { emit(${path}[i]); ${below()} }`,
      () => `var ${this.pick(['v', 'w'])} = ${path};`,
      () => `try { ${below()} } ${this.pick(['catch (e) {}', `catch (e) { ${inner()} }`, `finally { ${inner()} }`])}`,
      () => `var s = String(${path})${this.pick(['', ".split('-')", '.trim()'])}; emit(s[0]); ${below()}`,
      () => `emit(s${this.pick(['.trim()', '[0].length', ".split('x')[0]", '.length'])});`,
      () => `if (typeof ${path} ${this.pick(['===', '!=='])} 'string') emit(${path}.toLowerCase());`,
      () => `var d = new Date(${path}); emit(d.${this.pick(['getTime', 'getUTCDay', 'toISOString'])}());`,
      () => `emit(${this.pick(['/x/', path])}.test(${path}), Object.prototype.hasOwnProperty.call(${path}, 'a'));`,
      () => `switch (${path}) { case 1: ${inner()} case 'x': ${inner()} break; default: ${inner()} }`,
      () => `emit(${this.condition(2)});`,
    ])();
  }

  /** @returns {string} */
  map() {
    return `function (doc) { ${this.pick(['', 'var v = doc.a; '])}var w, k = 'b'; ${this.pick(['', "var s = 'x-y'; "])}${Array.from({ length: 1 + Math.floor(this.random() * 4) }, () => this.statement(3)).join(' ')} }`;
  }

  /** @param {number} depth @returns {unknown} */
  value(depth) {
    const inner = () => this.value(depth - 1);
    return this.pick([
      () => null,
      () => 0,
      () => 1,
      () => '',
      () => 'x',
      () => false,
      () => (depth > 0 ? Array.from({ length: Math.floor(this.random() * 3) }, inner) : []),
      ...Array(5).fill(() => (depth > 0 ? this.object(depth) : {})),
    ])();
  }

  /** @param {number} depth @returns {Record<string, unknown>} */
  object(depth) {
    const names = ['a', 'b', 'c', '0', '[k]'].filter(() => this.random() < 0.6);
    return Object.fromEntries(names.map((name) => [name, this.value(depth - 1)]));
  }
}

/** @param {string} source @param {object} document @returns {unknown} what it throws */
function thrownBy(source, document) {
  let ticks = 0;
  const count = () => {
    ticks += 1;
    if (ticks > 20_000) throw new Endless();
  };
  const code = `return (${source.replaceAll('/*tick*/', 'emit();')});`;
  try {
    compileFunction(code, ['emit', 'isArray', 'log', 'toJSON'])(count, Array.isArray, count, JSON.stringify)(document);
  } catch (error) {
    return error instanceof Endless ? undefined : error;
  }
  return undefined;
}

class Endless extends Error {}

test('random maps that are said to throw on no document throw on none', () => {
  let total = 0;
  let others = 0;
  for (let seed = 1; seed <= turns({ short: 400, long: 20_000 }); seed += 1) {
    const random = randomOf(seed);
    const writer = new ReadWriter(random);
    const kind = seed % 8;
    const source =
      kind === 0 ? new GuardedMapWriter(random).map() : kind === 1 ? new FunctionWriter(random).map() : writer.map();
    if (!isTotal(source)) {
      others += 1;
      continue;
    }
    total += 1;
    for (let turn = 0; turn < 60; turn += 1) {
      const made = kind === 0 ? guardedDocument(random) : kind === 1 ? randomDocument(random) : writer.object(4);
      const document = freeze({ _id: 'order:1', _rev: '1-a', ...made });
      const error = thrownBy(source, document);
      expect(error, `seed ${seed}: ${source} throws ${error} on ${JSON.stringify(document)}`).toBeUndefined();
    }
  }
  // The maps are of both kinds.
  expect(total).toBeGreaterThan(others / 20);
  expect(others).toBeGreaterThan(total / 20);
});

/** @template T @param {T} value @returns {T} frozen, as CouchDB hands documents to maps */
function freeze(value) {
  if (value !== null && typeof value === 'object') for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}
