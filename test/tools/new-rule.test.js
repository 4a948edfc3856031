// The scaffold writes a folder that is complete in form and that the test of rules refuses until it is filled.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { Ajv } from 'ajv';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { caseFault } from '../../lib/engine/cases.js';
import { ruleFaults } from '../../lib/engine/check-rule.js';
import { factCatalog } from '../helpers/internals.js';
import { isLong } from '../helpers/long.js';
import { readRuleFolder, readRulesJson } from '../helpers/rule-folders.js';
import { examplesOf, headingFaults, refreshPage } from '../helpers/rule-page.js';
import { root } from '../helpers/run-cli.js';
import { denseCases, survivingMutants } from '../helpers/strict-cases.js';

const tool = path.join(import.meta.dirname, 'new-rule.js');

/** @type {string} */
let rules;
beforeEach(() => {
  rules = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-new-'));
});
afterEach(() => {
  rmSync(rules, { recursive: true });
});

/** @param {string} id */
const run = (id) => spawnSync(process.execPath, [tool, id, rules], { encoding: 'utf8' });

test('writes a folder in the right form that is not yet a rule', () => {
  expect(run('view/many-emits')).toMatchObject({ status: 0, stderr: '' });
  const folder = readRuleFolder('view/many-emits', path.join(rules, 'view/many-emits'));
  const { rule, cases, page } = folder;
  const { folder: _, ...written } = rule;
  const ajv = new Ajv({ allowUnionTypes: true });
  expect(ajv.validate(readRulesJson('rule.schema.json'), written), JSON.stringify(ajv.errors)).toBe(true);
  expect(ajv.validate(readRulesJson('cases.schema.json'), cases), JSON.stringify(ajv.errors)).toBe(true);
  expect(cases.map((row) => caseFault(rule, row))).toEqual(cases.map(() => undefined));
  expect(survivingMutants(rule, cases, new Map([['replace.thisFact', { type: 'boolean' }]]))).toEqual([]);
  expect(headingFaults(page, rule)).toEqual([]);
  expect(examplesOf(page)).toMatchObject({ flagged: [{ files: [{ name: 'orders.json' }] }], notFlagged: [{}] });
  expect(page).toContain('REPLACE');
  expect(rule.status).toBe('draft');
  const faults = ruleFaults(rule, 'view/many-emits', { facts: factCatalog, fixes: new Set() });
  expect(faults.map(({ message }) => message)).toContainEqual(expect.stringContaining('the unknown fact'));
});

test.runIf(isLong)('writes files as `npm run lint` and the test of rules want them', () => {
  run('view/many-emits');
  const folder = path.join(rules, 'view/many-emits');
  const { cases } = readRuleFolder('view/many-emits', folder);
  expect(readFileSync(path.join(folder, 'cases.json'), 'utf8')).toBe(denseCases(cases));
  const input = readFileSync(path.join(folder, 'rule.json'), 'utf8');
  const biome = path.join(root, 'node_modules/@biomejs/biome/bin/biome');
  const args = [biome, 'format', '--stdin-file-path=rules/view/many-emits/rule.json'];
  expect(spawnSync(process.execPath, args, { cwd: root, input, encoding: 'utf8' })).toMatchObject({
    status: 0,
    stdout: input,
  });
});

test('says what is missing where an example asks for a fact that does not exist', async () => {
  run('view/many-emits');
  const { rule, page } = readRuleFolder('view/many-emits', path.join(rules, 'view/many-emits'));
  expect((await refreshPage(page, rule)).faults).toContain('`first-question` uses the unknown fact `replace.thisFact`');
});

test('does not write over a folder', () => {
  run('view/many-emits');
  expect(run('view/many-emits')).toMatchObject({ status: 2, stderr: expect.stringContaining('exists already') });
});

test.each(['many-emits', 'view/ManyEmits', '../view/x', 'view/many emits', ''])('refuses the name "%s"', (id) => {
  expect(run(id)).toMatchObject({ status: 2, stderr: expect.stringContaining('npm run new view/') });
});
