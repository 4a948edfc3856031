import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { carriedReads } from '../../../lib/facts/javascript/carried-state.js';
import { parseFunction, resolveNames } from '../../helpers/internals.js';
import fc from '../../helpers/property.js';

/**
 * @param {string} source
 * @returns {string[]} each variable with the offset of its read behind the last `@` before it
 */
function carried(source) {
  const tree = parseFunction(source);
  if (!tree.ok || !tree.fn) throw new Error(`no function: ${source}`);
  return carriedReads(tree.fn, resolveNames(tree.roots)).map(({ name }) => name);
}

test.each([
  'total = doc.price; emit(total)',
  'for (i in doc) emit(i)',
  'for (i = 0; i < 9; i++) emit(i)',
  'for (i = 0; i < 9; i += 1) { if (doc.lines[i]) continue; emit(i); }',
  'for (line of doc.lines) emit(line)',
  'for (i in doc) { for (j in doc[i]) { emit([i, j]); } }',
  '[first, second] = doc.lines; emit(first, second)',
  '({ price: total, ...rest } = doc); emit(total, rest)',
  'if (doc.price) total = doc.price; else total = 0; emit(total)',
  'if (!doc.price) return; total = doc.price; emit(total)',
  'if (doc.price) { total = 1; } else { throw 1; } emit(total)',
  'switch (doc.kind) { case 1: total = 1; break; case 2: case 3: total = 2; break; default: total = 3; } emit(total)',
  'switch (doc.kind) { case 1: return; default: total = 3; } emit(total)',
  'do { total = doc.price; } while (total < 0); emit(total)',
  'while (true) { total = 1; if (doc.x) break; } emit(total)',
  'for (;;) { total = 1; break; } emit(total)',
  'outer: for (i in doc) { total = 1; for (j in doc) { if (j) continue outer; } emit(total); }',
  'out: { if (doc.x) { total = 1; break out; } total = 2; } emit(total)',
  'try { total = JSON.parse(doc.text); emit(total); } catch (error) { log(error); }',
  'try { total = JSON.parse(doc.text); } catch (error) { return; } emit(total)',
  'try { total = JSON.parse(doc.text); } catch (error) { total = 0; } emit(total)',
  'try { doc.x(); } catch (error) {} finally { total = 0; } emit(total)',
  'if ((total = doc.price) && total > 3) emit(total)',
  'if (doc.price && (total = doc.price)) emit(total)',
  'if (!doc.price || !(total = doc.price)) return; emit(total)',
  'if (!(doc.price && (total = doc.price))) { log(1); } else { emit(total); }',
  'doc.lines.forEach(function (line) { sku = line.sku; emit(sku); })',
  'total = 0; doc.lines.forEach(function (line) { total += line.price; }); emit(total)',
  'total = 0; doc.lines.map(line => total += line.price); emit(total)',
  'function add(line) { total += line.price; } total = 0; doc.lines.forEach(add); emit(total)',
  'var add = function (line) { total += line.price; }; total = 0; add(doc); emit(total)',
  'begin(); function begin() { total = 0; } total += 1; emit(total)',
  'function begin() { if (doc.x) { total = 0; return; } total = 1; } begin(); emit(total)',
  '(function () { total = 0; })(); emit(total)',
  '(function () { total = 0; }).call(this); emit(total)',
  'function walk(part) { depth = part.depth; emit(depth); if (part.next) walk(part.next); } walk(doc)',
  'read = function () { return total; }; total = 1; emit(read())',
  'var api = { read: function () { return total; } }; total = 1; emit(api.read())',
  'var total; emit(total); total = 1',
  'total = doc.a ? 1 : 2; emit(total)',
  'doc.a ? (total = 1) : (total = 2); emit(total)',
  '"use strict"; count += 1; emit(count)',
  'emit(`${total = 1} ${total}`)',
  'emit(total = 1, total)',
  'total = doc.x ?? 3; emit(total)',
  'a = b = 1; emit(a, b)',
  'emit(doc.total)',
  'if (false) emit(total); total = 1',
])('nothing is carried by %s', (body) => {
  expect(carried(`function (doc) { ${body}; }`)).toEqual([]);
});

