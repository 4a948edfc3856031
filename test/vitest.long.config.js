import { defineConfig } from 'vitest/config';

// Tests that take minutes: oracles with many random programs, mutants, attacks. `npm run test:long`, after `npm test`.
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.long.test.js'],
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
    maxWorkers: '100%',
  },
});
