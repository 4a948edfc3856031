// Makes random Mango queries, index sets and documents for tests that compare the planner with real servers, with many
// values in common, so that conditions match, exclude each other and meet at their ends.

import fc from './property.js';

const TEXTS = [
  '',
  'a',
  'A',
  'b',
  'B',
  'ab',
  'é',
  'e\u0301',
  'z',
  'ä',
  'ß',
  '10',
  '9',
  'a b',
  'a-b',
  '日本',
  '😀',
  'x\uffff',
  '<MAX>',
];
const NUMBERS = [0, 1, 2, 3, 1, 2, -1, 1.5, 10, 1e21, 100000];

const scalar = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  fc.constantFrom(null, true, false),
);
const member = fc.constantFrom('a', 'b', 'x');
const plainList = fc.array(scalar, { maxLength: 3 });
const plainObject = fc.dictionary(member, scalar, { maxKeys: 2 });
const value = fc.oneof(
  { weight: 8, arbitrary: scalar },
  plainList,
  plainObject,
  fc.array(plainObject, { maxLength: 2 }),
  fc.array(plainList, { maxLength: 2 }),
);

/** Few fields, so that they meet in selectors, sorts, columns and documents. */
const FIELDS = ['a', 'b', 'c', 'n.x', 'n.y', 'l.0', 'd\\.t', 'n', '_id', 'l', 'A', 'é'];
const field = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b', 'c') },
  { weight: 2, arbitrary: fc.constantFrom(...FIELDS) },
  { weight: 1, arbitrary: fc.constantFrom('_id') },
);
const idValue = fc.oneof(fc.constantFrom('doc-01', 'doc-10', 'doc-2', 'Doc', '_design/', 'e', ''), scalar);

const REGEXES = [
  '^a',
  'b$',
  '^[a-c]+$',
  'a.b',
  '(?i)A',
  '\\d+',
  '^(a|b)',
  '\\s',
  'é',
  '[^a]',
  'a{1,2}',
  '^.$',
  '^..$',
  'a|z',
  '\\w',
  '(ab)?',
  '.',
  '^$',
  '日',
];
const TYPES = ['null', 'boolean', 'number', 'string', 'array', 'object', 'none'];

/** @param {any} operand @returns {any} one operator */
const test = (operand) =>
  fc.oneof(
    { weight: 8, arbitrary: operand },
    {
      weight: 16,
      arbitrary: fc
        .tuple(fc.constantFrom('$eq', '$gt', '$gte', '$lt', '$lte', '$ne'), operand)
        .map(([name, one]) => ({ [name]: one })),
    },
    {
      weight: 8,
      arbitrary: fc
        .tuple(fc.constantFrom('$gt', '$gte', '$eq'), scalar, fc.constantFrom('$lt', '$lte', '$eq', '$ne'), scalar)
        .map(([low, one, high, other]) => ({ [low]: one, [high]: other })),
    },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom('$in', '$nin', '$all'), fc.array(scalar, { maxLength: 3 }))
        .map(([name, list]) => ({ [name]: list })),
    },
    fc
      .tuple(fc.constantFrom('$in', '$nin', '$all'), fc.array(value, { maxLength: 2 }))
      .map(([name, list]) => ({ [name]: list })),
    { weight: 3, arbitrary: fc.boolean().map(($exists) => ({ $exists })) },
    { weight: 2, arbitrary: fc.constantFrom(...TYPES).map(($type) => ({ $type })) },
    { weight: 2, arbitrary: fc.constantFrom(...TEXTS, 'doc').map(($beginsWith) => ({ $beginsWith })) },
    { weight: 2, arbitrary: fc.constantFrom(...REGEXES).map(($regex) => ({ $regex })) },
    fc.nat(3).map(($size) => ({ $size })),
    fc.tuple(fc.constantFrom(2, 3, -2), fc.constantFrom(0, 1, -1)).map(($mod) => ({ $mod })),
    fc
      .tuple(fc.constantFrom('$gt', '$lt'), scalar, fc.constantFrom('a', 'b'))
      .map(([name, one, $beginsWith]) => ({ [name]: one, $beginsWith })),
  );

