// Notes of probes, calls of reduces, stacks and conclusions, as plain figures.

import { describe, expect, test } from 'vitest';
import { conclude } from '../../../lib/measure/profile/conclude.js';
import { makeFigures, phasesOf, readNotes } from '../../../lib/measure/profile/figures.js';
import { foldStacks, framesOf } from '../../../lib/measure/profile/frames.js';
import { spanOf } from '../../../lib/measure/profile/profile.js';
import { callsOfReductions, callsOfRows } from '../../../lib/measure/profile/reduce-calls.js';
import { libraryTree, lineFinder, splitLines } from '../../../lib/measure/profile/source-texts.js';

/** @import { FunctionProfile } from '../../../lib/measure/profile/profile.js' */

const instrumented = {
  prefix: '__profile',
  texts: [''],
  probes: [
    { source: 0, offset: 0, operations: 0 },
    { source: 0, offset: 10, operations: 2 },
    { source: 0, offset: 20, operations: 5 },
  ],
  functions: [
    { name: 'map', source: 0, offset: 0, end: 50 },
    { name: 'price', source: 0, offset: 20, end: 40 },
  ],
};
const lineOf = (/** @type {{offset: number}} */ { offset }) => 1 + offset / 10;
/** The map is called twice and calls `price` four times; 10 ns of each stretch are the measuring. */
const notes = (/** @type {number} */ ns) =>
  JSON.stringify({
    nodes: [
      [-1, -1, 0],
      [0, 0, 2, 1, 2, ns, 2],
      [1, 1, 4, 2, 4, 440, 4],
    ],
    empty: 10,
  });

/** @returns {FunctionProfile} */
function sampleProfile() {
  const noted = readNotes([notes(120)]);
  const figures = makeFigures(noted, [noted], instrumented, { lineOf, runNs: 1000 });
  const phases = phasesOf([[200, 100, 1000, 100]], 2);
  return {
    role: 'map',
    name: 'orders/by_customer map',
    sources: [{ name: 'map', lines: ['', '', ''], place: undefined }],
    inputs: 2,
    failed: 0,
    notRun: 0,
    failures: [],
    rows: 4,
    inputCharacters: 10,
    answerCharacters: 10,
    longestAnswer: 5,
    ...figures,
    engines: [{ engine: 'quickjs', phases, floor: phasesOf([[200, 100, 20, 20]], 2), rounds: 1 }],
    unmeasured: [],
  };
}

describe('notes', () => {
  test('become counts, and times without those of the measuring, scaled to the run without probes', () => {
    const { lines, functions, calls, operations } = sampleProfile();
    expect(lines).toEqual([
      { source: 0, line: 2, times: 2, operations: 4, ns: 200 },
      { source: 0, line: 3, times: 4, operations: 20, ns: 800 },
    ]);
    expect(operations).toBe(24);
    expect(functions).toEqual([
      { name: 'price', source: 0, line: 3, calls: 4, operations: 20, ownNs: 800, totalNs: 800 },
      { name: 'map', source: 0, line: 1, calls: 2, operations: 4, ownNs: 200, totalNs: 1000 },
    ]);
    expect(calls).toMatchObject([{ name: 'map', ns: 200, callees: [{ name: 'price', ns: 800 }] }]);
  });

  test('of several realms are added up, those of several rounds are compared', () => {
    const counted = readNotes([notes(120), notes(120)]);
    const rounds = [120, 130, 9_000_000].map((ns) => readNotes([notes(ns)]));
    const { lines } = makeFigures(counted, rounds, instrumented, { lineOf, runNs: 510 });
    expect(lines.map(({ times }) => times)).toEqual([4, 8]);
    // The middle round: 130 - 20 for the first line and 400 for the second.
    expect(lines.map(({ ns }) => Math.round(ns ?? 0))).toEqual([110, 400]);
  });

  test.each([
    'no JSON',
    'null',
    '{"nodes": 3}',
    '{"nodes": [3]}',
    '{"nodes": [[-1,-1,0],[7,0,1]]}',
    '{"nodes": [[-1,-1,0],[0,9,"x",77,-1,null,{}]], "empty": "x"}',
  ])('that foreign code has spoilt do no harm: %s', (text) => {
    const { operations } = makeFigures(readNotes([text]), [], instrumented, { lineOf, runNs: 0 });
    expect(operations).toBe(0);
  });
});

test('phases are the middle of the rounds after the first, for one call', () => {
  const { parse, run, total } = phasesOf(
    [
      [9000, 0, 9000, 0],
      [20, 2, 40, 4],
      [22, 2, 44, 4],
      [24, 2, 9000, 4],
    ],
    2,
  );
  expect(parse).toEqual({ middle: 11, low: 10, high: 11 });
  expect(run.middle).toBe(22);
  expect(total.middle).toBe(11 + 1 + 22 + 2);
});

test('the span of nothing is nothing', () => {
  expect(spanOf([])).toEqual({ middle: 0, low: 0, high: 0 });
  expect(spanOf([5, 1, 3, 2, 4])).toEqual({ middle: 3, low: 2, high: 4 });
});

