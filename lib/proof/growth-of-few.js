// A reduce in, whether its answer grows with the number of rows where there are few different values out: what grows with
// different values alone may stay small.

import { measureGrowth } from './trials-growth.js';
import { randomFrom } from './trials-random.js';

/** @import { ValueSpec } from './trial-values.js' */
/** @import { TrialSandbox } from './trials.js' */

/**
 * @param {{source: string, sandbox: TrialSandbox, seed: number}} asked
 * @param {ValueSpec} spec
 * @returns {Promise<boolean>} whether the answer grows where there are few different values
 */
export async function growsWithFew({ source, sandbox, seed }, spec) {
  const growth = await measureGrowth({
    source,
    values: withFewValues(spec),
    random: randomFrom(seed),
    ask: async (trees) => {
      const answers = await sandbox.reduce({ source, trees, goesOn: true });
      return answers.map((answer) => ('value' in answer ? answer : { unknown: answer.error.message }));
    },
  });
  return growth?.grows ?? false;
}

/**
 * @param {ValueSpec} spec
 * @returns {ValueSpec} of whose texts and numbers there are three each
 */
function withFewValues(spec) {
  /** @type {(...values: unknown[]) => ValueSpec} */
  const few = (...values) => ({ kind: 'oneOf', of: values.map((value) => ({ kind: 'literal', value })) });
  switch (spec.kind) {
    case 'number':
    case 'integer':
      return few(1, 2, 3);
    case 'string':
    case 'any':
    case 'digits':
    case 'date':
      return few('2026-01-01', '2026-01-02', '2026-01-03');
    case 'array':
      return { ...spec, items: spec.items.map(withFewValues) };
    case 'list':
      return { ...spec, of: withFewValues(spec.of) };
    case 'record':
      return { kind: 'object', members: [['open', withFewValues(spec.of)]] };
    case 'object':
      return { ...spec, members: spec.members.map(([name, of]) => [name, withFewValues(of)]) };
    case 'oneOf':
      return { ...spec, of: spec.of.map(withFewValues) };
    default:
      return spec;
  }
}
