// Rounds of fixing over made-up findings: their fixes are real ones, asked for by the id a rule would give.

import { expect, test } from 'vitest';
import { applyFixes } from '../../../lib/engine/fixes/apply-fixes.js';
import { attachFixes } from '../../../lib/engine/fixes/attach.js';
import { createAsk } from '../../../lib/facts/collect.js';
import { createSubjects } from '../../../lib/facts/subjects.js';
import { factCatalog, readJson } from '../../helpers/internals.js';
import { SourceFile } from '../../helpers/read-source.js';

/** @import { Finding } from '../../../lib/engine/findings/finding.js' */

/**
 * @param {SourceFile} file
 * @param {string[]} ids of fixes, asked for at each view
 */
function linksOf(file, ids) {
  const run = createSubjects(readJson(file).records, { version: '3.5' });
  const views = run.subjects.filter((subject) => subject.kind === 'view');
  expect(createAsk(factCatalog)(run, 'target.version')).toMatchObject({ value: '3.5' });
  return views.flatMap((subject) =>
    ids.map((id) => ({
      subject,
      item: undefined,
      finding: /** @type {Finding} */ ({ key: `${subject.name} ${id}`, fix: { id, safe: false, title: '' } }),
    })),
  );
}

/** @param {string} reduce @param {string} [other] */
const fileWith = (reduce, other = '_count') =>
  new SourceFile(
    'orders.json',
    `{"_id":"_design/a","views":{"a":{"map":"x","reduce":"${reduce}"},"b":{"map":"x","reduce":"${other}"}}}`,
  );

test('each finding is told what its fix does, and loses it where nothing can be done', async () => {
  const links = linksOf(fileWith('_sum;'), ['exact-builtin-name', 'no-such-fix']);
  const edits = await attachFixes(links);
  expect([...edits.keys()]).toEqual(['a exact-builtin-name']);
  expect(links.map(({ finding }) => finding.fix)).toEqual([
    { id: 'exact-builtin-name', safe: true, title: 'Write the exact name of the built-in' },
    undefined,
    undefined,
    undefined,
  ]);
});

/** @param {SourceFile} file @param {boolean} [unsafe] @param {string} [id] */
async function mendFile(file, unsafe = false, id = 'exact-builtin-name') {
  let rounds = 0;
  const { last, changes } = await applyFixes(
    { links: linksOf(file, [id]), text: file.text },
    {
      unsafe,
      again: async (texts) => {
        rounds += 1;
        const now = texts.get(file.path) ?? file;
        return { links: linksOf(now, [id]), text: now.text };
      },
    },
  );
  return { rounds, last: last.text, changes: changes.map(({ file: before, text }) => [before, text]) };
}

test('all of a file is fixed at once, against the text it had at first', async () => {
  const file = fileWith('_sum;', ' _stats');
  const fixed = fileWith('_sum', '_stats').text;
  expect(await mendFile(file)).toEqual({ rounds: 1, last: fixed, changes: [[file, fixed]] });
});

test('nothing is judged again where nothing can be fixed', async () => {
  const file = fileWith('_sum');
  expect(await mendFile(file)).toEqual({ rounds: 0, last: file.text, changes: [] });
});

test('fixes that never end are ended', async () => {
  const file = fileWith('_sum;');
  const links = () => linksOf(file, ['exact-builtin-name']);
  let rounds = 0;
  await applyFixes(
    { links: links() },
    {
      unsafe: false,
      again: async () => {
        rounds += 1;
        return { links: links() };
      },
    },
  );
  expect(rounds).toBe(10);
});
