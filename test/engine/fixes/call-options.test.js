// Fixes of calls: names of options, and regular expressions that become strings.

import { expect, test } from 'vitest';
import { createProject } from '../../helpers/temporary-project.js';

const SHOP = "const nano = require('nano');\nconst shop = nano(process.env.COUCHDB_URL).use('shop');\n";

/** @param {string} code @returns {Promise<string>} what the fixes make of it */
async function fixed(code) {
  const project = createProject({ 'a.js': `${SHOP}${code}\n` });
  await project.run(['lint', '--fix-unsafe']);
  return project.read('a.js').slice(SHOP.length).trimEnd();
}

test.each([
  ['shop.list({ includeDocs: true, startKey: a });', 'shop.list({ include_docs: true, startkey: a });'],
  ["shop.list({ 'startKey': a });", "shop.list({ 'startkey': a });"],
  ['shop.list({ startKey, limit: 5 });', 'shop.list({ startkey: startKey, limit: 5 });'],
  ['shop.list({ endKey });', 'shop.list({ endkey: endKey });'],
  ['const o = { startKey: a }; save(o); shop.list(o);', 'const o = { startKey: a }; save(o); shop.list(o);'],
  [
    'shop.find({ limit: 5, selector: { a: { $regex: /b\\d/i } } });',
    "shop.find({ limit: 5, selector: { a: { $regex: '(?i)b\\\\d' } } });",
  ],
  [
    'const selector = { a: { $regex: /b/ }, c: { $regex: new RegExp(`^${d}`, "i") } }; shop.find({ limit: 5, selector });',
    "const selector = { a: { $regex: 'b' }, c: { $regex: `(?i)^${d}` } }; shop.find({ limit: 5, selector });",
  ],
  // What `d` is, the code does not show.
  [
    'shop.find({ limit: 5, selector: { a: { $regex: new RegExp(d) } } });',
    'shop.find({ limit: 5, selector: { a: { $regex: new RegExp(d) } } });',
  ],
  ['shop.find({ limit: 5, selector: { a: /b/ } });', 'shop.find({ limit: 5, selector: { a: /b/ } });'],
])('%s', async (code, expected) => {
  expect(await fixed(code)).toBe(expected);
});
