import { defineConfig } from 'vitest/config';

// No test measures time. On a machine that does other things as well, spawning the program may take long.
export default defineConfig({ test: { testTimeout: 60_000, hookTimeout: 60_000 } });
