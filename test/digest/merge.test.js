// Digests of parts of a log merge to the digest of the whole, wherever it is cut; files of digests keep all of it.

import { describe, expect, test } from 'vitest';
import { COARSENESS, Digest, MAX_SHAPES } from '../../lib/digest/digest.js';
import { digestToJson } from '../../lib/digest/digest-json.js';
import { mergeDigest } from '../../lib/digest/merge.js';
import { settleParts } from '../../lib/digest/parts.js';
import { digestFromJson } from '../../lib/digest/read-digest.js';
import { digestText, withoutPlaces } from '../helpers/digest-text.js';
import { sample } from '../helpers/long.js';
import fc from '../helpers/property.js';

const START = Date.UTC(2026, 10, 21);

/** One entry of CouchDB's log, which may be more than a line. */
const entry = fc
  .record({
    minute: fc.nat(4000),
    ms: fc.oneof(fc.nat(20), fc.nat(100_000)),
    number: fc.nat(500),
    kind: fc.constantFrom(
      'get',
      'get',
      'view',
      'find',
      'find-early',
      'index',
      'failure',
      'noise',
      'broken',
      'other-format',
    ),
  })
  .map(({ minute, ms, number, kind }) => {
    const time = (/** @type {number} */ later) =>
      new Date(START + minute * 60_000 + later).toISOString().replace('Z', '000Z');
    const head = (/** @type {string} */ level, later = 0) =>
      `[${level}] ${time(later)} couchdb@127.0.0.1 <0.${number}.3>`;
    const asked = (/** @type {string} */ request, later = 0) =>
      `${head('notice', later)} nonce${number}${minute} shop.example 10.0.0.7 ann ${request} 200 ok ${ms}`;
    const report = `${head('report')} nonce${number}${minute} [mango-stats dbname="shop" execution_time_ms=1.5 nonce="nonce${number}${minute}" results_returned=${number} total_docs_examined=${ms} total_keys_examined=0 total_quorum_docs_examined=0]`;
    const index = `db: shards/00000000-7fffffff/shop-${number % 3}.1795229120 idx: _design/orders and more`;
    switch (kind) {
      case 'get':
        return [asked(`GET /user-${number}/doc${ms}`)];
      case 'view':
        return [asked(`GET /shop/_design/orders/_view/by_${number % 9}?key=${ms}&limit=${number}&skip=${ms}`)];
      case 'find':
        return [report, asked('POST /shop/_find')];
      case 'find-early':
        return [asked('POST /shop/_find')];
      case 'index':
        return [
          `${head('info')} -------- Starting index update for ${index}`,
          `${head('info', ms)} -------- Index update finished for ${index}`,
        ];
      case 'failure':
        return [`${head('error')} nonce OS Process Error <0.1.0> :: {os_process_error,"OS process timed out."}`];
      case 'noise':
        return ['  last msg: redacted', `${head('info')} -------- Apache CouchDB has started`];
      case 'broken':
        return [`${head('notice')} nonce shop.example 10.0.0.7 ann GET /sh`, `\u0000\u0000garbage ${number}`];
      default:
        return ['10.0.0.7 - - [21/Nov/2026:02:45:19 +0000] "GET /shop/a%zz HTTP/1.1" 200 268 "-" "x" 0.012'];
    }
  });

const FIRST = '[info] 2026-11-21T00:00:00.000000Z couchdb@127.0.0.1 <0.9.0> -------- Apache CouchDB has started\n';

test('the digest of a log is that of its parts, wherever it is cut and in whatever order they are merged', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { minLength: 1, maxLength: 60 }),
      fc.array(fc.nat(120), { maxLength: 4 }),
      fc.boolean(),
      fc.boolean(),
      async (entries, cuts, isReversed, fold) => {
        const lines = entries.flat();
        const places = [...new Set([0, ...cuts.map((cut) => cut % lines.length), lines.length])].sort((a, b) => a - b);
        const given = { options: { fold } };
        const whole = await digestText(FIRST + lines.join('\n'), given);
        const parts = [];
        for (let at = 0; at + 1 < places.length; at += 1) {
          const text = lines.slice(places[at], places[at + 1]).join('\n');
          // Parts may be numbered by anything that grows: the byte they begin with, for example.
          parts.push(await digestText((at === 0 ? FIRST : '') + text, { ...given, part: Number(places[at]) }));
        }
        if (isReversed) parts.reverse();
        const merged = new Digest({ fold });
        for (const part of parts)
          mergeDigest(merged, digestFromJson(JSON.parse(JSON.stringify(digestToJson(part))), 'part'));
        merged.finish();
        settleParts(merged);
        expect(comparable(merged)).toEqual(comparable(whole));
      },
    ),
    { numRuns: 150 },
  );
});

