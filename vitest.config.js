import process from 'node:process';
import { configDefaults, defineConfig } from 'vitest/config';

const hasServer = process.env['COUCHDB_URL'] !== undefined;
/** Modules of the program. */
const PROGRAM = /^(?!.*\/(?:test|node_modules)\/).*\/(?:lib|bin)\/.*\.js$/;

// The short set: what `npm test` runs, in two minutes on two processors. No test measures time: the time limit is there for a test that never
// ends, and is far from what any takes on a busy machine. As many workers as processors: vitest leaves one free, which on two of them is half.
// Tests in test/live send requests to a real server, one file at a time: they measure on it, and check that nothing but their own databases has
// changed. Without the address of one they are left out. The program is loaded by Node itself, as users load it, and not transformed by vitest.
export default defineConfig({
  test: {
    exclude: [...configDefaults.exclude, 'test/**/*.long.test.js', ...(hasServer ? [] : ['test/live/**'])],
    server: { deps: { external: [PROGRAM] } },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    globalSetup: ['test/helpers/one-run.js'],
    setupFiles: ['test/helpers/one-file.js'],
    maxWorkers: '100%',
    fileParallelism: !hasServer,
  },
});
