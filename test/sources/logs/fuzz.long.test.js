// Damaged logs of every format through all of the digest: nothing throws, every line is counted once, and lines that nothing
// happened to are counted whatever stands around them.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { digestToJson } from '../../../lib/digest/digest-json.js';
import { mergeDigest } from '../../../lib/digest/merge.js';
import { settleParts } from '../../../lib/digest/parts.js';
import { digestFromJson } from '../../../lib/digest/read-digest.js';
import { readHar } from '../../../lib/sources/logs/har.js';
import { digestText } from '../../helpers/digest-text.js';
import fc from '../../helpers/property.js';

const folder = path.resolve(import.meta.dirname, '../../../fixtures/logs');
const LINE_FEED = 10;
/** What only an intact line asks for: a database of its own. */
const INTACT = 'untouched';

/** A log of each format, and what `--log-format` calls it. @type {[string, string][]} */
const LOGS = [
  ['couchdb.log', 'couchdb'],
  ['couchdb-syslog.log', 'couchdb-syslog'],
  ['couchdb-journal.log', 'couchdb-journal'],
  ['couchdb-journald.log', 'couchdb-journal'],
  ['couchdb-1x.log', 'couchdb-1x'],
  ['common.log', 'combined'],
  ['combined.log', 'combined'],
  ['nginx-request-time.log', 'combined'],
  ['nginx-request-time.log', 'combined-seconds'],
  ['apache-micros.log', 'combined'],
  ['apache-micros.log', 'combined-micros'],
  ['haproxy.log', 'haproxy'],
  ['traefik.log', 'traefik'],
];

/** Changes of bytes: some put in, some taken out, some overwritten, an end cut off. */
const damage = fc.array(
  fc.record({
    at: fc.nat(),
    drop: fc.nat(40),
    put: fc.oneof(
      fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom(
          '\0\0\0\0',
          '%',
          '%zz',
          '%00',
          '"',
          '\\"',
          '[',
          '] ',
          ' ',
          '\r',
          '\u001b[2J',
          '<0.1.0>',
          '-1',
          '?',
          '//',
        )
        .map((text) => Buffer.from(text)),
      fc.constant(Buffer.from([0xff, 0xfe, 0xc3, 0x28])),
    ),
  }),
  { minLength: 1, maxLength: 4 },
);

/**
 * @param {Buffer} line
 * @param {{at: number, drop: number, put: Buffer<ArrayBufferLike>}[]} edits
 * @returns {Buffer} without line feeds
 */
function damaged(line, edits) {
  const made = edits.reduce((/** @type {Buffer<ArrayBufferLike>} */ bytes, { at, drop, put }) => {
    const from = at % (bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(from + drop)]);
  }, line);
  return Buffer.from(made.filter((byte) => byte !== LINE_FEED));
}

/** @param {Buffer[]} lines */
const joined = (lines) => Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));

