import { expect, test } from 'vitest';
import { fixFunctions } from '../../helpers/fixed.js';

const GUARDED = [
  [
    'function (doc) { emit(doc.date, doc.total); }',
    "function (doc) { if (typeof doc.total === 'number') emit(doc.date, doc.total); }",
  ],
  [
    'function (doc) {\r\n\temit(doc.date, doc.total);\r\n}',
    "function (doc) {\r\n\tif (typeof doc.total === 'number') emit(doc.date, doc.total);\r\n}",
  ],
  [
    'function (doc) { emit(doc.date, doc["total"]); }',
    'function (doc) { if (typeof doc["total"] === \'number\') emit(doc.date, doc["total"]); }',
  ],
  [
    'function (doc) { if (doc.total) emit(doc.date, doc.total); }',
    "function (doc) { if (doc.total) { if (typeof doc.total === 'number') emit(doc.date, doc.total); } }",
  ],
  [
    '(doc) => { emit(doc.date, doc.total) }',
    "(doc) => { if (typeof doc.total === 'number') emit(doc.date, doc.total) }",
  ],
  [
    'function (doc) { (doc.lines || []).forEach(function (l) { emit(1, l.price); }); }',
    "function (doc) { (doc.lines || []).forEach(function (l) { if (typeof l.price === 'number') emit(1, l.price); }); }",
  ],
  [
    'function (doc) { for (var i in doc.p) emit(i, doc.p[i]); }',
    "function (doc) { for (var i in doc.p) { if (typeof doc.p[i] === 'number') emit(i, doc.p[i]); } }",
  ],
  [
    'function (doc) { if (doc.a) { emit(1, doc.a); } else emit(2, doc.b); }',
    "function (doc) { if (doc.a) { if (typeof doc.a === 'number') emit(1, doc.a); } else { if (typeof doc.b === 'number') emit(2, doc.b); } }",
  ],
  // The `else` stays with its `if`.
  [
    'function (doc) { if (doc.a) emit(1, doc.a); else emit(2, 0); }',
    "function (doc) { if (doc.a) { if (typeof doc.a === 'number') emit(1, doc.a); } else emit(2, 0); }",
  ],
  [
    'function (doc) { switch (doc.type) { case 1: emit(1, doc.a); } }',
    "function (doc) { switch (doc.type) { case 1: if (typeof doc.a === 'number') emit(1, doc.a); } }",
  ],
  [
    'function (doc) { function send(v) { emit(1, v); } send(doc.a); }',
    "function (doc) { function send(v) { if (typeof v === 'number') emit(1, v); } send(doc.a); }",
  ],
];

/** What is reported and not guarded. */
const LEFT = [
  ['a value that is computed', 'function (doc) { emit(1, doc.total || 0); }'],
  ['an emit in an expression', 'function (doc) { doc.date && emit(1, doc.total); }'],
  ['an emit in an arrow', '(doc) => emit(1, doc.total)'],
  ['an emit after another in one expression', 'function (doc) { log(1), emit(1, doc.total); }'],
  ['an emit in a callback that is an arrow', 'function (doc) { (doc.lines || []).forEach((l) => emit(1, l.price)); }'],
  ['an emit in the argument of a call', 'function (doc) { log(emit(1, doc.total)); }'],
];

test('an emitted value is guarded', async () => {
  const results = await fixFunctions(
    'guard-number',
    'map of a sum',
    GUARDED.map(([source = '']) => source),
  );
  expect(results.map(({ after }) => after)).toEqual(GUARDED.map(([, expected]) => expected));
});

test('a value is left as it is where no statement can be guarded', async () => {
  const results = await fixFunctions(
    'guard-number',
    'map of a sum',
    LEFT.map(([, source = '']) => source),
  );
  expect(results.map((result, at) => [LEFT[at]?.[0], result])).toEqual(
    LEFT.map(([name]) => [name, { isReported: true, after: undefined }]),
  );
});
