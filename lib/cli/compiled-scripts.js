// Keeps the compiled code of the program between runs. Node's own cache (`module.enableCompileCache`, from 22.1 on) keeps half as much: functions that were
// compiled when they were first called are not in it.

import Module, { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';
import { readOwnBytes, writeOwnFile } from '../engine/run/cache-file.js';

/** What is called with the text of each module of CommonJS. @typedef {(this: {exports: unknown}, code: string, file: string, ...rest: unknown[]) => unknown} Compile */

/**
 * From now on, modules of CommonJS that lie in a folder are compiled once.
 * @param {string} folder whose files get another name with other content
 * @param {string} kept folder for compiled code, which nobody else can write: the code is run
 */
export function keepCompiledScripts(folder, kept) {
  /** By the files that are written at the end: what was compiled until then is in them. @type {Map<string, vm.Script>} */
  const fresh = new Map();
  // Not documented; but tools that load other languages have replaced it for ten years, and where it is gone, nothing is kept.
  /** @type {any} */
  const modules = Reflect.get(Module, 'prototype');
  /** @type {Compile} */
  const compile = modules._compile;
  modules._compile = /** @type {Compile} */ (
    function (code, file, ...rest) {
      if (path.dirname(file) !== folder) return compile.call(this, code, file, ...rest);
      const keptFile = path.join(kept, path.basename(file));
      const cachedData = readOwnBytes(keptFile);
      const script = new vm.Script(Module.wrap(code), {
        filename: file,
        cachedData,
        importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      });
      if (!cachedData || script.cachedDataRejected) fresh.set(keptFile, script);
      return script.runInThisContext().call(this.exports, this.exports, createRequire(file), this, file, folder);
    }
  );
  process.once('exit', () => {
    // V8 checks its version, its flags and the length of the data, but runs what is damaged: it must be on the disk before it has its name.
    for (const [file, script] of fresh) writeOwnFile(file, script.createCachedData(), { flush: true });
  });
}
