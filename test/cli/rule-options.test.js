// `--rule`: an id selects a rule, an id with a severity sets that of the rule for this run.

import { describe, expect, test } from 'vitest';
import { createProject, ordersWith } from '../helpers/temporary-project.js';

const RULE = 'reduce/unknown-builtin';
const OTHER = 'view/emit-whole-doc';

const map = 'function (doc) { emit(doc.date, doc); }';
/** Both rules find something: one a warning, the other an info. @param {object} [more] */
const shop = (more = {}) =>
  createProject({
    'orders.json': ordersWith('_sum;'),
    'stock.json': { _id: '_design/stock', views: { all: { map } } },
    ...more,
  });

/** @param {{rule: string, severity: string}[]} findings */
const severities = (findings) =>
  Object.fromEntries(
    findings.filter(({ rule }) => rule === RULE || rule === OTHER).map(({ rule, severity }) => [rule, severity]),
  );

describe('--rule', () => {
  test('with a severity sets it, and every rule runs', async () => {
    const { findings, exitCode } = await shop().lint(['--rule', `${RULE}=error`]);
    expect(severities(findings)).toEqual({ [RULE]: 'error', [OTHER]: 'info' });
    expect(exitCode).toBe(1);
  });

  test('with off turns the rule off, and every other rule runs', async () => {
    const { findings, exitCode } = await shop().lint([`--rule=${RULE}=off`]);
    expect(severities(findings)).toEqual({ [OTHER]: 'info' });
    expect(exitCode).toBe(0);
  });

  test('without one selects the rule, and both may be given', async () => {
    const project = shop();
    expect(severities((await project.lint(['--rule', RULE])).findings)).toEqual({ [RULE]: 'warning' });
    const both = await project.lint(['--rule', RULE, '--rule', `${RULE}=info`]);
    expect(both.findings.map(({ rule, severity }) => [rule, severity])).toEqual([[RULE, 'info']]);
  });

  test('wins over the configuration and its overrides; the last one counts', async () => {
    const project = shop({
      'couch-advisor.config.json': {
        rules: { [RULE]: 'off' },
        overrides: [{ files: ['*.json'], rules: { [OTHER]: 'error' } }],
      },
    });
    const { findings } = await project.lint([
      ...['--rule', `${RULE}=off`, '--rule', `${RULE}=info`],
      ...['--rule', `${OTHER}=warning`],
    ]);
    expect(severities(findings)).toEqual({ [RULE]: 'info', [OTHER]: 'warning' });
  });

  test('keeps the thresholds that the configuration sets', async () => {
    const views = { a: { map }, b: { map: map.replace('date', 'town') } };
    const project = createProject({
      'couch-advisor.config.json': { rules: { [OTHER]: { thresholds: { 'copy-count': 3 } } } },
      'copies.json': { _id: '_design/copies', views },
    });
    const { codes, findings } = await project.lint(['--rule', OTHER, '--rule', `${OTHER}=error`]);
    expect(new Set(codes)).toEqual(new Set([`${OTHER}#copies-document`]));
    expect(findings[0]?.severity).toBe('error');
  });

  test.each([['reduce/*'], ['reduce']])('with %s runs a family', async (family) => {
    const { findings } = await shop().lint(['--rule', family]);
    expect(severities(findings)).toEqual({ [RULE]: 'warning' });
  });

  test('sets the severity of a family; that of a rule in it wins', async () => {
    const argv = ['--rule', `${RULE}=error`, '--rule', 'reduce/*=off', '--rule', 'view=error'];
    expect(severities((await shop().lint(argv)).findings)).toEqual({ [RULE]: 'error', [OTHER]: 'error' });
    const off = ['--rule', 'reduce=off', '--rule', 'view=off'];
    expect(severities((await shop().lint(off)).findings)).toEqual({});
  });

  test('the configuration, its overrides and its ignores take families too', async () => {
    const project = shop({
      'couch-advisor.config.json': {
        rules: { 'reduce/*': 'info', [OTHER]: 'error', 'view/*': 'off' },
        overrides: [{ files: ['stock.json'], rules: { view: 'warning' } }],
      },
    });
    expect(severities((await project.lint()).findings)).toEqual({ [RULE]: 'info', [OTHER]: 'warning' });
    const ignore = [{ rule: 'view/*', file: 'stock.json', reason: 'a copy is wanted' }];
    project.write({ 'couch-advisor.config.json': { ignore } });
    const { findings, silenced } = await project.lint();
    expect(severities(findings)).toEqual({ [RULE]: 'warning' });
    expect(silenced).toMatchObject({ ignored: 1 });
    // Whether a rule of the family that did not run would have found something cannot be known.
    expect((await project.lint(['--rule', 'ignore', '--rule', 'view/fan-out'])).codes).toEqual([]);
  });

  test('a comment ignores a family', async () => {
    const project = createProject({
      'ddocs/a/views/all/map.js':
        'function (doc) {\n  // couch-advisor-ignore-next-line view -- a copy is wanted\n  emit(doc.date, doc);\n}\n',
      'ddocs/a/_id': '_design/a',
    });
    expect((await project.lint()).codes.filter((code) => /^(?:view|ignore)/.test(code))).toEqual([]);
  });

  test('--print-config says where a family was set', async () => {
    const rules = { 'view/*': 'off', [OTHER]: 'error' };
    const project = shop({ 'couch-advisor.config.json': { rules } });
    const printed = JSON.parse((await project.run(['lint', '--print-config', 'orders.json'])).stdout).rules;
    expect(printed['view/fan-out']).toMatchObject({ severity: 'off', from: 'couch-advisor.config.json:3:5' });
    expect(printed[OTHER]).toMatchObject({ severity: 'error', from: 'couch-advisor.config.json:4:5' });
  });

  test.each([
    [
      'a severity that does not exist',
      [`${RULE}=warn`],
      'invalid severity in',
      'must be one of off, error, warning, info',
    ],
    ['a misspelt severity', [`${RULE}=eror`], 'invalid severity in', 'did you mean `error`?'],
    ['an empty severity', [`${RULE}=`], 'invalid severity in', 'must be one of off'],
    ['two severities', [`${RULE}=off=error`], 'invalid severity in', 'must be one of off'],
    ['a rule that does not exist', ['reduce/unknown-bultin=off'], 'unknown rule', `did you mean \`${RULE}\`?`],
    ['a family that does not exist', ['reduces'], 'unknown rule `reduces`', 'did you mean `reduce/*`?'],
    ['a member of objects', ['__proto__=off'], 'unknown rule `__proto__`', 'couch-advisor rules'],
    [
      'a rule that is not run',
      [OTHER, `${RULE}=error`],
      `\`--rule ${RULE}=error\` has no effect: only other rules run`,
      `add --rule ${RULE}`,
    ],
  ])('with %s is an error', async (_, values, message, hint) => {
    const argv = ['lint', ...values.flatMap((value) => ['--rule', value])];
    const { stdout, stderr, exitCode } = await shop().run(argv);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
  });
});
