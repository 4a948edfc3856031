import { expect, test } from 'vitest';
import { setConfigValue } from '../../../lib/engine/fixes/set-config-value.js';
import { factCatalog } from '../../helpers/internals.js';
import { editedText, serverOf, subjectOf } from '../../helpers/sample-fix-targets.js';

const detail = { section: 'cors', key: 'credentials', value: 'false' };

test.each([
  ['[cors]\ncredentials = true\norigins = *\n', '[cors]\ncredentials = false\norigins = *\n'],
  ['[cors]\r\ncredentials=true ; for the shop\r\n', '[cors]\r\ncredentials=false ; for the shop\r\n'],
  ['[cors]\ncredentials = no\ncredentials = true', '[cors]\ncredentials = no\ncredentials = false'],
  ['[cors]\norigins = *\n', '[cors]\norigins = *\ncredentials = false\n'],
  [
    '[cors]\r\norigins = * ; all\r\n\r\n[log]\r\n',
    '[cors]\r\norigins = * ; all\r\ncredentials = false\r\n\r\n[log]\r\n',
  ],
  ['[cors]\norigins = *', '[cors]\norigins = *\ncredentials = false'],
])('%j becomes %j', (before, after) => {
  expect(editedText(setConfigValue.apply({ subject: serverOf(before), item: { value: '', detail } }))).toBe(after);
});

test('where a host inherits the option, it gets a line of its own and the others keep theirs', () => {
  const before = '[cors]\ncredentials = true\norigins = https://shop.example\n[cors:api.example]\norigins = *\n';
  const fact = factCatalog.get('config.corsOpenWithCredentials')?.extract(serverOf(before), () => ({ unknown: '' }));
  const items = fact && 'value' in fact && Array.isArray(fact.value) ? fact.value : [];
  expect(items).toHaveLength(1);
  const after = editedText(setConfigValue.apply({ subject: serverOf(before), item: items[0] }));
  expect(after).toBe(`${before}credentials = false\n`);
  const again = factCatalog
    .get('config.corsOpenWithCredentials')
    ?.extract(serverOf(after ?? ''), () => ({ unknown: '' }));
  expect(again).toMatchObject({ value: [] });
});

test.each([
  ['a section that is not there', '[log]\nlevel = info\n', detail],
  ['an item without detail', '[cors]\ncredentials = true\n', undefined],
  ['a detail without a value', '[cors]\ncredentials = true\n', { section: 'cors', key: 'credentials' }],
])('%s changes nothing', (_, text, given) => {
  expect(setConfigValue.apply({ subject: serverOf(text), item: { value: '', detail: given } })).toBeUndefined();
});

test('another subject is left as it is', () => {
  expect(setConfigValue.apply({ subject: subjectOf('{}', 'design-doc'), item: { value: '', detail } })).toBeUndefined();
});