test.each([
  ['count++', ['count']],
  ['count += 1; emit(count)', ['count']],
  ['count ||= 1; emit(count)', ['count']],
  ['if (!(doc.a ?? (last = 1))) emit(last)', ['last']],
  ['emit(last); last = doc._id', ['last']],
  ['if (doc.kind === "head") last = doc.name; else emit(last, doc.name)', ['last']],
  ['if (doc.price) total = doc.price; emit(total)', ['total']],
  ['for (i in doc) { found = i; } emit(found)', ['found']],
  ['for (i in doc) {} emit(i)', ['i']],
  ['while (doc.x) { total = 1; break; } emit(total)', ['total']],
  ['for (;;) { if (doc.x) break; total = 1; } emit(total)', ['total']],
  ['do { if (doc.x) break; total = 1; } while (doc.y); emit(total)', ['total']],
  ['do { if (doc.x) continue; total = 1; } while (total); emit(1)', ['total']],
  ['for (i = 0; i < 9; i += step) { if (doc.x) continue; step = 1; }', ['step']],
  ['switch (doc.kind) { case 1: total = 1; break; case 2: total = 2; } emit(total)', ['total']],
  ['switch (doc.kind) { case 1: total = 1; case 2: emit(total); }', ['total']],
  ['try { total = JSON.parse(doc.text); } catch (error) { log(error); } emit(total)', ['total']],
  ['try { total = JSON.parse(doc.text); } catch (error) { emit(total); }', ['total']],
  ['try { total = JSON.parse(doc.text); } finally { emit(total); }', ['total']],
  ['if (doc.price || (total = 1)) emit(total)', ['total']],
  ['doc.price && (total = 1); emit(total)', ['total']],
  ['doc.price ?? (total = 1); emit(total)', ['total']],
  ['doc.lines.forEach(function (line) { total = line.price; }); emit(total)', ['total']],
  ['doc.lines.forEach(function (line) { emit(before, line); before = line; })', ['before']],
  ['function add(line) { total += line.price; } doc.lines.forEach(add); total = 0', ['total']],
  ['function add() { total += 1; } add(); total = 0; add()', ['total']],
  ['var add = function () { total += 1; }; add(); total = 0; add()', ['total']],
  ['function begin() { if (doc.x) return; total = 0; } begin(); emit(total)', ['total']],
  ['if (typeof cache === "undefined") cache = {}; emit(cache)', ['cache']],
  ['if (!this.x) emit(b, a); a = b = 1', ['b', 'a']],
  ['var { a = total } = doc; total = a', ['total']],
  ['out: { if (doc.x) break out; total = 2; } emit(total)', ['total']],
])('%s carries %j', (body, expected) => {
  expect(carried(`function (doc) { ${body}; }`)).toEqual(expected);
});

test('a parameter of the same name is not meant', () => {
  expect(carried('function (doc) { doc.lines.forEach(function (total) { emit(total); }); total = 1; }')).toEqual([]);
});

test('what stands beside the function is run once, when it is compiled', () => {
  expect(carried('total = 0; function (doc) { total += 1; emit(total); }')).toEqual(['total']);
});

test('functions that call each other in many ways are gone through in bounded time', () => {
  const helpers = Array.from(
    { length: 40 },
    (_, at) => `function f${at}(x) { v${at} = x; f${(at + 1) % 40}(v${at}); f${(at + 7) % 40}(v${(at + 1) % 40}); }`,
  );
  expect(carried(`function (doc) { ${helpers.join('\n')} f0(doc); }`)).toEqual([]);
});

test('deep nesting ends well', () => {
  expect(carried(`function (doc) { emit(total${' + doc.n'.repeat(450)}); total = 1; }`)).toEqual(['total']);
  const nested = carried(`function (doc) { emit(${'['.repeat(150)}total${']'.repeat(150)}); total = 1; }`);
  expect(nested).toEqual(['total']);
});

