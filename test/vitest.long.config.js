import { readFileSync } from 'node:fs';
import path from 'node:path';
import { globSync } from 'tinyglobby';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import { common, whole } from '../vitest.config.js';

const root = path.resolve(import.meta.dirname, '..');
/** Files of which the short set tests a sample, leaves tests out, or makes fewer random runs. */
const sampled = globSync('test/**/*.test.js', { cwd: root, ignore: 'test/live/**' }).filter((file) =>
  /helpers\/(?:long|property)\.js'/.test(readFileSync(path.join(root, file), 'utf8')),
);

/** Files that take minutes: they begin first, so that no processor waits for the last of them. */
const SLOW = [
  'security/attacks-more',
  'security/attacks.',
  'limits.long',
  'javascript/values.oracle.long',
  'proof/mutation',
  'cli/containers.',
  'browser/report',
  'package.long',
  'measure/experiments/error-rates',
  'storage-model/accuracy',
  'spark/engines',
  'browser/playground',
  'browser/pages',
  'proof/reducers',
];

class SlowestFirst extends BaseSequencer {
  /** @override @type {BaseSequencer["sort"]} */
  async sort(files) {
    const rank = (/** @type {{moduleId: string}} */ { moduleId }) => {
      const at = SLOW.findIndex((name) => moduleId.includes(`/test/${name}`));
      return at < 0 ? SLOW.length : at;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

// The long set, `npm run test:long`: oracles with many random programs, mutants, all proofs, attacks, and programs of others that are driven.
// A part of it is run by path: `npm run test:long -- test/facts`.
export default defineConfig({
  test: {
    ...whole,
    ...common,
    root,
    include: ['test/**/*.long.test.js', ...sampled],
    exclude: configDefaults.exclude,
    env: { TEST_SET: 'long' },
    sequence: { sequencer: SlowestFirst },
    testTimeout: 3_600_000,
  },
});
