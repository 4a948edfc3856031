// Compiles QuickJS once for all threads of this process.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';

const require = createRequire(import.meta.url);

/** A `WebAssembly.Module`, which the types of Node.js do not name. @typedef {object} CompiledEngine */

const { Module } = /** @type {any} */ (WebAssembly);

/** @type {CompiledEngine | undefined} */
let compiled;

/**
 * How much code a function runs before V8 optimizes it, in bytes; 132 kB where nothing is said (Node.js 20, whose V8 is 11.3). A run that tries functions of design documents is
 * over before most of that work pays off: 214 documents took an eighth less processor time with this.
 */
const OPTIMIZE_AFTER = 600_000;

/**
 * While it is held, threads that start later share the machine code that was made for earlier ones. Otherwise V8 drops that code with
 * the last thread and optimizes the same functions again for the next.
 * @returns {CompiledEngine}
 */
export function compiledEngine() {
  if (compiled) return compiled;
  // Later ones print an error about the option (Node.js 22.23, 24.21 and 26.10).
  if (process.versions.v8.startsWith('11.')) setFlagsFromString(`--interrupt-budget=${OPTIMIZE_AFTER}`);
  compiled = /** @type {CompiledEngine} */ (
    new Module(readFileSync(require.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')))
  );
  return compiled;
}
