import { describe, expect, test } from 'vitest';
import { literalsOf, scramble } from '../../../lib/proof/synthesis/scramble.js';
import fc from '../../helpers/property.js';

const letters = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCÄéßжλ中文😀0123456789 -_.@/') });
const values = fc.jsonValue({ maxDepth: 4 });
const documents = fc.dictionary(
  fc.string().filter((name) => !name.startsWith('_')),
  fc.oneof(values, letters),
);

/** @param {unknown} value @param {string | number} [seed] @param {Iterable<string | number>} [keep] @returns {unknown} */
function scrambled(value, seed = 's', keep = []) {
  return scramble({ value }, { seed, keep })['value'];
}

/** @param {unknown} one @param {unknown} other */
function expectSameShape(one, other) {
  expect(typeof other).toBe(typeof one);
  if (typeof one === 'string') {
    expect(String(other)).toHaveLength(one.length);
    expect(Buffer.byteLength(String(other))).toBe(Buffer.byteLength(one));
  } else if (typeof one === 'number') {
    expect(String(other)).toHaveLength(String(one).length);
    expect(Math.sign(Number(other))).toBe(Math.sign(one));
    expect(Number.isInteger(other)).toBe(Number.isInteger(one));
  } else if (typeof one === 'object' && one !== null) {
    expect(Array.isArray(other)).toBe(Array.isArray(one));
    expect(Object.keys(/** @type {object} */ (other))).toEqual(Object.keys(one));
    for (const [name, value] of Object.entries(one)) {
      expectSameShape(value, Object.getOwnPropertyDescriptor(other, name)?.value);
    }
  } else if (one === null) expect(other).toBe(null);
}