describe.each(LOGS)('%s read as %s', (name, format) => {
  const samples = readFileSync(path.join(folder, name), 'utf8').trimEnd().split('\n');
  const request = samples.find((line) => line.includes(' /shop/order') || line.includes('GET /shop/order')) ?? '';
  const intact = Buffer.from(request.replace('/shop/order', `/${INTACT}/order`));
  const place = fc.record({
    sample: fc.constantFrom(...samples.map((line) => Buffer.from(line))),
    edits: damage,
    other: fc.option(fc.constantFrom(...samples.map((line) => Buffer.from(line)))),
    isIntact: fc.boolean(),
  });

  test('has a request that can be told apart', () => {
    expect(request).not.toBe('');
  });

  test.each([format, undefined])(
    'each line is counted once, intact ones as requests; format given: %s',
    async (given) => {
      await fc.assert(
        fc.asyncProperty(fc.array(place, { minLength: 1, maxLength: 12 }), async (places) => {
          // Where the format is to be found out, the log begins with lines that tell it.
          /** @type {Buffer[]} */
          const lines = given === undefined ? samples.map((line) => Buffer.from(line)) : [];
          let untouched = 0;
          for (const { sample, edits, other, isIntact } of places) {
            const broken = damaged(sample, edits);
            // Two writers at once: the rest of another line follows within the line.
            lines.push(other ? Buffer.concat([broken, other.subarray(other.length >> 1)]) : broken);
            if (isIntact) {
              lines.push(intact);
              untouched += 1;
            }
          }
          const digest = await digestText(joined(lines), { format: given });
          expect(digest.lines.read).toBe(lines.length);
          expect(digest.lines.requests + digest.lines.other + digest.lines.malformed).toBe(lines.length);
          const counted = [...digest.groups.values()].filter(({ database }) => database === INTACT);
          expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(untouched);
          const all = [...digest.groups.values()].reduce((sum, { count }) => sum + count, 0);
          expect(all).toBe(digest.lines.requests);
          expect(digest.problems.get('malformed')?.count ?? 0).toBe(digest.lines.malformed);
          for (const { examples } of digest.problems.values()) {
            for (const { line } of examples) expect(line >= 1 && line <= lines.length).toBe(true);
          }
        }),
        { numRuns: 120 },
      );
    },
  );

  test('cut anywhere, its parts give the digest of the whole', async () => {
    // Each line once: two lines that name one event are one half too many.
    const order = fc.shuffledSubarray(samples, { minLength: 1 });
    const edits = fc.array(fc.option(damage), { minLength: samples.length, maxLength: samples.length });
    await fc.assert(
      fc.asyncProperty(order, edits, fc.nat(), fc.nat(), async (chosen, done, first, second) => {
        const lines = chosen.map((line, at) => damaged(Buffer.from(line), done[at] ?? []));
        const cuts = [0, first % lines.length, second % lines.length, lines.length].sort((a, b) => a - b);
        const whole = await digestText(joined(lines), { format });
        const parts = [];
        for (let at = 3; at > 0; at -= 1) {
          parts.push(await digestText(joined(lines.slice(cuts[at - 1], cuts[at])), { format, part: at }));
        }
        const [merged, ...rest] = parts.map((part) =>
          digestFromJson(JSON.parse(JSON.stringify(digestToJson(part))), 'part'),
        );
        if (!merged) throw new Error('no parts');
        for (const part of rest) mergeDigest(merged, part);
        merged.finish();
        settleParts(merged);
        expect(JSON.stringify(digestToJson(merged))).toBe(JSON.stringify(digestToJson(whole)));
      }),
      { numRuns: 60 },
    );
  });
});

describe('session.har', () => {
  const text = readFileSync(path.join(folder, 'session.har'), 'utf8');

  test('damaged anywhere is read, or refused with a reason', () => {
    fc.assert(
      fc.property(damage, (edits) => {
        const broken = damaged(Buffer.from(text), edits).toString('utf8');
        try {
          expect(Array.isArray(readHar(broken, 'a.har').requests)).toBe(true);
        } catch (error) {
          expect(error).toMatchObject({ code: 'bad-har', message: expect.stringContaining('a.har is not a HAR file') });
        }
      }),
      { numRuns: 500 },
    );
  });

  test('cut anywhere behind the start of its entries gives those before the cut', () => {
    const whole = readHar(text, 'a.har').requests;
    const start = text.indexOf('[', text.indexOf('"entries"')) + 1;
    fc.assert(
      fc.property(fc.integer({ min: start, max: text.trimEnd().length - 1 }), (end) => {
        const { requests, error } = readHar(text.slice(0, end), 'a.har');
        expect(requests).toEqual(whole.slice(0, requests.length));
        expect(error?.message).toContain(` is truncated at line ${text.slice(0, end).split('\n').length}, `);
        const more = readHar(`${text.slice(0, end)}, {}`, 'a.har').requests.length;
        expect(more).toBeGreaterThanOrEqual(requests.length);
      }),
      { numRuns: 300 },
    );
  });

  test('with entries of anything, each is counted once and the sound ones as requests', async () => {
    const har = JSON.parse(text);
    const { entries } = har.log;
    const odd = fc.oneof(
      fc.jsonValue(),
      fc
        .tuple(
          fc.constantFrom(...entries),
          fc.constantFrom('request', 'response', 'time', 'startedDateTime'),
          fc.jsonValue(),
        )
        .map(([entry, key, value]) => ({ ...entry, [key]: value })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(odd, { maxLength: 12 }), async (between) => {
        const mixed = between.flatMap((item, at) => [item, entries[at % entries.length]]);
        const digest = await digestText(JSON.stringify({ log: { ...har.log, entries: mixed } }), { format: 'har' });
        expect(digest.lines.read).toBe(mixed.length);
        expect(digest.lines.requests + digest.lines.malformed).toBe(mixed.length);
        expect(digest.lines.requests).toBeGreaterThanOrEqual(between.length);
      }),
      { numRuns: 100 },
    );
  });
});
