import { expect, test } from 'vitest';
import { factsOf } from '../../helpers/facts-of.js';

test.each([
  ['emit(doc.day, doc.price * doc.count)', ['doc.price * doc.count']],
  ['emit(doc.day, parseInt(doc.weight))', ['parseInt(doc.weight)']],
  ['emit(doc.day, parseInt(doc.weight, 10))', ['parseInt(doc.weight, 10)']],
  ['emit(doc.day, Number(doc.weight))', ['Number(doc.weight)']],
  ['emit(doc.day, -doc.price)', ['-doc.price']],
  ['emit(doc.day, Math.round(doc.price * 100))', ['Math.round(doc.price * 100)']],
  ['var price = doc.price; emit(doc.day, 2 * price)', ['2 * price']],
  ['if (doc.type === "order") emit(doc.day, doc.price / 2)', ['doc.price / 2']],
  ['if (doc.price) emit(doc.day, doc.price * doc.count)', ['doc.price * doc.count']],
  ['if (doc.price && doc.count) emit(doc.day, doc.price * doc.count)', []],
  ['if (doc.price > 0) emit(doc.day, doc.price * 2)', []],
  ['if (typeof doc.price === "number") emit(doc.day, doc.price * 2)', []],
  ['emit(doc.day, parseInt(doc.weight) || 0)', []],
  ['emit(doc.day, (doc.price || 0) * (doc.count || 1))', []],
  ['var weight = parseInt(doc.weight); if (weight) emit(doc.day, weight)', []],
  ['if (!isNaN(doc.price)) emit(doc.day, doc.price * 2)', []],
  ['if (isFinite(doc.price * 2)) emit(doc.day, doc.price * 2)', []],
  ['emit(doc.day, doc.price + doc.fee)', []],
  ['emit(doc.day, doc.lines.length * 2)', []],
  ['emit(doc.day, doc.price)', []],
  ['emit(doc.day, doc.price | 0)', []],
  ['emit(doc.day, doc.price ? doc.price * 2 : 0)', []],
  ['function num(v) { var n = parseInt(v); if (!n) return 0; return n; } emit(doc.day, num(doc.weight) * 2)', []],
  ['doc.prices.forEach(function (price) { emit(doc.day, price * 2); })', []],
  ['doc.lines.forEach(function (line) { emit(doc.day, line.price * 2); })', ['line.price * 2']],
])('%s: %j', (body, expected) => {
  const views = { all: { map: `function (doc) { ${body}; }` } };
  expect(factsOf({ views }, 'view', ['valuesNaNIfMissing'])).toEqual({ valuesNaNIfMissing: expected });
});
