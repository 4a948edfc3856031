// Sets up fast-check for the tests of this project. In CI its seed is fixed, so that a run judges the change and not the draw; elsewhere it is a
// different one each time. FC_SEED names one. The long set runs `numRuns` of a test, or fast-check's 100; the short set runs an eighth.

import process from 'node:process';
import original from 'fast-check';
import { isLong } from './long.js';

const { CI, FC_SEED } = process.env;
const seed = FC_SEED ?? (CI ? '1' : undefined);
if (seed !== undefined) original.configureGlobal({ seed: Number(seed) });

const RUNS = 100;
/** Fewer are not worth a test. */
const MIN_RUNS = 10;

/**
 * @param {any} property
 * @param {import('fast-check').Parameters<any>} [options]
 * @returns {any} as of fast-check's `assert`
 */
function assert(property, options = {}) {
  const { numRuns = RUNS } = options;
  const runs = isLong ? numRuns : Math.min(numRuns, Math.max(MIN_RUNS, Math.ceil(numRuns / 8)));
  // A property that fails is run again with its seed and path, of which a run may be a later one.
  return original.assert(property, { ...options, numRuns: options.path === undefined ? runs : numRuns });
}

export default { ...original, assert: /** @type {typeof original.assert} */ (assert) };
