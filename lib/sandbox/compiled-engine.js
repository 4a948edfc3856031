// Compiles QuickJS once for all threads of this process.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** A `WebAssembly.Module`, which the types of Node.js do not name. @typedef {object} CompiledEngine */

const { Module } = /** @type {any} */ (WebAssembly);

/** @type {CompiledEngine | undefined} */
let compiled;

/**
 * While it is held, threads that start later share the machine code that was made for earlier ones. Otherwise V8 drops that code with
 * the last thread and optimizes the same functions again for the next.
 * @returns {CompiledEngine}
 */
export function compiledEngine() {
  compiled ??= /** @type {CompiledEngine} */ (
    new Module(readFileSync(require.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')))
  );
  return compiled;
}
