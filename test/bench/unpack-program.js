// Makes the program as it is published, so that benchmarks measure what users run and not the modules of the checkout.

import { execFileSync } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * @param {string} target folder that gets it
 * @returns {string} the program as it is published, beside the packages of the checkout
 */
export function unpackProgram(target) {
  const unpacked = path.join(target, 'package');
  execFileSync(process.execPath, [path.join(root, 'test/tools/write-package.js'), path.join(unpacked, 'dist')]);
  for (const name of ['bin', 'package.json', 'rules', 'share']) {
    cpSync(path.join(root, name), path.join(unpacked, name), { recursive: true });
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(unpacked, 'node_modules'), 'junction');
  return path.join(unpacked, 'bin/couch-advisor.js');
}