/**
 * Whether a line is of another format than the rest only the lines around it tell.
 * @param {Digest} digest
 */
function comparable(digest) {
  const json = JSON.parse(JSON.stringify(digestToJson(digest)));
  return {
    ...json,
    problems: json.problems.filter((/** @type {{kind: string}} */ { kind }) => kind !== 'other-format'),
  };
}

describe('of parts of one file', () => {
  /** @param {string} time @param {string} target */
  const ask = (time, target) =>
    `[notice] 2026-11-21T${time}.000000Z couchdb@127.0.0.1 <0.1.0> n${target.slice(1)} shop.example 10.0.0.7 ann GET ${target} 200 ok 1\n`;

  test('examples have the lines of the whole file, also where the parts come in another order', async () => {
    const parts = [
      await digestText(ask('02:00:00', '/shop/a'), { part: 900 }),
      await digestText(`x\n${ask('01:00:00', '/shop/_find')}`, { part: 0 }),
      await digestText('', { part: 400 }),
    ];
    const merged = new Digest();
    for (const part of parts)
      mergeDigest(merged, digestFromJson(JSON.parse(JSON.stringify(digestToJson(part))), 'part'));
    settleParts(merged);
    expect([...merged.groups.values()].map(({ fingerprint, examples }) => [fingerprint.endpoint, examples])).toEqual([
      ['document', [{ file: 'couch.log', line: 3 }]],
      ['_find', [{ file: 'couch.log', line: 2 }]],
    ]);
    expect(merged.parts).toEqual([]);
  });

  test('a clock that was set back between two of them is told, with the line where it shows', async () => {
    const merged = new Digest();
    for (const [part, text] of [ask('02:00:00', '/shop/a'), '', `x\n${ask('01:00:00', '/shop/b')}`].entries()) {
      mergeDigest(merged, await digestText(text, { part }));
    }
    settleParts(merged);
    expect(merged.problems.get('clock-jumped-back')).toMatchObject({
      count: 1,
      examples: [{ file: 'couch.log', line: 3 }],
    });
  });

  test('the number of a part may stand in its first line', async () => {
    const digest = await digestText(`17\n${ask('02:00:00', '/shop/a')}`, { part: 'first-line' });
    expect(digest.parts).toMatchObject([{ file: 'couch.log', part: 17, lines: 1 }]);
    expect(digest.lines).toEqual({ read: 1, requests: 1, other: 0, malformed: 0 });
    await expect(digestText(ask('02:00:00', '/shop/a'), { part: 'first-line' })).rejects.toThrow('not a part number');
  });
});

test('halves that wait for others are the same however a log without reports is cut', async () => {
  const lines = Array.from(
    { length: 400 },
    (_, at) =>
      `[notice] 2026-11-21T02:45:${10 + Math.floor(at / 90)}.000000Z couchdb@127.0.0.1 <0.1.0> ${(at * 7919) % 1000} shop 10.0.0.7 ann POST /shop/_find 200 ok 1`,
  );
  const whole = digestToJson(await digestText(lines.join('\n'), { part: 0 }));
  const merged = new Digest();
  for (const [from, to] of [
    [130, 400],
    [0, 3],
    [3, 130],
  ]) {
    const part = await digestText(lines.slice(from, to).join('\n'));
    mergeDigest(merged, digestFromJson(JSON.parse(JSON.stringify(digestToJson(part))), 'part'));
  }
  merged.finish();
  expect(digestToJson(merged)['waiting']).toEqual(whole['waiting']);
  expect(merged.findJoins.early.size).toBe(64);
});

test('a digest read from its file is the same digest', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 60 }), async (entries) => {
      const digest = await digestText(FIRST + entries.flat().join('\n'), { options: { keepValues: true } });
      const json = JSON.parse(JSON.stringify(digestToJson(digest)));
      expect(JSON.parse(JSON.stringify(digestToJson(digestFromJson(json, 'file'))))).toEqual(json);
    }),
    { numRuns: 50 },
  );
});

