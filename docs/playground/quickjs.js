// Replaces `@jitl/quickjs-wasmfile-release-sync`, which fetches its WebAssembly: here it is part of the page.

import wasm from 'playground:wasm';
import load from '@jitl/quickjs-wasmfile-release-sync/emscripten-module';
import { QuickJSFFI } from '@jitl/quickjs-wasmfile-release-sync/ffi';

export default {
  type: 'sync',
  importFFI: async () => QuickJSFFI,
  /** @returns {Promise<(options: object) => Promise<unknown>>} */
  importModuleLoader: async () => (options) => {
    const wasmBinary = Uint8Array.from(atob(wasm), (letter) => letter.charCodeAt(0)).buffer;
    return load({ ...options, wasmBinary });
  },
};
