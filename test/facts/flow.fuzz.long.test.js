import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { readDocument } from '../helpers/facts-of.js';
import { factCatalog } from '../helpers/internals.js';
import fc from '../helpers/property.js';

/** Of the processor, for one function: a bound against work that grows without end. */
const MAX_MS = 10_000;

const FUNCTIONS = [
  'function (doc) { if (doc.type === "order" && doc.lines) { doc.lines.forEach(function (l) { emit([l.sku, doc._id], l.count || 0); }); } }',
  'function (doc) { var t = {}; for (var k in doc.stock) { t[k] = (t[k] || 0) + doc.stock[k].count; if (k === "x") continue; } emit(doc._id, t); }',
  'const f = ({ address: { town = "none" } = {}, ...rest }) => { switch (town) { case "a": emit(town, rest); break; default: emit(null, { _id: rest?.ref }); } }',
  '(doc) => { a: for (const [x, y] of Object.entries(doc.map ?? {})) { try { if (!x) break a; emit(x, y); } catch { continue a; } finally { doc.seen = true; } } }',
  'function (newDoc, oldDoc, userCtx) { function need(f, m) { if (!newDoc[f]) throw { forbidden: m }; } if (newDoc._deleted) return; need("type", "no type"); if (oldDoc && oldDoc.type !== newDoc.type) throw new Error("type"); while (false) { throw "x"; } }',
  'function walk(doc) { var list = []; do { list.push(doc.name.length); doc = doc.next; } while (doc); return emit(...list), class A { static x = emit(1); get y() { return doc; } }; }',
  'async function (doc) { for await (const x of doc.lines) emit(await x, function* () { yield* doc; }); delete doc.a, void 0, typeof doc.b; `${doc.c}${tag`x${1}`}`; }',
];

const AROUND = [
  '!(%)',
  '-(%)',
  'typeof (%)',
  'f(%)',
  'emit(1, %)',
  'isArray(%)',
  'Object.keys(%)',
  '[%]',
  '{ ...(%) }',
  'new Date(%)',
  '() => (%)',
  'x.a = (%)',
  'x.push(%)',
  '(%)?.b',
  '(%).b',
  'doc.a.map(() => (%))',
];
const BETWEEN = ['&&', '||', '??', '+', '===', '!=', '<', 'in', ',', 'instanceof', '/'];

const TOKEN = /[\w$]+|"[^"]*"|=>|[=!]==?|&&|\|\||\?\?|\?\.|\.\.\.|\s+|[^\s\w]/g;

/**
 * @param {string} source
 * @returns {number} ms of processor time that it takes to ask for every fact of it as a map, a filter and a validation function
 */
