// Keeps the compiled code of the program between runs. Node's own cache (`module.enableCompileCache`, from 22.1 on) keeps half as much: functions that were
// compiled when they were first called are not in it.

import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';
import zlib from 'node:zlib';
import { makeOwnFolder, readOwnBytes, writeOwnFile } from '../engine/run/cache-file.js';

/** What is kept of other versions of the program and of Node.js: folders, each of up to 2 MB for a command. */
const MAX_VERSIONS = 4;
/** Bytes of the checksum behind the compiled code. */
const CHECKSUM_BYTES = 4;

/** The one module with an `import()`, which takes compiled code no further: Node.js 20 does not find its loader again, and later versions print a warning. */
const IMPORTER = 'import.cjs';

/**
 * @callback Checksum CRC-32. Since Node.js 20.15.
 * @param {Uint8Array} data
 * @param {number} [start] the checksum of what comes before
 * @returns {number}
 */
/** @type {Checksum | undefined} */
const checksum = Reflect.get(zlib, 'crc32');

/**
 * From now on, modules of CommonJS in a folder are compiled once, and what was compiled is read from the cache. Does nothing where others can write the cache
 * (the code is run), or where there is no checksum.
 * @param {string} folder of the modules, absolute
 * @param {string} cache folder for compiled code, absolute
 * @param {{version: string, command: string}} run version of what is cached; the command, as commands call other functions of the same files
 */
export function keepCompiledScripts(folder, cache, { version, command }) {
  const kept = path.join(cache, version, command);
  if (!checksum || !makeOwnFolder(kept)) return;
  /** By the files that are written at the end: what was compiled until then is in them. @type {Map<string, {script: vm.Script, origin: number}>} */
  const fresh = new Map();
  const { extensions } = createRequire(path.join(folder, 'packed.cjs'));
  const load = extensions['.js'];
  extensions['.cjs'] = (module, file) => {
    if (path.dirname(file) !== folder || path.basename(file) === IMPORTER) return load(module, file);
    const keptFile = path.join(kept, path.basename(file));
    const source = readFileSync(file);
    const origin = checksum(source, checksum(Buffer.from(file)));
    const cachedData = unsealCode(origin, readOwnBytes(keptFile), checksum);
    const script = new vm.Script(Module.wrap(source.toString()), {
      filename: file,
      cachedData,
    });
    if (!cachedData || script.cachedDataRejected) fresh.set(keptFile, { script, origin });
    const call = script.runInThisContext();
    call.call(module.exports, module.exports, createRequire(file), module, file, folder);
  };
  process.once('exit', () => {
    if (fresh.size === 0) return;
    for (const [file, { script, origin }] of fresh) {
      writeOwnFile(file, sealCode(origin, script.createCachedData(), checksum));
    }
    removeOldVersions(cache);
  });
}

/** @param {number} origin checksum of its source and the name of the file @param {Buffer} compiled @param {Checksum} checksum @returns {Buffer} */
function sealCode(origin, compiled, checksum) {
  const sealed = Buffer.alloc(compiled.length + CHECKSUM_BYTES);
  compiled.copy(sealed);
  sealed.writeUInt32LE(checksum(compiled, origin), compiled.length);
  return sealed;
}

/**
 * V8 checks its own version, its flags and the lengths of source and compiled code, but runs what is damaged: one wrong bit can end the process with a
 * segmentation fault. Compiled code also holds the name of its file, which error messages show.
 * @param {number} origin
 * @param {Buffer | undefined} sealed
 * @param {Checksum} checksum
 * @returns {Buffer | undefined} the compiled code; undefined where it is damaged, or that of another file
 */
function unsealCode(origin, sealed, checksum) {
  if (!sealed || sealed.length <= CHECKSUM_BYTES) return undefined;
  const compiled = sealed.subarray(0, -CHECKSUM_BYTES);
  return checksum(compiled, origin) === sealed.readUInt32LE(compiled.length) ? compiled : undefined;
}

/** @param {string} cache has a folder for each version; the newest stay */
function removeOldVersions(cache) {
  try {
    const versions = readdirSync(cache).map((name) => path.join(cache, name));
    const newestFirst = versions
      .map((place) => ({ place, time: statSync(place).mtimeMs }))
      .sort((first, second) => second.time - first.time);
    for (const { place } of newestFirst.slice(MAX_VERSIONS)) rmSync(place, { recursive: true, force: true });
  } catch {
    // Another run removes them too, or the next one does.
  }
}
