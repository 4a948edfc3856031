import { expect, test } from 'vitest';
import { fixedText } from '../../helpers/fixed.js';

test.each([
  ['[couchdb]\ndelayed_commits = true\nuuid = 1\n', '[couchdb]\n; delayed_commits = true\nuuid = 1\n'],
  ['[couchdb]\r\nuuid=1\r\ndelayed_commits=true', '[couchdb]\r\nuuid=1\r\n; delayed_commits=true'],
  ['[couchdb]\n  delayed_commits = true', '[couchdb]\n;   delayed_commits = true'],
])('%j becomes a comment', async (before, after) => {
  expect(await fixedText('comment-out-option', before, 'local.ini')).toBe(after);
});
