// `rule new` and `rule test`: rules of the user, from the scaffold to their cases.

import { describe, expect, test } from 'vitest';
import { createProject, ordersWith } from '../helpers/temporary-project.js';

const ID = 'shop/many-emits';
const RULE = `couch-rules/${ID}/rule.json`;
const CASES = `couch-rules/${ID}/cases.json`;
const CONFIG = { 'couch-advisor.config.json': { ruleFolders: ['couch-rules'] } };

/** @param {Record<string, string | object>} [files] */
async function projectWithRule(files = {}) {
  const project = createProject({ ...CONFIG, ...files });
  expect(await project.run(['rule', 'new', ID])).toMatchObject({ exitCode: 0, stderr: '' });
  return project;
}

describe('rule new', () => {
  test('writes a rule that works, whose cases hold', async () => {
    const map = 'function (doc) { emit(1); emit(2); emit(3); emit(4); }';
    const project = await projectWithRule({ 'orders.json': { _id: '_design/orders', views: { all: { map } } } });
    expect((await project.lint(['--rule', 'shop'])).codes).toEqual([`${ID}#several`]);
    expect(await project.run(['rule', 'test'])).toEqual({
      exitCode: 0,
      stdout: `${ID}: 3 cases, all hold\n`,
      stderr: '',
    });
    expect(JSON.parse(project.read(RULE)).$schema).toBe('../../../node_modules/couch-advisor/rules/rule.schema.json');
  });

  test('says what the configuration lacks', async () => {
    const { stdout } = await createProject().run(['rule', 'new', ID]);
    expect(stdout).toContain(
      `wrote ${RULE}\nwrote ${CASES}\nAdd to couch-advisor.config.json: "ruleFolders": ["couch-rules"]\n`,
    );
  });

  test.each([
    [[], 'requires one id'],
    [['many-emits'], 'requires one id'],
    [['Shop/x'], 'requires one id'],
    [['../x'], 'requires one id'],
    [['shop/a', 'shop/b'], 'requires one id'],
    [['view/fan-out'], 'already exists'],
  ])('with %j is an error, and nothing is written', async (ids, message) => {
    const project = createProject(CONFIG);
    const { exitCode, stdout, stderr } = await project.run(['rule', 'new', ...ids]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  test('does not write over a rule', async () => {
    const project = await projectWithRule();
    const before = project.read(RULE);
    expect(await project.run(['rule', 'new', ID])).toMatchObject({ exitCode: 2 });
    expect(project.read(RULE)).toBe(before);
  });
});

describe('rule test', () => {
  test('prints each case that fails, and each outcome without a case', async () => {
    const project = await projectWithRule();
    const cases = [
      { name: 'four calls are too many', facts: { 'view.emitCalls': ['a', 'b', 'c', 'd'] }, outcome: 'few' },
      { name: 'it names too much', facts: { 'view.emitCalls': [], 'view.emitsWholeDoc': true }, outcome: 'few' },
      { name: 'it names too little', facts: { 'view.emitsWholeDoc': true }, outcome: 'few' },
    ];
    project.write({ [CASES]: cases });
    expect(await project.run(['rule', 'test', 'shop/*'])).toEqual({
      exitCode: 1,
      stderr: '',
      stdout: `${ID}: 3 of 3 cases fail
  "four calls are too many": the outcome is \`several\`, not \`few\`
  "it names too much": the rule does not use \`view.emitsWholeDoc\` on this path
  "it names too little": the rule uses \`view.emitCalls\`, which the case does not give
  no case ends in \`several\`
  no case ends in \`cannot-tell\`
`,
    });
  });

  test('cases that do not fit their schema fail', async () => {
    const project = await projectWithRule();
    project.write({ [CASES]: [{ name: 'a case of a rule', fact: {}, outcome: 'few' }, {}] });
    const { exitCode, stdout } = await project.run(['rule', 'test']);
    expect(exitCode).toBe(1);
    expect(stdout).toContain(`${CASES}: unknown key \`fact\` in \`0\` (did you mean \`facts\`?)\n`);
    project.write({ [CASES]: '[' });
    expect((await project.run(['rule', 'test'])).stdout).toBe(`${CASES}: it is not valid JSON\n`);
  });

  test('a rule that is not sound is an error, and the cases of the others are run', async () => {
    const project = await projectWithRule();
    await project.run(['rule', 'new', 'shop/other']);
    project.write({ [RULE]: project.read(RULE).replaceAll('view.emitCalls', 'view.emitCals') });
    const { exitCode, stdout, stderr } = await project.run(['rule', 'test']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: 'shop/other: 3 cases, all hold\n' });
    expect(stderr).toContain('did you mean `view.emitCalls`?');
    expect(stderr).toContain(`at ${RULE}:14:7`);
  });

  test.each([
    [['test'], {}, 'the configuration names no folder of rules'],
    [['tset'], {}, 'did you mean `rule test`?'],
    [['toString'], {}, 'unknown action `toString`'],
  ])('%j is an error', async (argv, files, message) => {
    const { exitCode, stderr } = await createProject(files).run(['rule', ...argv]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });

  test('of a rule that does not exist is an error', async () => {
    const project = await projectWithRule();
    expect(await project.run(['rule', 'test', 'shop/many-emit'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`did you mean \`${ID}\`?`),
    });
  });
});

test('one wrong name in a rule or in the configuration does not stop `facts`', async () => {
  const project = await projectWithRule({ 'orders.json': ordersWith() });
  project.write({ [RULE]: project.read(RULE).replaceAll('view.emitCalls', 'view.emitCals') });
  const wrongRule = await project.run(['facts', 'orders.json']);
  expect(wrongRule).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('view.emitCalls') });
  expect(wrongRule.stderr).toContain('did you mean `view.emitCalls`?');
  project.write({ 'couch-advisor.config.json': { rules: { 'view/fan-uot': 'off' } } });
  const wrongName = await project.run(['facts', 'orders.json']);
  expect(wrongName).toMatchObject({ exitCode: 0, stdout: wrongRule.stdout });
  expect(wrongName.stderr).toContain('did you mean `view/fan-out`?');
  expect(await project.run(['lint'])).toMatchObject({ exitCode: 2, stdout: '' });
});

test.each([
  ['contains', '_customer', ['shop/named#named']],
  ['contains', 'x', []],
  ['matches', 'by_*|all', ['shop/named#named']],
  ['matches', 'by', []],
  ['contains', '', undefined],
  ['matches', ['by_*'], undefined],
])('a string is compared with `%s` %j', async (operator, value, codes) => {
  const project = await projectWithRule({
    'orders.json': {
      _id: '_design/orders',
      views: { all: { map: 'function (doc) { emit(doc.a); }', reduce: '_sum' } },
    },
    'app.js': `import nano from 'nano';\nnano('http://x').use('shop').view('orders', 'by_customer', {});\n`,
  });
  const rule = {
    ...JSON.parse(project.read(RULE)),
    id: 'shop/named',
    subject: 'call',
    needs: ['application'],
    start: 'name',
    questions: {
      name: { fact: 'call.viewName', operator, value, because: 'a name of ours', yes: 'named', no: 'other' },
    },
    outcomes: {
      named: {
        verdict: 'problem',
        message: '`{call.viewName}` is queried',
        why: 'It is slow.',
        advice: 'Use another.',
      },
      other: { verdict: 'fine', message: 'another view' },
    },
  };
  project.write({ 'couch-rules/shop/named/rule.json': rule });
  const { codes: found, exitCode } = await project
    .lint(['--rule', 'shop/named'])
    .catch(() => ({ codes: undefined, exitCode: 2 }));
  expect(found).toEqual(codes);
  expect(exitCode).toBe(codes === undefined ? 2 : 0);
});
