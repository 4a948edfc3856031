// Detects a reduce that returns the value of the row whose key ends with the greatest or the least element: from
// CouchDB 3.5, `_last` and `_first` return that. Based on trials.

import { followFlow } from '../javascript/flow.js';
import { parseFunction } from '../javascript/parse.js';
import { alternatives, UNDEFINED } from '../javascript/values.js';
import { randomFrom } from '../shared/seeded-random.js';
import { answersOutside, checkRewrite } from './check-rewrite.js';
import { inViewOrder } from './emitted-lists.js';
import { memberAt } from './evaluate-form.js';

/** @import { EmittedRow } from './emitted-rows.js' */
/** @import { TrialSetup } from './judge-trials.js' */
/** @import { Proof } from './proof.js' */
/** @import { RandomSource } from '../shared/seeded-random.js' */
/** @import { TrialRow } from './trial-values.js' */

/** Lists of rows to try, of at most so many rows; and so many different ends of keys are needed for them. */
const LISTS = 24;
const MAX_ROWS = 8;
const MIN_ENDS = 8;

/** How many elements stand before the last one of the keys, and where the values hold it: nowhere for the value itself. @typedef {{before: number, path: string[]}} Picked */

/**
 * @param {TrialSetup} setup
 * @param {readonly EmittedRow[]} observed rows that the map was seen to emit
 * @param {string | undefined} map
 * @returns {Promise<Proof | undefined>}
 */
export async function pickedRow(setup, observed, map) {
  const rows = ofOneType(observed);
  // `emit([doc.customer, doc.placed || 0], …)`: it has keys that end with a string, and others, which documents seldom show.
  const constants = typesOfConstantEnds(map);
  if (!constants || [...constants].some((type) => type !== typeof endOf(rows[0]?.key))) return undefined;
  const picked = findPicked(rows);
  if (!picked) return undefined;
  const lists = drawLists(rows, randomFrom(setup.seed));
  for (const builtin of ['_last', '_first']) {
    const view = { ...setup, builtin, rewrite: {} };
    const { trials, text } = await checkRewrite(view, lists);
    if (text !== undefined) continue;
    const tie = tieOf(rows, picked);
    const outside = tie && (await answersOutside(view, tie));
    return proofOf(builtin, picked, { trials, outside, isString: typeof endOf(rows[0]?.key) === 'string' });
  }
  return undefined;
}

/**
 * @param {string} builtin
 * @param {Picked} picked
 * @param {{trials: number, outside: string | undefined, isString: boolean}} found
 * @returns {Proof}
 */
function proofOf(builtin, { before, path }, { trials, outside, isString }) {
  const name = `\`${['value', ...path].join('.')}\``;
  const best = builtin === '_last' ? 'greatest' : 'least';
  const query = before === 0 ? 'clients query without groups' : `clients query with \`group_level=${before}\``;
  const type = isString
    ? 'a string that CouchDB sorts in the same order as JavaScript, such as an ISO date,'
    : 'a number';
  const tie = path.length === 0 ? '' : `no two rows of a group have the same ${name}, and `;
  const condition = `${name} is ${type} in every row, ${tie}${query}`;
  return {
    verdict: 'equalAfterRewrite',
    basis: 'tried',
    builtin,
    condition: { text: condition },
    conditionHolds: 'if',
    rewrite: { text: query, changesShape: false, pattern: 'pick', ...(outside === undefined ? {} : { outside }) },
    trials,
    steps: [
      `In ${trials} groupings of rows it returned the value with the ${best} ${name}, which is the last element of the key.`,
      `\`${builtin}\` returns the value of the row with the ${best} key.`,
      `Condition: ${condition}.`,
    ],
  };
}

/**
 * @param {string | undefined} map
 * @returns {Set<string> | undefined} the types of the constants that its keys can end with; undefined where it cannot be followed
 */
function typesOfConstantEnds(map) {
  const tree = map === undefined ? undefined : parseFunction(map);
  if (!tree?.ok || !tree.fn) return undefined;
  const flow = followFlow(tree, ['doc']);
  if ('unknown' in flow) return undefined;
  const ends = flow.emits.flatMap(({ key }) =>
    alternatives(key).flatMap((one) => (one.kind === 'array' ? alternatives(one.items.at(-1) ?? UNDEFINED) : [one])),
  );
  return new Set(ends.flatMap((end) => (end.kind === 'constant' ? [typeof end.value] : [])));
}

/** @param {unknown} key @returns {unknown} what rows of a group are sorted by */
function endOf(key) {
  return Array.isArray(key) ? key.at(-1) : key;
}

/**
 * @param {readonly EmittedRow[]} rows
 * @returns {EmittedRow[]} those whose keys end with a string, or those whose keys end with a number, whichever are more
 */
function ofOneType(rows) {
  const [strings = [], numbers = []] = ['string', 'number'].map((type) =>
    rows.filter(({ key }) => typeof endOf(key) === type),
  );
  return strings.length > numbers.length ? strings : numbers;
}

/**
 * @param {readonly EmittedRow[]} rows
 * @returns {Picked | undefined} undefined where the ends of keys are in no one place of the values, or there are too few of them
 */
function findPicked(rows) {
  const [first] = rows;
  if (!first || new Set(rows.map(({ key }) => endOf(key))).size < MIN_ENDS) return undefined;
  const lengthOf = (/** @type {unknown} */ key) => (Array.isArray(key) ? key.length - 1 : 0);
  const before = lengthOf(first.key);
  if (rows.some(({ key }) => Array.isArray(key) !== Array.isArray(first.key) || lengthOf(key) !== before))
    return undefined;
  const members = typeof first.value === 'object' && first.value !== null ? Object.keys(first.value) : [];
  const path = [[], ...members.map((name) => [name])].find((one) =>
    rows.every(({ key, value }) => memberAt(value, one) === endOf(key)),
  );
  return path && { before, path };
}

/**
 * @param {readonly EmittedRow[]} rows
 * @param {RandomSource} random
 * @returns {TrialRow[][]} of groups: their keys differ in the last element
 */
function drawLists(rows, random) {
  const byEnd = [...new Map(rows.map((row) => [endOf(row.key), row])).values()];
  return Array.from({ length: LISTS }, () => {
    const some = random.shuffle(byEnd).slice(0, 2 + random.below(MAX_ROWS - 1));
    const start = Array.isArray(some[0]?.key) ? some[0].key.slice(0, -1) : undefined;
    return inViewOrder(
      some.map(({ key, value }, at) => ({ id: `row ${at}`, key: start ? [...start, endOf(key)] : key, value })),
    );
  });
}

/**
 * @param {readonly EmittedRow[]} rows
 * @param {Picked} picked
 * @returns {TrialRow[] | undefined} two rows with one key and different values; undefined where these cannot differ
 */
function tieOf(rows, { path: [name] }) {
  const [one] = rows;
  const other = rows.find(({ key }) => endOf(key) !== endOf(one?.key));
  if (name === undefined || !one || !other) return undefined;
  const value = { .../** @type {Record<string, unknown>} */ (other.value), [name]: endOf(one.key) };
  if (JSON.stringify(value) === JSON.stringify(one.value)) return undefined;
  return [
    { id: 'row 0', key: one.key, value: one.value },
    { id: 'row 1', key: one.key, value },
  ];
}
