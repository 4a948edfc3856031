import { expect, test } from 'vitest';
import { factCatalog } from '../../../lib/facts/catalog.js';
import { createAsk } from '../../../lib/facts/collect.js';
import { createSubjects } from '../../../lib/facts/subjects.js';
import { SourceFile } from '../../../lib/shared/source-file.js';
import { readJson } from '../../../lib/sources/design-docs/json.js';

test.each([
  ['2.0.0', 200],
  ['2.1.0', 4096],
  ['3.4.3', 4096],
  ['3.5.0', 4096],
  ['3.5.1', 5000],
])('CouchDB %s checks the result of a reduce from %i characters on', (version, characters) => {
  const text = JSON.stringify({ _id: '_design/shop', views: { totals: { map: 'function (doc) {}', reduce: '_sum' } } });
  const { subjects } = createSubjects(readJson(new SourceFile('shop.json', text)).records, { version });
  const view = subjects.find(({ kind }) => kind === 'view');
  expect(view && createAsk(factCatalog)(view, 'reduce.limitCharacters')).toMatchObject({ value: characters });
});