describe('calls of a reduce', () => {
  const rows = Array.from({ length: 100 }, (_, at) => ({ id: `order-${at}`, key: `"${at % 7}"`, value: String(at) }));

  test('have each row once, in the order of keys, in nodes as large as those of the tree', () => {
    const calls = callsOfRows(rows).map((call) => JSON.parse(call));
    expect(calls.length).toBeGreaterThan(1);
    expect(calls.flatMap(([, values]) => values).toSorted((one, other) => one - other)).toEqual(
      rows.map((_, at) => at),
    );
    const keys = calls.flatMap(([ofCall]) => ofCall.map((/** @type {[string, string]} */ [key]) => key));
    expect(keys).toEqual(keys.toSorted());
    expect(calls.every(([, , again]) => again === false)).toBe(true);
    expect(callsOfRows(rows.toReversed())).toEqual(callsOfRows(rows));
  });

  test('go up level by level to one', () => {
    let level = callsOfRows(rows).length;
    let levels = 0;
    for (let calls = callsOfReductions(Array(level).fill('3')); calls.length > 0; levels += 1) {
      expect(calls.length).toBeLessThan(level);
      level = calls.length;
      calls = callsOfReductions(calls.map(() => JSON.stringify('x'.repeat(5000))));
    }
    expect(level).toBe(1);
    expect(levels).toBeGreaterThan(0);
    expect(callsOfReductions(['3'])).toEqual([]);
    expect(JSON.parse(callsOfReductions(['3', '4'])[0] ?? '')).toEqual([null, [3, 4], true]);
  });
});

describe('frames', () => {
  test('are folded into stacks with whole numbers', () => {
    const { root, isTimed } = framesOf([{ name: 'orders/by_customer', documents: 2, notes: [], map: sampleProfile() }]);
    expect(isTimed).toBe(true);
    expect(foldStacks(root)).toBe(`orders/by_customer;read the document 200
orders/by_customer;freeze the document 100
orders/by_customer;map;line 2 200
orders/by_customer;map;price;line 3 800
orders/by_customer;write the rows 100
`);
  });

  test('are operations where nothing was timed, and several views have a root of their own', () => {
    const map = { ...sampleProfile(), engines: [] };
    const { root } = framesOf([
      { name: 'a', documents: 2, notes: [], map },
      { name: 'b', documents: 2, notes: [], map },
    ]);
    expect(foldStacks(root)).toContain('all views;b;map;price;line 3 20\n');
  });

  test('of hostile names stay one stack a line', () => {
    const frame = { name: 'a;b\nc\u001b[31m', value: 3.4, children: [] };
    expect(foldStacks(frame)).toBe('a,b␊c␛[31m 3\n');
  });
});

describe('the conclusion', () => {
  const span = (/** @type {number} */ middle) => ({ middle, low: middle, high: middle });

  test.each([
    [0, 'this code dominates: 76 %'],
    [600, 'this code and the overhead around it cost about the same: an empty map would take 59 % of the time'],
    [10_000, 'an empty map would still take 95 % of the time'],
  ])('with %d ns in the pipe', (ns, told) => {
    const pipe = { command: 'x', ns: span(ns) };
    expect(conclude({ ...sampleProfile(), pipe })?.sentence).toContain(told);
  });

  test('goes by the query server where one was measured', () => {
    const queryServer = { command: 'couchjs', ns: span(1000), floor: span(100) };
    expect(conclude({ ...sampleProfile(), queryServer })?.codeShare).toBeCloseTo(0.9);
  });

  test('has one floor: that of the sentence is that of the table', () => {
    const pipe = { command: 'x', ns: span(600) };
    const { codeShare = 0, sentence, calls } = conclude({ ...sampleProfile(), pipe }) ?? {};
    const [{ whole, empty } = { whole: span(1), empty: span(0) }] = calls ?? [];
    expect(1 - codeShare).toBeCloseTo(empty.middle / whole.middle);
    expect(sentence).toContain(`would take ${Math.round((100 * empty.middle) / whole.middle)} %`);
  });

  test('names the query server that it is about', () => {
    const queryServer = { command: 'couchjs', ns: span(1000), floor: span(900) };
    expect(conclude({ ...sampleProfile(), queryServer })?.sentence).toContain('90 % of the time in `couchjs`: reading');
  });

  test('an empty function takes no longer than one that does something', () => {
    const [engine] = sampleProfile().engines;
    if (!engine) throw new Error('the sample has an engine');
    const floor = { ...engine.floor, total: span(engine.phases.total.middle * 1.1) };
    const { codeShare, sentence, calls } = conclude({ ...sampleProfile(), engines: [{ ...engine, floor }] }) ?? {};
    expect(codeShare).toBe(0);
    expect(sentence).toContain('100 % of the time');
    expect(calls?.[0]?.empty.middle).toBe(calls?.[0]?.whole.middle);
  });

  test('is not that a map is no cost where it emitted nothing', () => {
    const { sentence } = conclude({ ...sampleProfile(), rows: 0, pipe: { command: 'x', ns: span(10_000) } }) ?? {};
    expect(sentence).toContain('emits nothing for these documents');
    expect(sentence).not.toContain('not this code');
  });

  test('is not drawn from nothing', () => {
    expect(conclude({ ...sampleProfile(), engines: [] })).toBeUndefined();
  });
});

test('lines are found by offset, whatever ends them', () => {
  const text = 'a\nb\r\nc\rd\u2028e';
  const find = lineFinder([text]);
  expect(splitLines(text)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(['a', 'b', 'c', 'd', 'e'].map((letter) => find({ source: 0, offset: text.indexOf(letter) }))).toEqual([
    1, 2, 3, 4, 5,
  ]);
});

test('libraries stand where their paths lead, whatever they are called', () => {
  const tree = libraryTree([{ path: ['__proto__', 'constructor'] }, { path: ['price'] }], ['a', 'b']);
  expect(JSON.stringify(tree)).toBe('{"__proto__":{"constructor":"a"},"price":"b"}');
});