/** @param {any} condition @returns {any} conditions of what a field holds */
const inner = (condition) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant({ $gt: 1 }) },
    { weight: 3, arbitrary: condition },
    fc.tuple(member, scalar).map(([name, one]) => ({ [name]: one })),
    fc.constant({ $gte: 1, $lt: 3 }),
  );

const condition = fc.oneof(
  { weight: 14, arbitrary: test(value) },
  {
    weight: 2,
    arbitrary: test(value).map((/** @type {any} */ one) => (isOperators(one) ? { $not: one } : { $not: { $eq: one } })),
  },
  fc
    .tuple(fc.constantFrom('$elemMatch', '$allMatch', '$keyMapMatch'), inner(test(scalar).filter(isOperators)))
    .map(([name, one]) => ({ [name]: one })),
  fc.tuple(test(scalar), test(scalar)).map(($or) => ({ $or })),
  fc.tuple(fc.constantFrom('x', 'y'), test(scalar)).map(([name, one]) => ({ [name]: one })),
);

/** @param {unknown} one @returns {boolean} whether it is an object of operators */
function isOperators(one) {
  return typeof one === 'object' && one !== null && Object.keys(one).some((name) => name.startsWith('$'));
}

const pair = fc.oneof(
  { weight: 12, arbitrary: fc.tuple(field, condition) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('_id'), test(idValue)) },
);
const flat = fc.array(pair, { minLength: 1, maxLength: 4 }).map((pairs) => Object.fromEntries(pairs));

const { any: selector } = fc.letrec((/** @type {any} */ tie) => ({
  any: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    { weight: 8, arbitrary: flat },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(tie('any'), { minLength: 1, maxLength: 3 }))
        .map(([name, parts]) => ({ [name]: parts })),
    },
    fc
      .tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(tie('any'), { maxLength: 2 }), flat)
      .map(([name, parts, more]) => ({ ...more, [name]: parts })),
    tie('any').map((/** @type {any} */ one) => ({ $not: one })),
  ),
}));
/** Any selector that servers accept, in most cases. @type {any} */
export const anySelector = selector;

/** Selectors that servers refuse, and odd ones. */
const oddSelector = fc.constantFrom(
  {},
  { $or: [] },
  { $and: [] },
  { $in: [] },
  { $nor: [] },
  { '': 1 },
  { a: { '': 1 } },
  { $and: [{ $eq: 1 }] },
  { a: { $foo: 1 } },
  { a: { $where: 1 } },
  { a: { $in: 1 } },
  { a: { $exists: 1 } },
  { a: { $regex: '(' } },
  { a: { $mod: [1] } },
  { a: { $size: -1 } },
  { a: { $not: 1 } },
  { a: { $elemMatch: 1 } },
  { a: { $elemMatch: {} } },
  { $text: 'a' },
  { a: 1, $text: 'b' },
  { a: { $text: 'b' } },
  { $not: { $text: 'a' } },
  { $and: 1 },
  { $and: [1] },
  { a: { $gt: null } },
  { _id: { $gt: null } },
  { a: { $or: [] } },
  { a: 1, $or: [] },
  { a: { $beginsWith: 1 } },
  { $default: 1 },
  [],
  'a',
);

const column = fc.oneof({ weight: 8, arbitrary: fc.constantFrom('a', 'b', 'c') }, fc.constantFrom(...FIELDS));
const columns = fc.oneof(
  fc.uniqueArray(column, { minLength: 1, maxLength: 1 }),
  fc.uniqueArray(column, { minLength: 1, maxLength: 3 }),
);
const direction = fc.constantFrom('asc', 'desc');
const filter = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  fc.constant({ b: { $gt: 1 } }),
  fc.constant({ a: { $exists: true }, c: { $ne: 2 } }),
  fc.constant({ $or: [{ a: 1 }, { b: { $type: 'string' } }] }),
  fc.constant({}),
);

