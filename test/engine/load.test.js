import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { globSync } from 'tinyglobby';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadRules } from '../../lib/index.js';
import { root } from '../helpers/run-cli.js';

/** @import { Rule } from '../../lib/engine/rule.js' */

const bundled = path.join(root, 'rules');

/** @returns {Rule} a sound rule of a user, about facts that exist */
const ownRule = () => ({
  id: 'shop/many-views',
  title: 'A design document with many views',
  status: 'stable',
  since: '1.0.0',
  severity: 'info',
  subject: 'design-doc',
  needs: ['design-docs'],
  sources: ['our handbook'],
  start: 'views',
  questions: {
    views: {
      fact: 'ddoc.viewCount',
      operator: 'above',
      value: 10,
      because: 'our handbook says ten',
      yes: 'many',
      no: 'few',
    },
  },
  outcomes: {
    many: {
      verdict: 'problem',
      message: '`{subject}` has {ddoc.viewCount} views',
      why: 'All are rebuilt together.',
      advice: 'Split the design document.',
    },
    few: { verdict: 'fine', message: 'there are few views' },
  },
});

/** @type {string} */
let folder;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-rules-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/**
 * @param {string} id
 * @param {unknown} rule an object, or a text as it is
 * @returns {string} the file
 */
function put(id, rule) {
  const file = path.join(folder, id, 'rule.json');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof rule === 'string' ? rule : JSON.stringify(rule, null, 2));
  return file;
}

test('gives the bundled rules in order, each with its folder', async () => {
  const { rules, errors } = await loadRules();
  expect(errors).toEqual([]);
  const ids = rules.map(({ id }) => id);
  expect(ids).toEqual([...ids].sort());
  expect(ids).toEqual(
    globSync('*/*/rule.json', { cwd: bundled })
      .map((file) => path.dirname(file))
      .sort(),
  );
  for (const rule of rules) expect(rule.folder).toBe(path.join(bundled, rule.id));
});

test('adds a rule of the user', async () => {
  put('shop/many-views', ownRule());
  const { rules, errors } = await loadRules([folder]);
  expect(errors).toEqual([]);
  expect(rules.find(({ id }) => id === 'shop/many-views')?.folder).toBe(path.join(folder, 'shop/many-views'));
});

test('takes one good rule beside a broken one', async () => {
  put('shop/many-views', ownRule());
  put('shop/broken', '{');
  const { rules, errors } = await loadRules([folder]);
  expect(rules.some(({ id }) => id === 'shop/many-views')).toBe(true);
  expect(errors).toHaveLength(1);
});

describe('tells of', () => {
  test('a folder that is not there', async () => {
    const missing = path.join(folder, 'nowhere');
    const { errors } = await loadRules([missing]);
    expect(errors).toEqual([
      {
        code: 'bad-rule',
        message: 'cannot read the rule folder (ENOENT)',
        hint: 'check `ruleFolders` in the configuration',
        place: { file: missing, line: 1, column: 1 },
      },
    ]);
  });

  test('a folder without rules', async () => {
    const { errors } = await loadRules([folder]);
    expect(errors[0]).toMatchObject({ message: 'the rule folder contains no rules' });
  });

  test('a folder of a rule without the rule', async () => {
    mkdirSync(path.join(folder, 'shop/empty'), { recursive: true });
    const { errors } = await loadRules([folder]);
    expect(errors[0]).toMatchObject({ message: 'cannot read the rule (ENOENT)' });
  });

  test('a rule that is not JSON, at the place', async () => {
    const file = put('shop/many-views', '{\n  "id": "shop/many-views",\n  oops\n}');
    const { errors } = await loadRules([folder]);
    expect(errors[0]).toMatchObject({ message: 'the rule is not valid JSON', place: { file, line: 3, column: 3 } });
  });

  test('a rule that exists already', async () => {
    put('map/unguarded-access', { ...ownRule(), id: 'map/unguarded-access' });
    const { errors } = await loadRules([folder]);
    expect(errors[0]).toMatchObject({ message: 'rule `map/unguarded-access` already exists' });
  });

  test('the same rule in two folders', async () => {
    put('shop/many-views', ownRule());
    const { rules, errors } = await loadRules([folder, folder]);
    expect(rules.filter(({ id }) => id === 'shop/many-views')).toHaveLength(1);
    expect(errors[0]).toMatchObject({ message: 'rule `shop/many-views` already exists' });
  });

  const rule = ownRule();
  const { views } = rule.questions;
  test.each([
    [
      'an unknown key',
      { ...rule, severty: 'info' },
      'unknown key `severty` in the rule',
      'did you mean `severity`?',
      'severty',
    ],
    [
      'a key of a question',
      { ...rule, questions: { views: { ...views, opertor: 'above' } } },
      'unknown key `opertor` in `questions.views`',
      'did you mean `operator`?',
      'opertor',
    ],
    [
      'a word that is not possible',
      { ...rule, severity: 'warn' },
      'invalid value "warn" for `severity`',
      'must be one of error, warning, info',
      'severity',
    ],
    ['a missing key', { ...rule, start: undefined }, 'missing key `start` in the rule', 'add it', undefined],
    [
      'another type',
      { ...rule, sources: 'our handbook' },
      '`sources` must be an array, not a string',
      undefined,
      'sources',
    ],
    [
      'an id of another form',
      { ...rule, id: 'Shop/ManyViews' },
      'invalid value "Shop/ManyViews" for `id`',
      expect.stringContaining('folder'),
      'id',
    ],
    [
      'a name of another form',
      { ...rule, outcomes: { ...rule.outcomes, constructor: rule.outcomes['few'] } },
      'invalid name `constructor` in `outcomes`',
      'use lowercase letters, digits and hyphens, starting with a letter',
      'constructor',
    ],
    ['an empty list', { ...rule, needs: [] }, '`needs` must have at least 1 item', expect.any(String), 'needs'],
    [
      'an unknown fact',
      { ...rule, questions: { views: { ...views, fact: 'ddoc.viewCont' } } },
      '`views` uses the unknown fact `ddoc.viewCont`',
      'did you mean `ddoc.viewCount`?',
      'fact',
    ],
    [
      'an unknown branch',
      { ...rule, questions: { views: { ...views, no: 'fw' } } },
      '`views` leads to `fw`, which is neither a question nor an outcome',
      'did you mean `few`?',
      'no',
    ],
  ])('%s, at its key', async (_, broken, message, hint, key) => {
    const file = put('shop/many-views', broken);
    const { rules, errors } = await loadRules([folder]);
    expect(rules.some(({ id }) => id === 'shop/many-views')).toBe(false);
    const error = errors.find((candidate) => candidate.message === message);
    expect(error, JSON.stringify(errors)).toMatchObject({ code: 'bad-rule', place: { file } });
    expect(error?.hint).toEqual(hint);
    if (key === undefined) return;
    const lines = JSON.stringify(broken, null, 2).split('\n');
    expect(lines[(error?.place?.line ?? 0) - 1]?.slice((error?.place?.column ?? 0) - 1)).toMatch(
      new RegExp(`^"${key}"`),
    );
  });
});
