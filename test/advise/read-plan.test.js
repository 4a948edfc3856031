// A plan that `advise` wrote is read back as it was; anything else is one clear error.

import { readFileSync } from 'node:fs';
import Ajv from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { readPlan } from '../../lib/advise/read-plan.js';
import { stringifyJson } from '../../lib/reports/stringify-json.js';
import { emptyPlan, planWithText, shopPlan, unknownPlan } from '../helpers/sample-plan.js';

const schema = JSON.parse(readFileSync(new URL('../../share/schemas/plan.schema.json', import.meta.url), 'utf8'));

/** @param {any} part @returns {any} in which undocumented keys are wrong */
function closed(part) {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== 'object' || part === null) return part;
  const copy = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, closed(value)]));
  return 'properties' in copy && typeof copy['properties'] === 'object' && !('$ref' in copy)
    ? { ...copy, additionalProperties: false }
    : copy;
}

test.each([
  ['of the shop', shopPlan()],
  ['without steps', emptyPlan()],
  ['of unknown figures', unknownPlan()],
  ['of strange names', planWithText('a\u202e`"\n\u0000')],
])('a plan %s is read as it was written, and the schema documents each key', (_, plan) => {
  const text = stringifyJson(plan);
  expect(readPlan(text, 'plan.json')).toEqual(plan);
  const validate = new Ajv.default({ allowUnionTypes: true, validateFormats: false }).compile(closed(schema));
  expect(validate(JSON.parse(text)) || validate.errors).toBe(true);
});

test('keys of later versions are let through', () => {
  expect(readPlan(JSON.stringify({ ...shopPlan(), later: 1 }), 'plan.json')).toMatchObject({ later: 1 });
});

describe('an error names the file and what is wrong', () => {
  /** @param {(plan: any) => void} change @returns {string} */
  const changed = (change) => {
    const plan = shopPlan();
    change(plan);
    return JSON.stringify(plan);
  };
  const withPath = (/** @type {string} */ path) =>
    changed((plan) => {
      plan.steps[0].queries[0].requests.before[0].path = path;
    });
  test.each([
    ['no JSON', '{', 'invalid JSON'],
    ['a list', '[]', 'the whole must be an object'],
    ['another file', '{"version": 1, "kind": "digest"}', 'missing key'],
    ['another version', changed((plan) => (plan.version = 2)), 'must be 1'],
    ['a wrong type', changed((plan) => (plan.steps[0].cost.bytes = 'many')), '`steps.0.cost.bytes` must be'],
    ['an unknown query', changed((plan) => (plan.steps[0].queries[0].query = 'q9')), 'unknown query "q9"'],
    ['two queries of one id', changed((plan) => (plan.queries[1].id = 'q1')), 'two queries have the same id'],
    ['a step out of turn', changed((plan) => (plan.steps[1].number = 7)), '`steps.1.number` must be 2'],
    [
      'requests without a counterpart',
      changed((plan) => plan.steps[0].queries[0].requests.after.pop()),
      '1 requests before and 0 after',
    ],
    ['another server', withPath('http://example.com/'), 'outside of its database'],
    ['another database', withPath('../other/_find'), 'outside of its database'],
    ['another database, encoded', withPath('_design/%2e%2E/%2e./other'), 'outside of its database'],
    ['the server itself', withPath('/_replicate'), 'outside of its database'],
    ['an end of the line', withPath('_find\r\nHost: x'), 'outside of its database'],
  ])('%s', (_, text, message) => {
    expect(() => readPlan(text, 'plan.json')).toThrow(
      expect.objectContaining({
        code: 'bad-plan',
        message: expect.stringMatching(/^plan\.json is not a couch-advisor plan: /),
        hint: expect.stringContaining('advise'),
      }),
    );
    expect(() => readPlan(text, 'plan.json')).toThrow(message);
  });
});
