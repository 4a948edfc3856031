import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fixes } from '../../../lib/engine/fixes/index.js';
import { serverOf, subjectOf } from '../../helpers/sample-fix-targets.js';

test.each([...fixes])('%s stands in a file of its name and says what it does', (id, fix) => {
  expect(fix.id).toBe(id);
  expect(existsSync(new URL(`../../../lib/engine/fixes/${id}.js`, import.meta.url))).toBe(true);
  expect(fix.title).toMatch(/^[A-Z][a-z]+ .*[^.]$/);
  expect(typeof fix.safe).toBe('boolean');
});

test.each([...fixes])('%s changes nothing of subjects it is not for, and never throws', (_, fix) => {
  const sound = '{"_id": "_design/orders", "views": {"all": {"map": "function (doc) { emit(doc._id, null); }"}}}';
  const broken = '{"_id": "_design/orders", "views": {"all": {"map": "function (doc) { emit(", "reduce": "_sum"}}}';
  const subjects = [sound, broken].flatMap((text) => [
    subjectOf(text, 'design-doc'),
    subjectOf(text, 'view'),
    subjectOf(text, 'function'),
  ]);
  for (const subject of [...subjects, serverOf('[cors]\norigins = *\n')]) {
    expect(fix.apply({ subject, item: { value: 'x' } }) ?? []).toEqual([]);
    expect(fix.apply({ subject }) ?? []).toEqual([]);
  }
});
