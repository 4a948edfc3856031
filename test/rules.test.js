// Every rule folder keeps what CONTRIBUTING.md promises of it. Authors write no test code: this file is all of it. The short set runs all cases and
// the first example of what is flagged; the long set adds the mutants, all examples and the fixes.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { caseFault } from '../lib/engine/cases.js';
import { ruleFaults } from '../lib/engine/check-rule.js';
import { fixes } from '../lib/engine/fixes/index.js';
import { factCatalog } from './helpers/internals.js';
import { isLong, sample } from './helpers/long.js';
import { readLinks } from './helpers/markdown.js';
import { messageFaults, wordFaults } from './helpers/plain-words.js';
import { evidenceFaults } from './helpers/rule-evidence.js';
import { readRuleFolders, readRulesJson, rulesRoot } from './helpers/rule-folders.js';
import { examplesOf, headingFaults, refreshParts, runRuleExample } from './helpers/rule-page.js';
import { rulesIndex } from './helpers/rules-index.js';
import { runExample } from './helpers/run-example.js';
import { denseCases, duplicateCases, missingLimitCases, survivingMutants } from './helpers/strict-cases.js';

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
const fitsRuleSchema = ajv.compile(readRulesJson('rule.schema.json'));
const fitsCasesSchema = ajv.compile(readRulesJson('cases.schema.json'));
const known = { facts: factCatalog, fixes: new Set(fixes.keys()) };
const folders = readRuleFolders();

test('there are rules', () => {
  expect(folders.length).toBeGreaterThan(15);
});

test('rules/README.md is fresh (npm run docs)', () => {
  expect(readFileSync(path.join(rulesRoot, 'README.md'), 'utf8')).toBe(rulesIndex(folders, factCatalog, fixes));
});

