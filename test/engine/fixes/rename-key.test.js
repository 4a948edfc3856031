import { expect, test } from 'vitest';
import { renameKey } from '../../../lib/engine/fixes/rename-key.js';
import { factCatalog } from '../../../lib/facts/catalog.js';
import { SourceFile } from '../../helpers/read-source.js';
import { editedText, subjectOf } from '../../helpers/sample-fix-targets.js';

/** @import { Item, Subject } from '../../../lib/facts/fact.js' */

/**
 * @param {Subject} subject
 * @returns {Item | undefined} the misspelt member, as the fact gives it
 */
function misspelt(subject) {
  const fact = factCatalog.get('ddoc.misspeltMembers')?.extract(subject, () => ({ unknown: '' }));
  return fact && 'value' in fact && Array.isArray(fact.value) ? fact.value[0] : undefined;
}

test.each([
  ['{"veiws": {}, "language": "javascript"}', '{"views": {}, "language": "javascript"}'],
  ['{\r\n\t"filter" : {}\r\n}\r\n', '{\r\n\t"filters" : {}\r\n}\r\n'],
  ['{"v\\u0065iws": {}}', '{"views": {}}'],
])('%j becomes %j', (before, after) => {
  const subject = subjectOf(before, 'design-doc');
  expect(editedText(renameKey.apply({ subject, item: misspelt(subject) }))).toBe(after);
  expect(misspelt(subjectOf(after, 'design-doc'))).toBeUndefined();
});

/**
 * @param {string} text of a module
 * @param {string} written how the key `veiws` stands there
 * @returns {string | undefined} the module afterwards
 */
function renameInModule(text, written) {
  const file = new SourceFile('ddocs/orders.js', text);
  const keyStart = text.indexOf(written);
  const keyEnd = keyStart + written.length;
  const subject = /** @type {import('../../../lib/facts/fact.js').DesignDocSubject} */ (subjectOf('{}', 'design-doc'));
  /** @type {import('../../../lib/sources/record.js').ObjectNode} */
  const empty = { type: 'object', file, start: 0, end: 0, entries: [] };
  subject.record = {
    ...subject.record,
    origin: 'module',
    node: { ...empty, entries: [{ key: 'veiws', keyStart, keyEnd, node: empty }] },
  };
  const detail = { expected: 'views', fileStart: keyStart, fileEnd: keyEnd };
  return editedText(renameKey.apply({ subject, item: { value: 'veiws', detail } }));
}

test.each([
  ['module.exports = { veiws: {} };', 'veiws', 'module.exports = { views: {} };'],
  ["module.exports = { 'veiws': {} };", "'veiws'", "module.exports = { 'views': {} };"],
  ['ddoc.veiws = {};', 'veiws', 'ddoc.views = {};'],
  ["ddoc['veiws'] = {};", "'veiws'", "ddoc['views'] = {};"],
  ['module.exports = { veiws };', 'veiws', undefined],
  ['ddoc.veiws = {}; ddoc.veiws.by_date = {};', 'veiws', undefined],
])('in a module %j becomes %j', (before, written, after) => {
  expect(renameInModule(before, written)).toBe(after);
});

test('a key that is the name of a folder, and one that is not there any more, are left as they are', () => {
  const subject = subjectOf('{"veiws": {}}', 'design-doc');
  const detail = { expected: 'views', fileStart: 0, fileEnd: 0 };
  expect(renameKey.apply({ subject, item: { value: 'veiws', detail } })).toBeUndefined();
  expect(renameKey.apply({ subject, item: { value: 'veiws' } })).toBeUndefined();
  expect(renameKey.apply({ subject })).toBeUndefined();
});
