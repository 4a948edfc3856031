import { readFileSync } from 'node:fs';
import path from 'node:path';
import { globSync } from 'tinyglobby';
import { configDefaults, defineConfig } from 'vitest/config';
import { common, whole } from '../vitest.config.js';

const root = path.resolve(import.meta.dirname, '..');
/** Files of which the short set tests a sample, leaves tests out, or makes fewer random runs. */
const sampled = globSync('test/**/*.test.js', { cwd: root, ignore: 'test/live/**' }).filter((file) =>
  /helpers\/(?:long|property)\.js'/.test(readFileSync(path.join(root, file), 'utf8')),
);

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
    testTimeout: 3_600_000,
  },
});
