// The report of `confirm` fits the terminal, whatever its texts hold, and its words are those of the verdict.

import { describe, expect, test } from 'vitest';
import { settleAll } from '../../lib/measure/experiments/verdict.js';
import { confirmDocument } from '../../lib/reports/confirm.js';
import { renderTextDocument } from '../helpers/internals.js';
import { shopExperiment } from '../measure/experiments/shop-experiment.js';

/** @import { Confirmation } from '../../lib/reports/confirm-json.js' */

const LONG = 'a text that is so long that it does not fit a line of eighty columns and so has to be broken somewhere';
const [verdict] = settleAll([
  {
    logRatios: Array.from({ length: 9 }, (_, at) => Math.log(7.09 + at / 100)),
    margin: 1.1,
    effect: 1.1,
    server: 'CouchDB 3.5.0',
    limits: { pairs: 32, budgetMs: 60_000, setupMs: 1, msOfPair: 1, ended: 'budget' },
  },
]);

/** @param {Partial<Confirmation>} [changes] @param {object} [experiment] @param {object} [judged] @returns {Confirmation} */
function confirmationOf(changes = {}, experiment = {}, judged = {}) {
  const arm = {
    perSecond: 100,
    latencyMs: { p50: 9, p95: 20 },
    counters: { 'couchdb.database_reads': 206 },
    sizes: { index: 55_800 },
  };
  const arms = ['as-is', 'advised'].map((id) => ({ ...arm, arm: id, about: LONG, ms: 10, buildMs: 1000 }));
  const result = {
    experiment: 'shop/orders',
    fingerprint: '',
    state: /** @type {const} */ ('done'),
    failure: null,
    at: '',
    documents: 1000,
    margin: 1.1,
    logRatios: [],
    arms,
    warnings: [{ code: /** @type {const} */ ('drift'), message: LONG }],
    crowd: { connections: 10, logRatios: [1, 1, 1], ratio: 2 },
  };
  const one = shopExperiment({
    id: 'shop/orders at _design/orders/_view/by_customer',
    notes: [LONG],
    assumed: [{ part: 'query', text: LONG }],
    ...experiment,
  });
  return {
    settled: [{ experiment: one, verdict: /** @type {any} */ ({ ...verdict, ...judged }), result }],
    findings: [],
    environment: [
      { name: 'server', value: `CouchDB 3.5.0, ${LONG}` },
      { name: 'machine', value: LONG },
    ],
    noise: { ratio: 1.2, pairs: 12, of: 'shop/orders' },
    file: 'rounds.jsonl',
    ...changes,
  };
}

/** @param {Confirmation} confirmation @param {{color?: boolean, width?: number}} [look] */
function renderConfirmText(confirmation, look) {
  const image = { name: 'embedded', failure: null, confirmation, json: () => null };
  return renderTextDocument(confirmDocument([image]), look);
}

/** @param {string} text @returns {number[]} */
const widths = (text) => text.split('\n').map((line) => line.length);

describe.each([80, 60, 100])('in %i columns', (width) => {
  test('no line is longer, and nothing is lost', () => {
    const text = renderConfirmText(confirmationOf(), { width });
    expect(Math.max(...widths(text))).toBeLessThanOrEqual(width);
    expect(text.replace(/\s+/g, ' ').split(LONG)).toHaveLength(1 + 7);
  });
});

test('the verdict stands below its experiment', () => {
  expect(renderConfirmText(confirmationOf())).toMatch(
    /^shop\/orders at _design\/orders\/_view\/by_customer\n {2}confirmed: advised was 7\.13 times faster, [\d.]+ % interval 7\.1\d to 7\.1\d \(9\n {2}pairs\)$/m,
  );
});

test('how the rounds ended is said, and what is too little has no interval', () => {
  expect(renderConfirmText(confirmationOf(), { width: 100 }).replace(/\s+/g, ' ')).toContain(
    'by more than 10 %; the time budget ran out after 9 of 32 pairs',
  );
  const [few] = settleAll([{ logRatios: [3, 3, 3], margin: 1.1, effect: 1.1, server: 'CouchDB 3.5.0' }]);
  const text = renderConfirmText(confirmationOf({}, { id: 'shop/orders' }, few));
  expect(text).toContain('shop/orders\n  inconclusive: advised was 20.1 times faster (3 pairs)\n');
  expect(text).toContain('too few pairs of rounds: 3 of at least 6');
});

test('only the words that name the verdict are colored', () => {
  const text = renderConfirmText(confirmationOf(), { color: true });
  const yellowOrGreen = new RegExp(`${String.fromCharCode(27)}\\[3[1-4]m([^${String.fromCharCode(27)}]*)`, 'g');
  expect([...text.matchAll(yellowOrGreen)].map(([, painted]) => painted)).toEqual(['confirmed', 'warning']);
});

test.each([
  ['an experiment', { id: 'shop/\u001b[31morders' }],
  ['a note', { notes: ['\u001b[31m'] }],
  ['a question', { question: 'a\u0007b' }],
])('%s prints no control character', (_, experiment) => {
  expect(renderConfirmText(confirmationOf({}, experiment))).not.toMatch(/(?!\n)\p{Cc}/u);
});

test('the embedded server is named once, with what gives the whole answer', () => {
  const text = renderConfirmText(confirmationOf({}, {}, { server: 'embedded PouchDB 9.0.0 (memory)' }), { width: 100 });
  const sentence =
    "measured on the embedded server (PouchDB); for CouchDB's own figures: npx --no-install couch-advisor confirm --docker";
  expect(text.replaceAll(/\s+/g, ' ').split(sentence)).toHaveLength(2);
  expect(renderConfirmText(confirmationOf())).not.toContain('--docker');
});