/** Bodies of requests to `_index`: few design documents, so that several indexes share one. */
const indexSet = fc.uniqueArray(
  fc.record({
    ddoc: fc.constantFrom('d1', 'd2', 'D'),
    name: fc.constantFrom('i1', 'i2', 'I', 'é'),
    index: fc.tuple(columns, direction, filter).map(([names, way, partial]) => ({
      fields: names.map((name) => (way === 'asc' ? name : { [name]: way })),
      ...(partial === undefined ? {} : { partial_filter_selector: partial }),
    })),
  }),
  { maxLength: 6, selector: ({ ddoc, name }) => `${ddoc}/${name}` },
);

const sort = fc.oneof(
  { weight: 22, arbitrary: fc.constant(undefined) },
  { weight: 8, arbitrary: fc.tuple(columns, direction).map(([names, way]) => names.map((name) => ({ [name]: way }))) },
  { weight: 3, arbitrary: fc.constantFrom(['a'], ['a', 'b'], [], ['_id'], [{ _id: 'desc' }]) },
  fc.constantFrom([{ a: 'asc' }, { b: 'desc' }], [''], [{ a: 'up' }], 'a', [{ a: 'asc', b: 'asc' }]),
);
const fields = fc.oneof(
  { weight: 20, arbitrary: fc.constant(undefined) },
  { weight: 5, arbitrary: fc.uniqueArray(column, { maxLength: 3 }) },
  { weight: 5, arbitrary: columns.map((names) => ['_id', ...names]) },
  { weight: 5, arbitrary: fc.constantFrom(['_id'], ['a', 'b', 'c'], ['_id', 'a', 'n.x', 'b']) },
  fc.constantFrom('a', [1], [{ a: 1 }]),
);
const hint = fc.oneof(
  { weight: 14, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: fc.constantFrom('d1', '_design/d2', 'd1/i1', '_design/d2/i2', 'none', null, [], '_design') },
  fc.constantFrom('a/b/c', 1),
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom('d1', '_design/d2', 'D')) },
  fc.tuple(fc.constantFrom('d1', '_design/d2', 'D'), fc.constantFrom('i1', 'i2', 'I', 'é')),
);

/** Bodies of requests to `_explain` and `_find`. */
const query = fc
  .record({
    selector: fc.oneof({ weight: 30, arbitrary: anySelector }, oddSelector),
    sort,
    fields,
    use_index: hint,
    allow_fallback: fc.constantFrom(undefined, undefined, undefined, false, true),
    limit: fc.oneof(
      { weight: 40, arbitrary: fc.constantFrom(undefined, undefined, 0, 1, 3, 1000) },
      fc.constantFrom(-1, 'a'),
    ),
    skip: fc.constantFrom(undefined, undefined, 2),
  })
  .map(plain);

/** Conditions that most documents meet, or some. */
const common = fc.oneof(
  fc.constantFrom({ $gt: null }, { $exists: true }, { $gte: 1 }, { $gt: 0, $lte: 10 }, { $lt: 'b' }, { $gte: 'a' }),
  fc.constantFrom(
    { $ne: 1 },
    { $in: [1, 2, 'a'] },
    { $not: { $gt: 'a' } },
    { $beginsWith: 'a' },
    { $lte: true },
    1,
    'a',
  ),
  scalar.map(($eq) => ({ $eq })),
  condition,
);

/**
 * @param {any[]} indexes bodies of requests to `_index`
 * @returns {any} arbitrary bodies of requests that one of them may serve
 */
