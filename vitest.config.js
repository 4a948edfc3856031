import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { globSync } from 'tinyglobby';
import { configDefaults, defineConfig } from 'vitest/config';

const root = import.meta.dirname;
const hasServer = process.env['COUCHDB_URL'] !== undefined;
/** Modules of the program. */
const PROGRAM = /^(?!.*\/(?:test|node_modules)\/).*\/(?:lib|bin)\/.*\.js$/;

/** What holds for a run. As many workers as processors: vitest leaves one free, which on two of them is half. */
export const whole = { globalSetup: ['test/helpers/one-run.js'], maxWorkers: '100%', fileParallelism: !hasServer };

/**
 * What holds for each file. No test measures time: the time limit is there for a test that never ends, and is far from what any takes on a busy
 * machine. The program is loaded by Node itself, as users load it, and not transformed by vitest.
 */
export const common = {
  server: { deps: { external: [PROGRAM] } },
  testTimeout: 600_000,
  hookTimeout: 600_000,
  setupFiles: ['test/helpers/one-file.js'],
};

/** Files that change the environment before their modules are loaded. */
const alone = globSync('test/**/*.test.js', { cwd: root }).filter((file) =>
  readFileSync(path.join(root, file), 'utf8').includes('vi.hoisted('),
);

// The short set: what `npm test` runs, in two minutes on two processors. Files share the processes of their workers, so that the program is loaded
// and optimized once in each, and not 240 times; `alone` has those that need a process of their own. Tests in test/live send requests to a real
// server, one file at a time: they measure on it, and check that nothing but their own databases has changed. Without the address of one they are
// left out.
const exclude = [...configDefaults.exclude, 'test/**/*.long.test.js', ...(hasServer ? [] : ['test/live/**'])];
export default defineConfig({
  test: {
    ...whole,
    projects: [
      { test: { ...common, name: 'shared', isolate: false, exclude: [...exclude, ...alone] } },
      { test: { ...common, name: 'alone', include: alone, exclude } },
    ],
  },
});
