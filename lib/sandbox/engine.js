// Loads QuickJS in WebAssembly, with a limit on its memory.

import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core';

/** @import { QuickJSSyncVariant, QuickJSWASMModule } from 'quickjs-emscripten-core' */
/** @import { CompiledEngine } from './compiled-engine.js' */

const PAGE_BYTES = 64 * 1024;
/** What the module needs at least (its import of memory). */
const INITIAL_BYTES = 16 * 1024 * 1024;

/** The engine has no memory left for what it is to be given. */
export class OutOfEngineMemory extends Error {}

/**
 * @param {number} heapBytes all memory that it can ever have
 * @param {CompiledEngine} [compiled] the engine (compiled-engine.js); where absent it is compiled here
 * @returns {Promise<QuickJSWASMModule>}
 */
export async function loadEngine(heapBytes, compiled) {
  const { default: imported } = await import('@jitl/quickjs-wasmfile-release-sync');
  // Its types are those for `require`.
  const variant = /** @type {QuickJSSyncVariant} */ (/** @type {unknown} */ (imported));
  const wasmMemory = new WebAssembly.Memory({
    initial: INITIAL_BYTES / PAGE_BYTES,
    maximum: Math.ceil(heapBytes / PAGE_BYTES),
  });
  /** @type {(imports: object, receive: (instance: object) => void) => object} */
  const instantiateWasm = (imports, receive) => {
    const { Instance } = /** @type {any} */ (WebAssembly);
    const instance = new Instance(compiled, imports);
    receive(instance);
    return instance.exports;
  };
  const own = compiled ? { wasmMemory, instantiateWasm } : { wasmMemory };
  return newQuickJSWASMModuleFromVariant({
    ...variant,
    importModuleLoader: async () => {
      const load = await variant.importModuleLoader();
      if (typeof load !== 'function') throw new Error('the package of the JavaScript engine has an unexpected format');
      return async (options) => {
        const module = await load(Object.assign(own, options));
        const allocate = module._malloc;
        // quickjs-emscripten writes to what it gets without looking: 0 would be the first bytes of the engine's own data.
        module._malloc = (bytes) => {
          const pointer = allocate(bytes);
          if (pointer === 0) throw new OutOfEngineMemory();
          return pointer;
        };
        return module;
      };
    },
  });
}