function aimedQuery(indexes) {
  return fc
    .tuple(
      fc.constantFrom(...indexes),
      fc.array(common, { minLength: 5, maxLength: 5 }),
      fc.array(fc.nat(9), { minLength: 5, maxLength: 5 }),
      field,
    )
    .map(([{ ddoc, name, index }, conditions, [a = 0, b = 0, c = 0, d = 0, e = 0], more]) => {
      const names = index.fields.map((/** @type {any} */ one) => (typeof one === 'string' ? one : Object.keys(one)[0]));
      const start = a % names.length;
      const parts = names.map((/** @type {string} */ one, /** @type {number} */ at) => ({
        [one]: at < start && b > 4 ? 1 : conditions[at],
      }));
      if (c > 6) parts.push({ [more]: conditions[4] });
      return {
        selector:
          d > 7
            ? { $and: parts }
            : d > 5
              ? { $or: [parts[0], parts.at(-1)], ...parts[0] }
              : Object.assign({}, ...parts),
        ...(b > 4
          ? { sort: names.slice(start).map((/** @type {string} */ one) => ({ [one]: c > 4 ? 'asc' : 'desc' })) }
          : {}),
        ...(a > 5 ? { use_index: e > 4 ? [ddoc] : [ddoc, name] } : {}),
        ...(e < 4 ? { fields: e < 2 ? ['_id', ...names] : names } : {}),
        ...(d < 4 ? { limit: d } : { limit: 1000 }),
        ...(c < 2 ? { skip: c } : {}),
        ...(a === 9 ? { allow_fallback: false } : {}),
      };
    })
    .map(plain);
}

/** @param {any} made @returns {any} as a server reads it: objects that inherit, and no undefined */
function plain(made) {
  return JSON.parse(JSON.stringify(made));
}

const nested = fc.dictionary(fc.constantFrom('x', 'y'), value, { maxKeys: 2 });
/** Documents without ids. */
const documents = fc
  .array(
    fc.record(
      {
        a: value,
        b: value,
        c: fc.oneof(scalar, nested),
        n: fc.oneof({ weight: 4, arbitrary: nested }, scalar),
        l: fc.oneof({ weight: 4, arbitrary: fc.array(fc.oneof(scalar, plainObject), { maxLength: 4 }) }, scalar),
        'd.t': value,
        A: scalar,
        é: scalar,
      },
      { requiredKeys: ['a', 'c'] },
    ),
    { minLength: 40, maxLength: 60 },
  )
  .map(plain);

/**
 * @param {number} count of queries
 * @returns {any} arbitrary databases: indexes, documents, and queries, half of which an index may serve
 */
export function database(count) {
  return indexSet.chain((indexes) =>
    fc.record({
      indexes: fc.constant(indexes),
      documents,
      queries: fc.array(
        indexes.length > 0
          ? fc.oneof({ arbitrary: query, weight: 1 }, { arbitrary: aimedQuery(indexes), weight: 1 })
          : query,
        {
          minLength: count,
          maxLength: count,
        },
      ),
    }),
  );
}

/**
 * @param {Record<string, any>} body of a request
 * @returns {import('../../lib/facts/mango/planner.js').MangoQuery}
 */
export function queryOf({ use_index, allow_fallback, ...query }) {
  return /** @type {any} */ ({
    ...query,
    ...(use_index === undefined ? {} : { useIndex: use_index }),
    ...(allow_fallback === undefined ? {} : { allowFallback: allow_fallback }),
  });
}

/**
 * @param {any} answer of `_explain`
 * @param {string} [findError] of `_find`, which may differ: without a usable index, `_explain` complains about `use_index`
 * @returns {Record<string, unknown>} what the planner tells of it
 */
export function plannedBy(answer, findError) {
  if (answer.error !== undefined) return { error: findError ?? answer.error };
  const { index, mrargs, covering, selector: normal } = answer;
  // `_find` gives the error, and `_explain` an empty answer.
  if (index === null) return { error: 'no_usable_index' };
  const { start_key: startKey, end_key: endKey } = mrargs;
  const isDescending = mrargs.direction === 'rev';
  const { ddoc, name, type } = index;
  return { index: { ddoc, name, type }, startKey, endKey, isDescending, isCovering: covering, selector: normal };
}

/**
 * @param {any} choice of the planner
 * @returns {Record<string, unknown>} in the same form
 */
export function plannedHere(choice) {
  if ('error' in choice || 'unknown' in choice) return 'error' in choice ? { error: choice.error } : choice;
  const { startKey, endKey, isDescending, isCovering, selector: normal } = choice;
  const { ddoc, name, type } = choice.index;
  return { index: { ddoc, name, type }, startKey, endKey, isDescending, isCovering, selector: normal };
}
