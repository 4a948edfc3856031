import { expect, test } from 'vitest';
import { commentOutOption } from '../../lib/fixes/comment-out-option.js';
import { editedText, serverOf, subjectOf } from '../helpers/sample-fix-targets.js';

/** @param {number} line @param {number} [column] */
const itemAt = (line, column = 1) => ({ value: '', place: { file: 'local.ini', line, column } });

test.each([
  ['[couchdb]\ndelayed_commits = true\nuuid = 1\n', itemAt(2), '[couchdb]\n; delayed_commits = true\nuuid = 1\n'],
  ['[couchdb]\r\nuuid=1\r\ndelayed_commits=true', itemAt(3), '[couchdb]\r\nuuid=1\r\n; delayed_commits=true'],
  ['[couchdb]\n  delayed_commits = true', itemAt(2, 3), '[couchdb]\n;   delayed_commits = true'],
])('%j becomes a comment', (before, item, after) => {
  expect(editedText(commentOutOption.apply({ subject: serverOf(before), item }))).toBe(after);
});

test.each([
  ['a place without an option', itemAt(1)],
  ['an item without a place', { value: '' }],
])('%s changes nothing', (_, item) => {
  const subject = serverOf('[couchdb]\ndelayed_commits = true\n');
  expect(commentOutOption.apply({ subject, item })).toBeUndefined();
});

test('another subject is left as it is', () => {
  expect(commentOutOption.apply({ subject: subjectOf('{}', 'design-doc'), item: itemAt(1) })).toBeUndefined();
});