describe('a scrambled document', () => {
  test('has the shape, the types and the lengths of the old one', () => {
    fc.assert(fc.property(documents, (document) => expectSameShape(document, scramble(document, { seed: 's' }))));
  });

  test('is the same for the same seed', () => {
    fc.assert(
      fc.property(documents, fc.integer(), (document, seed) => {
        expect(scramble(document, { seed })).toEqual(scramble(document, { seed }));
      }),
    );
  });

  test('has equal values where the old one has', () => {
    fc.assert(
      fc.property(letters, fc.double({ noNaN: true, noDefaultInfinity: true }), (text, number) => {
        const other = scramble({ a: text, b: [text], c: number, d: { e: number } }, { seed: 's' });
        expect(other['b']).toEqual([other['a']]);
        expect(other['d']).toEqual({ e: other['c'] });
      }),
    );
  });

  test('has no four letters in a row of the old text', () => {
    fc.assert(
      fc.property(letters, fc.integer(), (text, seed) => {
        const other = String(scrambled(text, seed));
        for (const match of text.matchAll(/(?=(\p{L}{4}))/gu)) expect(other).not.toContain(match[1]);
      }),
      { numRuns: 500 },
    );
  });

  test('keeps what it is told to', () => {
    fc.assert(
      fc.property(letters, fc.integer(), (text, number) => {
        const keep = [text, number];
        expect(scramble({ text, list: [text], number }, { seed: 's', keep })).toEqual({ text, list: [text], number });
      }),
    );
  });

  test("leaves out what is CouchDB's own", () => {
    const document = { _id: 'order-1', _rev: '1-a', _attachments: {}, _revisions: {}, _conflicts: [], total: 5 };
    expect(Object.keys(scramble(document, { seed: 's' }))).toEqual(['_id', 'total']);
  });

  test.each([
    ['order-2024-mara', /^order-(?!2024)\d{4}-(?!mara)[a-z]{4}$/],
    ['customer:mara', /^customer:(?!mara)[a-z]{4}$/],
    ['0af3', /^\d[a-z]{2}\d$/],
  ])('has an id for %s that begins like it', (_id, expected) => {
    expect(scramble({ _id }, { seed: 's' })['_id']).toMatch(expected);
  });

  test('has members called __proto__ as members', () => {
    const other = scramble(JSON.parse('{"__proto__": {"total": 5}}'), { seed: 's' });
    expect(Object.keys(other)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(other)).toBe(Object.prototype);
  });

  test('has the flags of the old one, and as many different values in each member', () => {
    const states = [...'abcdefghijklmnopqrst'].map((letter) => `${letter}1`);
    const orders = Array.from({ length: 400 }, (_, at) => ({
      _id: `order-${at}`,
      paid: at % 10 !== 0,
      state: states[at % 20],
      day: at % 7,
      price: (at % 90) / 10,
    }));
    const others = orders.map((order) => scramble(order, { seed: 's' }));
    expect(others.map(({ paid }) => paid)).toEqual(orders.map(({ paid }) => paid));
    for (const name of /** @type {const} */ (['_id', 'state', 'day', 'price'])) {
      expect(new Set(others.map((other) => other[name])).size).toBe(new Set(orders.map((order) => order[name])).size);
    }
  });

  test('has unequal values where the old one has', () => {
    fc.assert(
      fc.property(letters, letters, (one, other) => {
        fc.pre(one !== other);
        expect(scrambled(one)).not.toBe(scrambled(other));
      }),
      { numRuns: 500 },
    );
    const number = fc.oneof(
      fc.integer(),
      fc.nat(99),
      fc.integer({ min: -999, max: 999 }).map((cents) => cents / 100),
    );
    fc.assert(
      fc.property(number, number, (one, other) => {
        fc.pre(one !== other);
        expect(scrambled(one)).not.toBe(scrambled(other));
      }),
      { numRuns: 500 },
    );
  });

  test('has texts with one beginning where the old one has', () => {
    const [first, second] = [String(scrambled('customer-17-open')), String(scrambled('customer-17-paid'))];
    expect(first.slice(0, 12)).toBe(second.slice(0, 12));
    expect(first).not.toBe(second);
  });

  test('may be nested as deeply as it likes', () => {
    const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`);
    expect(() => scramble({ deep }, { seed: 's' })).not.toThrow();
  });

  test('keeps the beginning of a text that is told with its separator', () => {
    expect(scrambled('order:mara', 's', ['order:'])).toMatch(/^order:(?!mara)[a-z]{4}$/);
  });
});

describe('dates', () => {
  test.each([
    '2024-05-01',
    '2024-05-01T10:20:30Z',
    '2024-05-01T10:20:30.123Z',
    '2024-05-01 10:20',
    '2024-05-01T10:20:30+02:00',
  ])('of the form %s stay dates of that form', (date) => {
    const other = String(scrambled(date));
    expect(other).not.toBe(date);
    expect(other.replace(/\d/g, '0')).toBe(date.replace(/\d/g, '0'));
    expect(Number.isNaN(Date.parse(other))).toBe(false);
  });

  test('keep their order', () => {
    const moments = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(moments, moments, (one, other) => {
        const [first, second] = [String(scrambled(one.toISOString())), String(scrambled(other.toISOString()))];
        expect(first < second).toBe(one.toISOString() < other.toISOString());
      }),
    );
  });

  test('that are none are texts of digits', () => {
    expect(String(scrambled('2024-99-99'))).toMatch(/^\d{4}-\d\d-\d\d$/);
  });
});

describe('the literals of a map', () => {
  test.each([
    ["if (doc.type === 'order') emit('sales', 1);", ['order']],
    ["if ('refund' != doc.type && doc.version > 2) emit(1);", ['refund', 2]],
    ["switch (doc.state) { case 'new': case 'paid': emit(1); }", ['new', 'paid']],
    ["if (doc._id.indexOf('order:') === 0) emit(1);", ['order:', 0]],
    ["if (['new', 'paid'].includes(doc.state)) emit(1);", ['new', 'paid']],
    ["var open = ['new']; if (open.indexOf(doc.state) >= 0) emit(1);", ['new', 0]],
    ['if ({ web: 1, app: 2 }[doc.channel]) emit(1);', ['web', 'app']],
    ["var kind = 'order'; if (doc.type == kind) emit(1);", ['order']],
    ["if (typeof doc.total === 'number') emit(1);", []],
    ["if ('total' in doc) emit(1);", ['total']],
    ['if (doc.type === `order` && doc.delta < -1) emit(1);', ['order', -1]],
  ])('%s', (body, expected) => {
    expect([...literalsOf(`function (doc) { ${body} }`)].sort()).toEqual([...expected].sort());
  });

  test('are none where it cannot be read', () => {
    expect(literalsOf('function (doc) {').size).toBe(0);
  });
});
