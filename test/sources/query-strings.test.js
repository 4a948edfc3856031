// Mango queries that are the text of a string in JSON, as for chaincode of Hyperledger Fabric, are read with their places; other strings are not.

import { expect, test } from 'vitest';
import { readText } from '../helpers/read-source.js';
import { createProject } from '../helpers/temporary-project.js';

/** @param {unknown} value @returns {Promise<string[]>} */
async function queriesIn(value) {
  const { records } = await readText(JSON.stringify(value));
  return records.flatMap((record) => (record.kind === 'call' ? [record.name] : []));
}

test.each([
  ['arguments of a query', { Args: ['query', '{"selector":{"owner":"tom"}}'] }, ['{"selector": {owner}}']],
  ['a query in lines', { q: '{\n  "selector": {"owner": "tom"},\n "limit": 5\n}' }, ['{"selector": {owner}}']],
  ['two', ['{"selector":{"a":1}}', '{"selector":{"b":1,"c":1,"d":1,"e":1}}'], 2],
  ['the word twice', { q: '{"selector":{"selector":{"a":1}}}' }, ['{"selector": {selector}}']],
  ['a manifest of another program', { q: '{"kind":"Service","selector":{"app":"couchdb"}}' }, []],
  ['a selector of another type', { q: '{"selector":"app=couchdb"}' }, []],
  ['a string in a string of the string', { q: JSON.stringify({ Args: ['{"selector":{"a":1}}'] }) }, []],
  ['a pattern with escapes', { q: '{"selector":{"a":{"$regex":"\\\\d"}}}' }, []],
  ['a broken one', { q: '{"selector":{"a":' }, []],
])('%s', async (_, value, expected) => {
  const found = await queriesIn(value);
  expect(typeof expected === 'number' ? found.length : found).toEqual(expected);
});

test('such a query is judged with the indexes of META-INF, at its place', async () => {
  const project = createProject({
    'META-INF/statedb/couchdb/indexes/by-owner.json':
      '{"index":{"fields":["type","owner"]},"ddoc":"by-owner","name":"by-owner","type":"json"}',
    'queries.json': JSON.stringify({
      mine: { Args: ['query', '{"selector":{"type":"order","owner":"tom"}}'] },
      paid: { Args: ['query', '{"selector":{"state":"paid"}}'] },
    }),
  });
  const { findings } = await project.lint(['--rule', 'call/find-without-index']);
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatchObject({ subject: { name: '{"selector": {state}}' }, place: { file: 'queries.json' } });
});
