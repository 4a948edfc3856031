import { expect, test } from 'vitest';
import { commentOutOption } from '../../../lib/engine/fixes/comment-out-option.js';
import { createSubjects } from '../../../lib/facts/subjects.js';
import { readServerConfig } from '../../../lib/sources/server-config.js';
import { SourceFile } from '../../helpers/read-source.js';
import { editedText, serverOf } from '../../helpers/sample-fix-targets.js';

/** @param {string} text @param {string} key @returns {import('../../../lib/facts/fact.js').Subject} */
function optionOf(text, key) {
  const { records } = readServerConfig(new SourceFile('local.ini', text));
  const { subjects } = createSubjects(records, { version: '3.5.2' });
  const found = subjects.find((subject) => subject.kind === 'option' && subject.option.key === key);
  if (!found) throw new Error(`no option ${key}`);
  return found;
}

test.each([
  ['[couchdb]\ndelayed_commits = true\nuuid = 1\n', '[couchdb]\n; delayed_commits = true\nuuid = 1\n'],
  ['[couchdb]\r\nuuid=1\r\ndelayed_commits=true', '[couchdb]\r\nuuid=1\r\n; delayed_commits=true'],
  ['[couchdb]\n  delayed_commits = true', '[couchdb]\n;   delayed_commits = true'],
])('%j becomes a comment', (before, after) => {
  const subject = optionOf(before, 'delayed_commits');
  expect(editedText(commentOutOption.apply({ subject, item: undefined }))).toBe(after);
});

test('another subject is left as it is', () => {
  const subject = serverOf('[couchdb]\ndelayed_commits = true\n');
  expect(commentOutOption.apply({ subject, item: undefined })).toBeUndefined();
});