describe.each(folders.map((folder) => ({ ...folder, name: folder.id })))('$name', (given) => {
  const { id, folder, rule, cases, page } = given;
  const problems = Object.entries(rule.outcomes).filter(([, { verdict }]) => verdict === 'problem');

  test('fits the schemas', () => {
    fitsRuleSchema(readRulesJson(`${id}/rule.json`));
    expect(fitsRuleSchema.errors ?? []).toEqual([]);
    fitsCasesSchema(cases);
    expect(fitsCasesSchema.errors ?? []).toEqual([]);
  });

  test('has one case a line, as `npm run format` writes them', () => {
    expect(readFileSync(path.join(folder, 'cases.json'), 'utf8')).toBe(denseCases(cases));
  });

  test('has nothing left of the scaffold', () => {
    expect(JSON.stringify([rule, cases, page]).match(/REPLACE\b.{0,40}/g) ?? []).toEqual([]);
  });

  test('has a whole tree, known facts and fixes, and texts that keep the grammar', () => {
    expect(ruleFaults(rule, id, known)).toEqual([]);
  });

  test('saves what was measured', () => {
    if (rule.saves === undefined || rule.saves === 1) return;
    const family = folders.filter((other) => other.id.split('/')[0] === id.split('/')[0]);
    const texts = family.flatMap((other) => Object.values(other.rule.outcomes).map(({ why = '' }) => why));
    const figure = new RegExp(`(?<![\\d.])${String(rule.saves).replace('.', '\\.')}(?: to [\\d.]+)? times`);
    expect(texts.filter((text) => figure.test(text))).not.toEqual([]);
  });

  test.each(cases)('case: $name', (row) => {
    expect(caseFault(rule, row)).toBeUndefined();
  });

  test('has cases that reach each outcome, and none twice', () => {
    const reached = new Set(cases.map(({ outcome }) => outcome));
    expect(Object.keys(rule.outcomes).filter((outcome) => !reached.has(outcome))).toEqual([]);
    expect(duplicateCases(cases)).toEqual([]);
  });

  test('has cases below, at and above each limit', () => {
    expect(missingLimitCases(rule, cases, factCatalog)).toEqual([]);
  });

  test.runIf(isLong)('has cases that notice every small mistake in the tree', () => {
    expect(survivingMutants(rule, cases, factCatalog)).toEqual([]);
  });

  test('has a page with its headings in order, live links and fresh generated parts (npm run docs)', () => {
    expect(headingFaults(page, rule)).toEqual([]);
    const local = readLinks(page).filter(({ target }) => !/^(https?:|#)/.test(target));
    expect(local.filter(({ target }) => !existsSync(path.join(folder, target.split('#')[0] ?? '')))).toEqual([]);
    expect(refreshParts(page, rule)).toBe(page);
    expect(page).toContain('<!-- tree -->\n```text\n');
  });

  test('says of what it claims on which CouchDB it was tried, and quotes no other version', () => {
    const texts = problems.map(([, { message, why = '', advice = '' }]) => [message, why, advice]).join(' ');
    expect(evidenceFaults(page, texts)).toEqual([]);
  });

  test('says it in plain words', () => {
    const { title, questions, outcomes } = rule;
    const texts = [title, ...Object.values(questions).map(({ because }) => because)];
    for (const { message, why = '', advice = '' } of Object.values(outcomes)) texts.push(message, why, advice);
    expect(texts.flatMap((text) => wordFaults(text).map((fault) => `${fault} in: ${text}`))).toEqual([]);
    expect(wordFaults(page)).toEqual([]);
    expect(
      problems.flatMap(([, { message }]) => messageFaults(message).map((fault) => `${fault}: ${message}`)),
    ).toEqual([]);
  });

  const { flagged, notFlagged } = examplesOf(page);

  test.runIf(isLong)('shows an example of each problem', async () => {
    const shown = new Set();
    for (const example of flagged) {
      const { findings, faults } = await runRuleExample(example, rule);
      expect(faults).toEqual([]);
      for (const finding of findings) if (finding.rule === id) shown.add(finding.outcome);
    }
    expect(problems.map(([outcome]) => outcome).filter((outcome) => !shown.has(outcome))).toEqual([]);
  });

  const numbered = (/** @type {typeof flagged} */ examples) =>
    examples.map((example, index) => ({ example, number: index + 1 }));

  test.each(sample(numbered(flagged), 1))(
    'gives what flagged example $number shows (npm run docs)',
    async ({ example }) => {
      const { text, findings, faults } = await runRuleExample(example, rule);
      expect(faults).toEqual([]);
      expect(findings.map((finding) => finding.rule)).toContain(id);
      expect(example.output?.text.trim()).toBe(text.trim());
    },
  );

  test('shows examples, and one that is not flagged', () => {
    expect(flagged.length > 0 || problems.length === 0).toBe(true);
    expect(notFlagged).not.toEqual([]);
  });

  test.skipIf(!isLong).each(numbered(notFlagged))(
    'finds nothing in example $number of what is not flagged',
    async ({ example }) => {
      const { findings, faults } = await runRuleExample(example, rule);
      expect(faults).toEqual([]);
      expect(findings.filter((finding) => finding.rule === id)).toEqual([]);
    },
  );

  const fixable = problems.filter(([, { fix }]) => fix !== undefined).map(([outcome]) => outcome);
  test.skipIf(!isLong).each(fixable)('mends `%s` in an example', async (outcome) => {
    let mended = 0;
    for (const example of flagged) {
      const { files, target } = example;
      const before = await runRuleExample(example, rule);
      const keys = before.findings
        .filter((finding) => finding.outcome === outcome && finding.fix)
        .map(({ key }) => key);
      if (keys.length === 0) continue;
      const after = await runExample(files, { rule, target, fix: true });
      expect(after.faults).toEqual([]);
      expect(after.findings.filter((finding) => keys.includes(finding.key))).toEqual([]);
      expect(after.files).not.toEqual(files);
      mended += keys.length;
    }
    expect(mended).toBeGreaterThan(0);
  });
});