function askAll(source) {
  const { subjects, ask } = readDocument({
    views: { one: { map: source, reduce: '_sum' }, two: { map: `${source} `, reduce: source } },
    filters: { all: source },
    validate_doc_update: source,
  });
  const start = process.cpuUsage();
  for (const subject of subjects) {
    for (const { id, subject: kind } of factCatalog.values()) {
      if (kind === subject.kind && /^(view|filter|validate|reduce)\./.test(id)) {
        const fact = ask(subject, id);
        expect('unknown' in fact ? fact.unknown : fact.value).not.toBe(undefined);
      }
    }
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

test('functions with tokens deleted, doubled and swapped give facts or say why not', () => {
  const mutation = fc.record({ kind: fc.constantFrom('delete', 'double', 'swap'), at: fc.nat(), other: fc.nat() });
  fc.assert(
    fc.property(fc.constantFrom(...FUNCTIONS), fc.array(mutation, { maxLength: 6 }), (source, mutations) => {
      const tokens = source.match(TOKEN) ?? [];
      for (const { kind, at, other } of mutations) {
        const index = at % tokens.length;
        const second = other % tokens.length;
        const token = tokens[index] ?? '';
        if (kind === 'delete') tokens[index] = '';
        else if (kind === 'double') tokens[index] = `${token} ${token}`;
        else [tokens[index], tokens[second]] = [tokens[second] ?? '', token];
      }
      expect(askAll(tokens.join(''))).toBeLessThan(MAX_MS);
    }),
    { numRuns: 400 },
  );
});

test('functions put together of many expressions give facts', () => {
  const leaf = fc.constantFrom(
    'doc',
    'doc.a',
    'x',
    'oldDoc',
    'emit',
    '1',
    '"a"',
    'null',
    'undefined',
    '[]',
    '{}',
    'this',
    '/a/',
    '1n',
  );
  const { expression } = /** @type {{expression: fc.Arbitrary<string>}} */ (
    fc.letrec((tie) => {
      const part = /** @type {fc.Arbitrary<string>} */ (tie('expression'));
      const around = fc.constantFrom(...AROUND);
      const between = fc.constantFrom(...BETWEEN);
      return {
        expression: fc.oneof(
          { maxDepth: 6 },
          leaf,
          fc.tuple(around, part).map(([frame, inner]) => `(${frame.replace('%', () => inner)})`),
          fc.tuple(part, between, part).map(([left, sign, right]) => `((${left}) ${sign} (${right}))`),
          fc.tuple(part, part, part).map(([first, second, third]) => `((${first}) ? (${second}) : (${third}))`),
        ),
      };
    })
  );
  const statement = fc
    .tuple(
      fc.constantFrom(
        'emit(1, %);',
        'var x = %;',
        'if (%) return;',
        'if (%) { x = doc; } else emit(2, x);',
        'for (var k in %) emit(k, x);',
        'while (%) { if (x) break; x = 1; }',
        'function f(x) { return %; }',
        'try { x = %; } catch (e) { throw e; }',
        'switch (x) { case %: emit(x); }',
        'x = function () { return %; };',
        'throw %;',
      ),
      expression,
    )
    .map(([frame, inner]) => frame.replace('%', () => inner));
  fc.assert(
    fc.property(fc.array(statement, { maxLength: 8 }), (statements) => {
      expect(askAll(`function (doc, oldDoc) { ${statements.join(' ')} }`)).toBeLessThan(MAX_MS);
    }),
    { numRuns: 200 },
  );
});

/**
 * @param {string} first
 * @param {string} last
 * @param {number} depth
 * @param {string} [middle]
 * @returns {string}
 */
const nested = (first, last, depth, middle = 'doc.a') => first.repeat(depth) + middle + last.repeat(depth);

/** @param {(index: number) => string} write @param {number} [count] @returns {string} */
const many = (write, count = 5000) => Array.from({ length: count }, (_, index) => write(index)).join('\n');

describe('a function is followed in little time, or given up', () => {
  const functions = [
    ['200 nested &&', `if (${nested('doc.a && (', ')', 200)}) emit(1);`],
    ['200 mixed && and ||', `if (${nested('(doc.a || (doc.b && ', '))', 200)}) emit(1);`],
    ['200 && and || on the left', `if (${nested('((', ' || doc.b) && doc.c)', 200)}) emit(1);`],
    ['200 nested !', `if (${nested('!(doc.a || ', ')', 200)}) emit(1);`],
    ['200 nested ternaries', `emit(1, ${nested('doc.a ? (', ') : doc.b', 200)});`],
    ['200 ternaries in tests', `emit(1, ${nested('(', ' ? doc.b : doc.c)', 200)});`],
    ['200 nested ??', `emit(1, ${nested('doc.a ?? (', ')', 200)});`],
    ['200 nested calls', `emit(1, ${nested('f(', ')', 200)});`],
    ['200 nested own calls', `function f(x) { return x || doc.b; } emit(1, ${nested('f(', ')', 200)});`],
    ['200 nested callbacks', nested('doc.a.forEach(function (x) { ', '; });', 200, 'emit(1)')],
    ['200 nested loops', nested('for (var i in doc.a) { i = 1; ', '}', 200, 'emit(i);')],
    ['200 nested if', nested('if (doc.a) { ', ' } else { emit(2); }', 200, 'emit(1);')],
    [
      '30 functions that call the next twice',
      `${many((i) => `function f${i}(x) { return x ? f${i + 1}(x) : f${i + 1}(doc); }`, 30)} function f30(x) { emit(1, x); } f0(doc);`,
    ],
    [
      'two functions that call each other four times',
      'function a(n) { b(n); b(n.x); b(n.y); b(n.z); } function b(n) { a(n); a(n.x); a(n.y); a(n.z); emit(1, n); } a(doc);',
    ],
    ['2,000 nested parentheses', `emit(1, ${nested('(', ')', 2000)});`],
    ['2,000 nested lists', `emit(1, ${nested('[', ']', 2000)});`],
    ['2,000 nested objects', `emit(1, ${nested('{ a: ', '}', 2000)});`],
    ['2,000 nested blocks', nested('{', '}', 2000, 'emit(1);')],
    ['2,000 nested if', nested('if (doc.a) {', '}', 2000, 'emit(1);')],
    ['2,000 nested functions', nested('(function () {', '})();', 2000, 'emit(1);')],
    ['2,000 nested arrows', `emit(1, ${nested('() => ', '', 2000)});`],
    ['2,000 members', `emit(doc${'.a'.repeat(2000)});`],
    ['2,000 calls in a chain', `emit(doc.a${'.slice(1)'.repeat(2000)});`],
    ['5,000 sums', `emit(1, ${'doc.a + '.repeat(5000)}1);`],
    ['5,000 emits', many((i) => `emit(${i}, doc.a${i}.b);`)],
    ['5,000 variables', many((i) => `var v${i} = doc.a${i}; if (v${i}) v${i} = v${i}.b;`)],
    ['5,000 else ifs', `${many((i) => `if (doc.type === "t${i}") { emit(${i}); } else `)} emit(1);`],
    ['5,000 cases', `switch (doc.type) { ${many((i) => `case "t${i}": emit(${i}, doc.a${i});`)} }`],
    ['5,000 members of one object', `var o = {}; ${many((i) => `o.a${i} = doc.a${i};`)} emit(1, o);`],
    ['5,000 elements of one list', `var l = []; ${many((i) => `l.push(doc.a${i});`)} emit(1, l);`],
    ['5,000 loops', many((i) => `for (var i = 0; i < 3; i++) { x${i} = doc.a${i}; }`)],
    ['a text doubled 5,000 times', `var s = "ab"; ${'s = s + s;'.repeat(5000)} emit(s, 1);`],
    [
      'a list doubled 50 times',
      `var l = [1, 2]; ${'l = [...l, ...l]; l = [l, l];'.repeat(50)} l[0][0] = 1; emit(l, 1);`,
    ],
    [
      'an object that holds the one before twice, 60 times',
      `var o = {}; ${'o = { p: o, q: o };'.repeat(60)} var b = {}; b.x = 1; g(o, b); if (doc.a) o = {}; o.p = b; emit(1, o);`,
    ],
    [
      'a list that holds the one before twice, 60 times',
      `var l = []; ${'l = [l, l];'.repeat(60)} l.push(1); g(l); emit(1, l);`,
    ],
    [
      'a helper that doubles what it is given',
      `function f(x) { return { p: x, q: x }; } var b = {}; b.x = ${nested('f(', ')', 60, 'b')}; b.y = 1; g(b); emit(1, b);`,
    ],
    ['an object that holds itself', 'var o = {}; o.self = o; o.self.self = o; o.a = o; emit(1, o);'],
    ['objects that hold each other', `var a = {}, b = {}; ${'a.b = b; b.a = a; '.repeat(200)} emit(1, a);`],
  ];

  test.each(functions)('%s', (_, body) => {
    expect(askAll(`function (doc) { ${body} }`)).toBeLessThan(MAX_MS);
  });
});