describe('against programs that are run', () => {
  const name = fc.constantFrom('a', 'b', 'c');
  const { expression, statement } = fc.letrec((/** @type {fc.LetrecLooselyTypedTie} */ tie) => {
    const inner = /** @type {fc.Arbitrary<string>} */ (tie('expression'));
    const body = fc.array(/** @type {fc.Arbitrary<string>} */ (tie('statement')), { maxLength: 3 });
    const block = body.map((parts) => `{ ${parts.join(' ')} }`);
    const loop = fc.array(
      fc.oneof(
        { weight: 4, arbitrary: /** @type {fc.Arbitrary<string>} */ (tie('statement')) },
        fc.constantFrom('break;', 'continue;', 'if (flag()) break;', 'if (flag()) continue;'),
      ),
      { maxLength: 3 },
    );
    return {
      expression: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom('flag()', '1', 'true', 'false'),
        name,
        fc.tuple(name, inner).map(([left, right]) => `(${left} = ${right})`),
        name.map((left) => `${left}++`),
        fc
          .tuple(inner, fc.constantFrom('&&', '||', '??', '+', ','), inner)
          .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
        fc.tuple(inner, inner, inner).map((parts) => `(${parts[0]} ? ${parts[1]} : ${parts[2]})`),
        inner.map((part) => `!${part}`),
        fc.tuple(name, fc.constantFrom('+=', '||=', '&&=', '??='), inner).map((parts) => `(${parts.join(' ')})`),
        inner.map((part) => `list.map(() => ${part})`),
        inner.map((part) => `(function () { return ${part}; })()`),
        fc.constant('helper()'),
      ),
      statement: fc.oneof(
        { depthSize: 'small' },
        { weight: 4, arbitrary: inner.map((part) => `${part};`) },
        fc
          .tuple(inner, block, fc.option(block))
          .map(([test, yes, no]) => `if (${test}) ${yes}${no ? ` else ${no}` : ''}`),
        fc.tuple(name, loop).map(([left, parts]) => `for (${left} of list) { ${parts.join(' ')} }`),
        fc.tuple(inner, loop).map(([test, parts]) => `while (flag() && ${test}) { ${parts.join(' ')} }`),
        fc.tuple(loop, inner).map(([parts, test]) => `do { ${parts.join(' ')} } while (flag() && ${test});`),
        fc
          .tuple(inner, loop, inner)
          .map(([init, parts, next]) => `for (${init}; flag(); ${next}) { ${parts.join(' ')} }`),
        fc.tuple(block, block, fc.option(block)).map((parts) => {
          const [tried, caught, last] = parts;
          return `try ${tried} catch (error) ${caught}${last ? ` finally ${last}` : ''}`;
        }),
        fc.tuple(inner, loop, loop, fc.boolean()).map(([value, one, other, hasDefault]) => {
          const cases = [one, other].map((parts) => parts.join(' ').replaceAll('continue', 'break'));
          return `switch (${value}) { case 1: ${cases[0]} ${hasDefault ? 'default:' : 'case true:'} ${cases[1]} }`;
        }),
        fc.constantFrom('return;', 'throw 1;', 'risk();', 'if (flag()) return;'),
        block.map((part) => `out: { if (flag()) break out; ${part} }`),
      ),
    };
  });

  test('no read comes before its write where none is found', () => {
    fc.assert(
      fc.property(
        fc.array(/** @type {fc.Arbitrary<string>} */ (statement), { minLength: 1, maxLength: 5 }),
        fc.array(/** @type {fc.Arbitrary<string>} */ (expression), { maxLength: 2 }),
        fc.array(fc.boolean(), { maxLength: 30 }),
        (statements, helper, flags) => {
          const begin = `function helper() { ${helper.map((part) => `${part};`).join(' ')} }`;
          const body = `${begin} ${statements.join(' ')} a = b = c = 1;`;
          // A label within itself is no JavaScript.
          fc.pre(parseFunction(`function (doc) { ${body} }`).ok);
          const found = new Set(carried(`function (doc) { ${body} }`));
          for (const read of readsBeforeWrites(body, flags)) {
            if (!found.has(read)) throw new Error(`${read} is read before it is written`);
          }
        },
      ),
      { numRuns: Number(process.env['COUCH_ADVISOR_ORACLE_RUNS'] ?? 500) },
    );
  });
});

/** Calls of `flag` after which a program is ended. */
const MAX_FLAGS = 60;

/**
 * @param {string} body
 * @param {boolean[]} flags what `flag()` gives, call by call; `false` afterwards
 * @returns {Set<string>} names that were read before they were written when it was run
 */
function readsBeforeWrites(body, flags) {
  /** @type {Set<string>} */
  const reads = new Set();
  /** @type {Record<string, unknown>} */
  const written = {};
  let calls = 0;
  const own = {
    get list() {
      return flags[calls++] ? [1, 2] : [];
    },
    helper: undefined,
    risk: () => {
      if (flags[calls++ % (flags.length || 1)]) throw new Error('risk');
    },
    flag: () => {
      if (calls > MAX_FLAGS) throw new Error('too long');
      return flags[calls++] ?? false;
    },
  };
  const scope = new Proxy(written, {
    has: (_, key) => key === 'a' || key === 'b' || key === 'c' || key === 'list' || key === 'risk' || key === 'flag',
    get: (_, key) => {
      if (key === Symbol.unscopables) return undefined;
      if (key in own) return own[/** @type {'list'} */ (key)];
      if (!(key in written)) reads.add(String(key));
      return written[String(key)];
    },
  });
  try {
    // The program is made by this test; `with` shows each use of a name.
    new Function('scope', `with (scope) { ${body} }`)(scope);
  } catch {
    // What it read until then counts.
  }
  return reads;
}
