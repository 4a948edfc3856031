// Entries of a HAR file that is cut short or damaged: those before the fault, and one error that says where it is.

import { describe, expect, test } from 'vitest';
import { readHar } from '../../../lib/sources/logs/har.js';
import { readEntriesBeforeFault } from '../../../lib/sources/logs/har-entries.js';
import { createProject } from '../../helpers/temporary-project.js';

const HEAD = '{"log":{"version":"1.2","pages":[{"id":"[{\\"entries\\""}],"entries":[';

describe('entries', () => {
  test.each([
    ['of an empty list', '', [], true],
    ['before one that breaks off', '{"a":1},{"b":', [{ a: 1 }], true],
    ['before one that breaks off in a text', '{"a":1},{"b":"x', [{ a: 1 }], true],
    ['before one that breaks off behind a backslash', '{"a":1},{"b":"x\\', [{ a: 1 }], true],
    ['before a comma', '{"a":1},', [{ a: 1 }], true],
    ['and nothing behind them', '{"a":1}', [{ a: 1 }], true],
    ['and the end of the list', '{"a":1}]', [{ a: 1 }], true],
    ['and one end of two', '{"a":1}]\n}', [{ a: 1 }], true],
    ['and more behind the end', '{"a":1}]}}}', [{ a: 1 }], false],
    ['with brackets in texts', '{"a":"]}\\\\\\""},{"b":[[]]}, {', [{ a: ']}\\"' }, { b: [[]] }], true],
    ['that are no objects', '1, "x", null, tru', [1, 'x', null], true],
    ['before a number that may go on', '1, 2', [1], true],
    ['before one that is no JSON', '{"a":1}, {b}, {"c":1}]}}', [{ a: 1 }], false],
    ['before one with the wrong bracket', '{"a":1}, {"b":[}, {"c":1}]}}', [{ a: 1 }], false],
    ['before what is no entry', '{"a":1}, :, {"c":1}]}}', [{ a: 1 }], false],
    ['before one without a comma', '{"a":1} {"c":1}]}}', [{ a: 1 }], false],
  ])('%s', (_, rest, entries, isCut) => {
    expect(readEntriesBeforeFault(HEAD + rest)).toMatchObject({ entries, isCut });
  });

  test.each([
    '',
    'log',
    '[',
    '{"log"',
    '{"log":',
    '{"log":[',
    '{"log":{',
    '{"log":{"entries":',
    '{"log":{"entries":{',
    '{"log":{"pages":[{"entries":[{',
    '{"entries":[{',
    '{"x":{"log":{"entries":[{',
    '{"log":{"pages" "entries":[{',
    '{"log":{"pages":[] "entries":[{',
    '{log:{"entries":[{',
    '{"log":{"pages":[{x}],"entries":[{',
  ])('of `%s` there are none', (text) => {
    expect(readEntriesBeforeFault(text)).toBeUndefined();
  });

  test('nested deep are gone through', () => {
    expect(readEntriesBeforeFault(`${HEAD}1, ${'['.repeat(100_000)}`)?.entries).toEqual([1]);
  });
});

test.each([
  ['{"a":1},\n{"b":', 'a.har is truncated at line 2, column 6; 1 entry was read before that'],
  ['{"a":1},\n{},\n {b}]}}', 'a.har is damaged at line 3, column 2; 2 entries were read before that'],
  ['', `a.har is truncated at line 1, column ${HEAD.length + 1}; 0 entries were read before that`],
])('the error says where the fault is: %j', (rest, message) => {
  expect(readHar(HEAD + rest, 'a.har').error).toMatchObject({ code: 'cut-short', message });
});

test('requests before the cut are judged, and the error stands beside them', async () => {
  const url = 'http://db.shop.example:5984/shop/_find';
  const entry = JSON.stringify({
    startedDateTime: '2026-03-02T08:00:00.000Z',
    time: 5,
    request: { method: 'POST', url, postData: { text: '{"selector":{"status":{"$regex":"o"}}}' } },
    response: { status: 200, content: { size: 9 } },
  });
  const text = `${HEAD}${`${entry},`.repeat(40)}${entry.slice(0, 50)}`;
  const { codes, errors } = await createProject({ 'shop.har': text }).lint(['--log', 'shop.har']);
  expect(codes).toContain('mango/index-scan-operator#scans');
  expect(errors.map(({ code }) => code)).toEqual(['cut-short']);
});
