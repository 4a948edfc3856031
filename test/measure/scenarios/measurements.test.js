// docs/measurements.md says what the kept results say, and docs/scenarios.md what the scenarios do.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { WAYS } from '../../../lib/measure/scenarios/coupons.js';
import { SCENARIOS } from '../../../lib/measure/scenarios/list.js';
import { COUPONS, INDEX_BUILD } from '../../../lib/measure/scenarios/published.js';
import { PLANTED } from '../../bench/planted-cases.js';
import { drawKept, readKept, refreshMeasurements } from '../../helpers/measurements-page.js';
import { readPlanted, refreshPlanted } from '../../helpers/planted-page.js';
import { root } from '../../helpers/run-cli.js';

const read = (/** @type {string} */ file) => readFileSync(path.join(root, file), 'utf8');
const kept = readKept();

describe('docs/measurements.md', () => {
  const page = read('docs/measurements.md');

  test('has the tables of the kept results: `node test/tools/write-measurements.js` writes them', () => {
    expect(refreshMeasurements(page, kept)).toBe(page);
  });

  test('has their pictures, and no other', () => {
    const drawn = drawKept(kept);
    const there = readdirSync(path.join(root, 'docs/measurements')).filter((name) => name.endsWith('.svg'));
    expect(there.toSorted()).toEqual([...drawn.keys()].toSorted());
    for (const [name, svg] of drawn) expect([name, read(`docs/measurements/${name}`) === svg]).toEqual([name, true]);
  });

  test.each(SCENARIOS.map(({ name }) => name))('%s was run on a real CouchDB, to its end', (name) => {
    expect(kept.get(name)).toMatchObject({
      scenario: name,
      state: 'done',
      environment: { server: { kind: 'couchdb' } },
    });
  });

  test('a kept result without a place, or a place without a result, is told', () => {
    expect(() => refreshMeasurements('', kept)).toThrow('has no place for');
    expect(() => refreshMeasurements('<!-- measured: nothing -->\n<!-- end: nothing -->', new Map())).toThrow(
      'nothing.json is missing',
    );
  });
});

describe('planted suggestions', () => {
  const runs = readPlanted();
  const [useless, helpful] = [false, true].map((helps) => PLANTED.filter((one) => one.helps === helps));

  test('are at least 20 that do not help, and 20 that do', () => {
    expect([useless?.length, helpful?.length].every((count) => (count ?? 0) >= 20)).toBe(true);
  });

  test('docs/measurements.md has their tables: `node test/tools/write-measurements.js` writes them', () => {
    const page = read('docs/measurements.md');
    expect(refreshPlanted(page, runs)).toBe(page);
  });

  test('were all measured, of two versions, on one node and on three', () => {
    const servers = runs.map(({ environment: { server } }) => `${server.version}, ${server.nodes} nodes`);
    expect(servers.toSorted()).toEqual(['3.4.3, 1 nodes', '3.4.3, 3 nodes', '3.5.0, 1 nodes', '3.5.0, 3 nodes']);
    const names = PLANTED.map(({ name }) => name).toSorted();
    for (const { results } of runs) expect(results.map(({ name }) => name).toSorted()).toEqual(names);
  });

  /** @param {(typeof runs)[number]} run */
  const nameOf = ({ environment: { server } }) => `${server.version}, ${server.nodes} nodes`;

  test.each(runs.map((run) => /** @type {const} */ ([nameOf(run), run])))(
    '%s: none that does not help was confirmed, and 15 that help were',
    (_, { results }) => {
      expect(results.filter(({ helps, word }) => !helps && word === 'confirmed')).toEqual([]);
      expect(results.filter(({ helps, word }) => helps && word === 'confirmed').length).toBeGreaterThanOrEqual(15);
    },
  );

  // Three nodes on one machine scatter too much for that; the page says so.
  const ofOneNode = runs.filter(({ environment: { server } }) => server.nodes === 1);

  test.each(ofOneNode.map((run) => /** @type {const} */ ([nameOf(run), run])))(
    '%s: at least half of those that do not help were found to be of no use',
    (_, { results }) => {
      const words = results.flatMap(({ helps, word }) => (helps ? [] : [word]));
      const ofNoUse = words.filter((word) => word === 'refuted' || word === 'no practical difference');
      expect(ofNoUse.length).toBeGreaterThanOrEqual(words.length / 2);
    },
  );
});

describe('docs/scenarios.md', () => {
  const page = read('docs/scenarios.md');

  test.each(SCENARIOS.map(({ name }) => name))('has a chapter for %s', (name) => {
    expect(page).toContain(`\n## \`${name}\`\n`);
  });

  test('says for every row of the published table of coupons which access path stands for it', () => {
    for (const row of Object.keys(COUPONS.ask))
      expect(page).toContain(`| ${row} | ${COUPONS.ask[/** @type {keyof typeof COUPONS.ask} */ (row)]} s |`);
    for (const { id, stands } of WAYS)
      if (stands !== '') expect(page).toMatch(new RegExp(`\\| ${stands.replace('/', '\\/')} \\|.*\\| ${id},? `));
  });

  test('has the published table of index builds', () => {
    for (const { option, reducer, small, large } of INDEX_BUILD.builds) {
      expect(page).toContain(
        `| ${option} | ${reducer} | ${small.toLocaleString('en-US')} | ${large.toLocaleString('en-US')} |`,
      );
    }
  });
});