describe('a digest of too many shapes', () => {
  /**
   * @param {number} count
   * @param {(number: number) => string} target
   */
  const log = (count, target) =>
    Array.from(
      { length: count },
      (_, at) =>
        `[notice] 2026-11-21T02:45:19.111722Z couchdb@127.0.0.1 <0.169.3> 28f101ecdf shop.example 10.0.0.7 ann GET ${target(at)} 200 ok 12`,
    );
  /** @param {number} number */
  const letters = (number) => number.toString().replace(/\d/g, (digit) => String.fromCharCode(97 + Number(digit)));

  /** @type {[string, boolean, (at: number) => string, number, number][]} */
  const targets = [
    [
      'databases with numbers, not folded',
      false,
      (/** @type {number} */ at) => `/user-${at}/doc`,
      COARSENESS.PATTERNS,
      1,
    ],
    ['databases with numbers', true, (/** @type {number} */ at) => `/user-${at}/doc`, COARSENESS.AS_REQUESTED, 1],
    ['databases with names', true, (/** @type {number} */ at) => `/${letters(at)}/doc`, COARSENESS.NO_DATABASES, 1],
    ['views', true, (/** @type {number} */ at) => `/shop/_design/a/_view/v${letters(at)}`, COARSENESS.NO_NAMES, 1],
    [
      'parameters',
      true,
      (/** @type {number} */ at) => `/shop/_changes?filter=${letters(at)}/x`,
      COARSENESS.NO_PARAMETERS,
      1,
    ],
  ];
  test.each(sample(targets, 2))('is coarser, and counts all: %s', async (_, fold, target, coarseness, shapes) => {
    const lines = log(MAX_SHAPES + 200, target);
    const whole = await digestText(lines.join('\n'), { options: { fold } });
    expect(whole.coarseness).toBe(coarseness);
    expect(whole.groups.size).toBe(shapes);
    expect([...whole.groups.values()].reduce((sum, { count }) => sum + count, 0)).toBe(lines.length);
    const merged = new Digest({ fold });
    for (const part of [lines.slice(2000), lines.slice(0, 2000)]) {
      mergeDigest(merged, await digestText(part.join('\n'), { options: { fold } }));
    }
    expect(withoutPlaces(merged)).toEqual(withoutPlaces(whole));
  });

  test('goes on to recognise what it counts when it has become coarser', async () => {
    const lines = [
      ...log(MAX_SHAPES + 1, (at) => `/${letters(at)}/doc`),
      ...log(50, () => '/shop/_find'),
      ...log(50, () => '/_up'),
    ];
    const digest = await digestText(lines.join('\n'));
    expect([...digest.groups.values()].map(({ database, count }) => [database, count])).toEqual([
      ['*', MAX_SHAPES + 1],
      ['*', 50],
      [null, 50],
    ]);
  });
});

test('digests that fold and digests that do not are not merged', () => {
  expect(() => mergeDigest(new Digest({ fold: true }), new Digest({ fold: false }))).toThrow(
    'some of the digests were created with --no-fold',
  );
});

describe('what is no digest', () => {
  const sound = JSON.parse(JSON.stringify(digestToJson(new Digest())));
  test.each([
    ['null', null, 'the whole'],
    ['a list', [], 'the whole'],
    ['another version', { ...sound, version: 2 }, 'version'],
    ['no shapes', { ...sound, shapes: undefined }, 'shapes'],
    ['a fingerprint of nothing', { ...sound, shapes: [{}] }, 'missing key `method` in `shapes.0`'],
    ['negative lines', { ...sound, lines: { ...sound.lines, read: -1 } }, 'lines.read'],
    ['a wrong time', { ...sound, from: 'yesterday' }, 'time'],
    ['a coarseness that is none', { ...sound, coarseness: 9 }, 'coarseness'],
  ])('is refused with a reason: %s', (_, value, told) => {
    expect(() => digestFromJson(value, 'a.json')).toThrow(told);
  });

  test('is refused whatever is put into a sound one', async () => {
    const json = digestToJson(await digestText(`${FIRST}x`));
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...Object.keys(json)), (value, key) => {
        try {
          digestFromJson(JSON.parse(JSON.stringify({ ...json, [key]: value })), 'a.json');
        } catch (error) {
          expect(error).toMatchObject({ code: 'bad-digest' });
        }
      }),
    );
  });
});
