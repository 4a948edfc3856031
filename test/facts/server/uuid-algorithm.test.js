import { expect, test } from 'vitest';
import { factCatalog } from '../../../lib/facts/catalog.js';
import { createAsk } from '../../../lib/facts/collect.js';
import { createSubjects } from '../../../lib/facts/subjects.js';
import { SourceFile } from '../../../lib/shared/source-file.js';
import { readServerConfig } from '../../../lib/sources/server-config.js';

test.each([
  ['sequential', '3.4.3', true],
  ['uuid_v7', '3.5.0', false],
  ['uuid_v7', '3.5.1', true],
  // Only in CouchDB's main branch: 3.5.2 does not start with it.
  ['uuid_v4', '3.5.2', false],
])('%s is known to %s: %s', (algorithm, version, isKnown) => {
  const { records } = readServerConfig(new SourceFile('local.ini', `[uuids]\nalgorithm = ${algorithm}\n`));
  const ask = createAsk(factCatalog);
  const servers = createSubjects(records, { version }).subjects.filter(({ kind }) => kind === 'server');
  expect(servers.map((server) => ask(server, 'config.uuidAlgorithmIsKnown'))).toEqual([
    expect.objectContaining({ value: isKnown }),
  ]);
});
