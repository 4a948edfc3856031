// Compiles QuickJS once for all threads of this process.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** @type {WebAssembly.Module | undefined} */
let compiled;

/**
 * While it is held, threads that start later share the machine code that was made for earlier ones. Otherwise V8 drops that code with
 * the last thread and optimizes the same functions again for the next.
 * @returns {WebAssembly.Module}
 */
export function compiledEngine() {
  compiled ??= new WebAssembly.Module(readFileSync(require.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')));
  return compiled;
}
