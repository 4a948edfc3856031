// Every experiment.json of a rule folder fits its schema, is whole, and asks for requests that can be made.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { readExperiments } from '../../../lib/cli/commands/confirm/read-experiments.js';
import { MECHANISMS, missingMechanisms, queriesOf } from '../../../lib/measure/experiments/experiment.js';
import { planSteps } from '../../../lib/measure/experiments/plan.js';
import { makeRequests } from '../../helpers/internals.js';
import { readRuleFolders, readRulesJson, rulesRoot } from '../../helpers/rule-folders.js';
import { shopExperiment } from './shop-experiment.js';

/** @import { Experiment } from '../../../lib/measure/experiments/experiment.js' */

const schema = readRulesJson('experiment.schema.json');
const fitsSchema = new Ajv({ allErrors: true }).compile(schema);
const folders = readRuleFolders().filter(({ folder }) => existsSync(path.join(folder, 'experiment.json')));
const experiments = readExperiments(readRuleFolders().map(({ rule }) => rule));

test('there are experiments, one a folder', () => {
  expect(experiments.length).toBeGreaterThan(7);
  expect(experiments.map(({ id }) => id)).toEqual(folders.map(({ id }) => id));
});

test('the schema names the mechanisms that there are', () => {
  const { properties } = JSON.parse(readFileSync(path.join(rulesRoot, 'experiment.schema.json'), 'utf8'));
  expect(properties.mechanisms.items.enum).toEqual(Object.keys(MECHANISMS));
});

describe.each(experiments)('$id', (experiment) => {
  test('fits the schema and is whole', () => {
    fitsSchema(experiment);
    expect(fitsSchema.errors ?? []).toEqual([]);
    expect(experimentFaults(experiment)).toEqual([]);
  });

  test('has requests that can be made, the same for equal arms', () => {
    for (const arm of experiment.arms) {
      const options = { seed: '1', round: 0, documents: 500, count: 5, designDoc: arm.id };
      const queries = queriesOf(arm);
      expect(queries).toHaveLength(arm.measure === 'load' ? 0 : 1);
      const requests = queries.flatMap(({ request }) => makeRequests(request, experiment.dataset, options));
      expect(requests).toHaveLength(5 * queries.length);
      expect(JSON.stringify(requests)).not.toMatch(/\{(designDoc|\w+:\d+)\}/);
    }
  });

  test('has compared arms that differ', () => {
    const [asIs, advised] = experiment.arms.map(({ id: _, about: __, ...arm }) => arm);
    expect(asIs).not.toEqual(advised);
    expect(planSteps(experiment, { seed: '1', pairs: 2 }).length).toBeGreaterThan(4);
  });
});

describe('faults are told', () => {
  const [asIs, advised] = /** @type {[Experiment['arms'][number], Experiment['arms'][number]]} */ (
    shopExperiment().arms
  );
  test.each([
    ['arms out of order', [advised, asIs], 'first arms'],
    ['one arm twice', [asIs, advised, advised], 'one id'],
    ['a load without a way', [asIs, { ...advised, measure: /** @type {const} */ ('load') }], 'says not how'],
    ['no request', [asIs, { ...advised, request: undefined }], 'no request'],
    [
      'a build of nothing',
      [asIs, { ...advised, measure: /** @type {const} */ ('build'), designDoc: undefined }],
      'builds nothing',
    ],
    [
      'a load beside',
      [asIs, { ...advised, load: { ids: /** @type {const} */ ('random'), batch: 1 } }],
      'does not measure',
    ],
  ])('%s', (_, arms, told) => {
    expect(experimentFaults(shopExperiment({ arms }))).toEqual([expect.stringContaining(told)]);
  });
});

test('what a server lacks is told', () => {
  const experiment = shopExperiment({ mechanisms: ['query-server', 'round-trip'] });
  expect(missingMechanisms(experiment, ['round-trip', 'kept-index'])).toEqual(['query-server']);
});

/**
 * @param {Experiment} experiment
 * @returns {string[]} what is wrong with it beyond its schema, one line each
 */
function experimentFaults({ arms }) {
  const faults = [];
  if (arms[0]?.id !== 'as-is' || arms[1]?.id !== 'advised') faults.push('the first arms are not `as-is` and `advised`');
  if (new Set(arms.map(({ id }) => id)).size < arms.length) faults.push('two arms have one id');
  for (const { id, measure, request, load, designDoc, index } of arms) {
    if (measure === 'load' && !load) faults.push(`\`${id}\` loads, and says not how`);
    if (measure !== 'load' && !request) faults.push(`\`${id}\` has no request`);
    if (measure !== 'load' && load) faults.push(`\`${id}\` has a load that it does not measure`);
    if (measure === 'build' && !designDoc && !index) faults.push(`\`${id}\` builds nothing`);
  }
  return faults;
}
