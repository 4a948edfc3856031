// Lines of the query server protocol, as CouchDB writes and reads them.

import { expect, test } from 'vitest';
import {
  faultOfTrue,
  readAnswer,
  reducedOf,
  rowsOf,
  writeCommand,
} from '../../../lib/measure/scenarios/query-protocol.js';

test('a command is one line, whatever the function holds', () => {
  const line = writeCommand(['add_fun', 'function (doc) {\n  emit(1);\n}']);
  expect(line.indexOf('\n')).toBe(line.length - 1);
  expect(JSON.parse(line)).toEqual(['add_fun', 'function (doc) {\n  emit(1);\n}']);
});

test.each([
  ['true', { kind: 'value', value: true }],
  ['[[["a",1]]]', { kind: 'value', value: [[['a', 1]]] }],
  ['["log","seen"]', { kind: 'log', message: 'seen' }],
  [
    '["error","map_runtime_error","no such thing"]',
    { kind: 'fault', message: 'it returned an error: map_runtime_error: no such thing' },
  ],
  ['["fatal","out","of memory"]', { kind: 'fault', message: 'it returned an error: out: of memory' }],
  ['{"error":"map","reason":"bad"}', { kind: 'fault', message: 'it returned an error: map: bad' }],
  ['', { kind: 'fault', message: 'it returned invalid JSON: ' }],
  ['<html>', { kind: 'fault', message: 'it returned invalid JSON: <html>' }],
])('%s is read as what it is', (line, answer) => {
  expect(readAnswer(line)).toEqual(answer);
});

test('of a long line that is no answer only the head is told', () => {
  const answer = readAnswer('x'.repeat(10_000));
  expect(answer.kind === 'fault' && answer.message.length).toBeLessThan(200);
});

test.each([
  [[[['a', 1]]], { rows: [['a', 1]] }],
  [[[]], { rows: [] }],
  [[], 'fault'],
  [[[], []], 'fault'],
  [[['a', 1]], 'fault'],
  [[[['a']]], 'fault'],
  [{ rows: [] }, 'fault'],
  [null, 'fault'],
])('rows of %j', (value, expected) => {
  if (expected === 'fault') expect(rowsOf(value)).toHaveProperty('fault');
  else expect(rowsOf(value)).toEqual(expected);
});

test.each([
  [[true, [3]], { reduced: 3 }],
  [[true, [null]], { reduced: null }],
  [[true, []], 'fault'],
  [[true, [1, 2]], 'fault'],
  [[false, [3]], 'fault'],
  [true, 'fault'],
])('reduced values of %j', (value, expected) => {
  if (expected === 'fault') expect(reducedOf(value)).toHaveProperty('fault');
  else expect(reducedOf(value)).toEqual(expected);
});

test('only `true` is true', () => {
  expect(faultOfTrue(true)).toBeUndefined();
  for (const value of [1, 'true', { ok: true }, null, undefined])
    expect(faultOfTrue(value)).toContain('expected `true`');
});
