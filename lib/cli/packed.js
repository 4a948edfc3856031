// The packed program: takes what earlier runs compiled of it, then is the command line.

import path from 'node:path';
import { makeOwnFolder } from '../engine/run/cache-file.js';
import { cacheFolder } from '../engine/run/cache-folder.js';
import { PROGRAM_FOLDER } from '../package-folder.js';
import { keepCompiledScripts } from './compiled-scripts.js';

/** @type {typeof import('./main.js').main} */
export async function main(given) {
  // Commands call other functions of the same files.
  const command = /^[a-z]+$/.exec(given.argv[0] ?? '')?.[0] ?? 'none';
  const compiled = path.join(cacheFolder(given.env), 'compiled', `${process.version}-${process.arch}`, command);
  const isOff = Boolean(given.env['NODE_DISABLE_COMPILE_CACHE']);
  if (!isOff && makeOwnFolder(compiled)) keepCompiledScripts(PROGRAM_FOLDER, compiled);
  // Not before there is a cache.
  const program = await import('./main.js');
  return program.main(given);
}
