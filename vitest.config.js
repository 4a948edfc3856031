import process from 'node:process';
import { configDefaults, defineConfig } from 'vitest/config';

// No test measures time. On a machine that does other things as well, spawning the program may take long. As many workers as processors:
// vitest leaves one free, which on two of them is half. A real server is asked by one file of tests at a time: they measure on it, and
// look whether anything but their own databases has changed.
export default defineConfig({
  test: {
    exclude: [...configDefaults.exclude, 'test/**/*.long.test.js'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: '100%',
    fileParallelism: process.env['COUCHDB_URL'] === undefined,
  },
});
