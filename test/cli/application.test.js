// Calls in the code of an application, through the whole program: where they are found, named files, ignores, notes and formats.

import { describe, expect, test } from 'vitest';
import { createProject } from '../helpers/temporary-project.js';

const DATABASE = "const nano = require('nano');\nexports.shop = nano(process.env.COUCHDB_URL).use('shop');\n";
const LOOP = `import { shop } from './database';

export async function load(ids: string[]): Promise<unknown[]> {
  const orders: unknown[] = [];
  for (const id of ids) {
    orders.push(await shop.get(id));
  }
  return orders;
}
`;
const LOOP_IN_JAVASCRIPT = `const shop = require('nano')(process.env.COUCHDB_URL).use('shop');
exports.load = async (ids) => {
  for (const id of ids) await shop.get(id);
};
`;
const RULE = 'call/get-in-loop';
const FOUND = `lib/orders.ts:6:23 warning ${RULE}#documents-one-by-one`;

/**
 * @param {Record<string, string>} files
 * @param {string[]} args
 * @returns {Promise<{stdout: string, stderr: string, exitCode: number}>}
 */
async function lint(files, ...args) {
  return createProject(files).run(['lint', ...args]);
}

describe('a call is reported', () => {
  test('where it stands, with the client in another file', async () => {
    const { stdout, exitCode } = await lint({ 'lib/database.js': DATABASE, 'lib/orders.ts': LOOP });
    expect(stdout).toContain(FOUND);
    expect(stdout).toContain('1 warning in 1 file and 1 call');
    expect(exitCode).toBe(0);
  });

  test('where only its file is named', async () => {
    const { stdout } = await lint({ 'lib/database.js': DATABASE, 'lib/orders.ts': LOOP }, 'lib/orders.ts');
    expect(stdout).toContain(FOUND);
  });

  test('where a pattern names it', async () => {
    const { stdout } = await lint({ 'lib/database.js': DATABASE, 'lib/orders.ts': LOOP }, 'lib/*.ts');
    expect(stdout).toContain(FOUND);
  });

  test('in every format, at its place', async () => {
    const project = createProject({ 'lib/database.js': DATABASE, 'lib/orders.ts': LOOP });
    for (const format of ['compact', 'json', 'sarif', 'github', 'junit', 'gitlab', 'html']) {
      const { stdout } = await project.run(['lint', '--format', format]);
      expect(stdout, format).toContain('lib/orders.ts');
      expect(stdout, format).toContain(RULE);
    }
  });

  test('once: the second run has it from the cache of reports', async () => {
    const project = createProject({ 'lib/database.js': DATABASE, 'lib/orders.ts': LOOP });
    const first = await project.run(['lint']);
    expect((await project.run(['lint'])).stdout).toBe(first.stdout);
  });
});

describe('a call is not reported', () => {
  test.each([
    [
      'below a comment that ignores it',
      LOOP.replace('    orders.push', `    // couch-advisor-ignore-next-line ${RULE} -- few\n    orders.push`),
    ],
    [
      'in a line with such a comment',
      LOOP.replace('shop.get(id));', `shop.get(id)); // couch-advisor-ignore-line ${RULE} -- few`),
    ],
    ['in a file that ignores it', `// couch-advisor-ignore-file ${RULE} -- few\n${LOOP}`],
  ])('%s', async (_, text) => {
    const { stdout } = await lint({ 'lib/database.js': DATABASE, 'lib/orders.ts': text });
    expect(stdout).toContain('no problems in 1 file and 1 call');
    expect(stdout).toContain('1 ignored');
  });

  test.each([
    'test/orders.ts',
    'lib/orders.spec.ts',
    'lib/__tests__/orders.ts',
    'node_modules/shop/orders.ts',
    'lib/orders.d.ts',
  ])('in %s', async (path) => {
    const { stdout } = await lint({
      'lib/database.js': DATABASE,
      [path]: LOOP.replace('./database', '../lib/database'),
    });
    expect(stdout).not.toContain(RULE);
  });

  test('in the baseline', async () => {
    const project = createProject({ 'lib/database.js': DATABASE, 'lib/orders.ts': LOOP });
    await project.run(['lint', '--write-baseline', 'baseline.json']);
    project.write({ 'lib/orders.ts': `\n\n${LOOP}` });
    const { stdout } = await project.run(['lint', '--baseline', 'baseline.json']);
    expect(stdout).toContain('1 in the baseline');
  });
});

