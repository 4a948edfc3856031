import { defineConfig } from 'vitest/config';

// No test measures time. On a machine that does other things as well, spawning the program may take long. As many workers as processors:
// vitest leaves one free, which on two of them is half.
export default defineConfig({ test: { testTimeout: 60_000, hookTimeout: 60_000, maxWorkers: '100%' } });