test('code that runs once by its folder is reported only where that folder is named', async () => {
  const project = createProject({ 'examples/lib/database.js': DATABASE, 'examples/lib/orders.ts': LOOP });
  expect((await project.run(['lint'])).stdout).not.toContain(RULE);
  expect((await project.run(['lint', 'examples/lib/orders.ts'])).stdout).not.toContain(RULE);
  expect((await project.run(['lint', 'examples'])).stdout).toContain(RULE);
});

test('an ignore of a call that silences nothing is reported', async () => {
  const text = LOOP.replace(
    'for (const id of ids)',
    `// couch-advisor-ignore-next-line ${RULE} -- few\n  if (ids.length > 0)`,
  ).replaceAll('(id)', '(ids[0])');
  const { stdout } = await lint({ 'lib/database.js': DATABASE, 'lib/orders.ts': text });
  expect(stdout).toContain('ignore/unused');
});

describe('what is not read is named', () => {
  test('code that does not parse, with its place', async () => {
    const { stdout, stderr } = await lint(
      {
        'lib/database.js': DATABASE,
        'lib/orders.ts': LOOP,
        'lib/broken.ts': "import { shop } from './database';\nshop.get(;\n",
      },
      '--verbose',
    );
    expect(stdout).toContain(FOUND);
    expect(stdout + stderr).toContain('lib/broken.ts');
    expect(stdout + stderr).toMatch(/calls are not read: .* \(2:10\)/);
  });

  test('code of many megabytes', async () => {
    const large = `${DATABASE}// ${'x'.repeat(100)}\n`.repeat(20_000);
    const { stdout, stderr } = await lint(
      { 'lib/database.js': DATABASE, 'lib/orders.ts': LOOP, 'lib/large.js': large },
      '--verbose',
    );
    expect(stdout).toContain(FOUND);
    expect(stdout + stderr).toMatch(/lib\/large\.js.*larger than 2 MB/);
  });

  test.each([
    ['dist/orders.js', LOOP_IN_JAVASCRIPT],
    ['lib/built.js', `${LOOP_IN_JAVASCRIPT}//# sourceMappingURL=built.js.map\n`],
    ['lib/bundle.js', `${LOOP_IN_JAVASCRIPT}module.exports = __webpack_require__(1);\n`],
  ])('what a compiler or bundler wrote, unless its path is given: %s', async (path, text) => {
    const project = createProject({ 'lib/database.js': DATABASE, 'lib/orders.ts': LOOP, [path]: text });
    const { stdout, stderr } = await project.run(['lint', '--debug']);
    expect(stdout).toContain('1 warning in 1 file and 1 call');
    expect(stdout + stderr).toContain(`${path}: not read, built from other code`);
    expect((await project.run(['lint', path])).stdout).toContain(`${path}:3`);
  });

  test.each(['export const limit: number = 10;\n', ''])('a named file without calls', async (text) => {
    const { stdout, exitCode } = await lint({ 'lib/empty.ts': text }, 'lib/empty.ts');
    expect(stdout).toContain('no design document, Mango index or call of a CouchDB client in lib/empty.ts');
    expect(exitCode).toBe(3);
  });

  test('a named file of many megabytes', async () => {
    const text = `${DATABASE}// ${'x'.repeat(100)}\n`.repeat(20_000);
    const { stdout, stderr } = await lint(
      { 'lib/large.js': text, 'lib/orders.ts': LOOP, 'lib/database.js': DATABASE },
      'lib',
      'lib/large.js',
      '--verbose',
    );
    expect(stdout + stderr).toMatch(/lib\/large\.js.*larger than 2 MB/);
  });
});

test('the facts of a call can be printed', async () => {
  const project = createProject({ 'lib/database.js': DATABASE, 'lib/orders.ts': LOOP });
  const { stdout } = await project.run(['facts', 'lib/orders.ts']);
  expect(stdout).toMatch(/call\.method +get/);
  expect(stdout).toMatch(/call\.loopPurpose +each/);
});
