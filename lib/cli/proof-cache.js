// Keeps proofs of reduce functions between runs, in the cache folder of the user. A file that cannot be read, holds something else, is of another
// version of the program or belongs to somebody else counts as absent and is replaced; a folder that cannot be written to is no fault. What a limit
// of the sandbox cut off is kept for this run only.

import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isProof } from '../proof/proof.js';
import { hashText } from '../shared/hash-text.js';

/** @import { Proof } from '../proof/proof.js' */
/** @import { ProofMemory } from '../proof/prove-views.js' */

/**
 * @param {Record<string, string | undefined>} env
 * @param {NodeJS.Platform} [platform]
 * @returns {string} the folder for what can be made again, as each system has it
 */
export function cacheFolder(env, platform = process.platform) {
  const home = env['HOME'] ?? os.homedir();
  if (platform === 'win32')
    return path.join(env['LOCALAPPDATA'] ?? path.join(home, 'AppData', 'Local'), 'couch-advisor');
  if (platform === 'darwin') return path.join(home, 'Library', 'Caches', 'couch-advisor');
  return path.join(env['XDG_CACHE_HOME'] || path.join(home, '.cache'), 'couch-advisor');
}

/** Larger files are none of ours, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Proofs of functions that a limit of the sandbox cut off: fixes and editors read a file again and again in one run, and it would be cut off there again.
 * @type {Map<string, Proof>}
 */
const ofThisRun = new Map();
const MAX_OF_THIS_RUN = 1000;

/**
 * @param {string} folder
 * @param {string} version of the program
 * @returns {ProofMemory}
 */
export function createProofCache(folder, version) {
  const proofs = path.join(folder, 'proofs');
  return {
    get(question) {
      try {
        const entry = JSON.parse(readOwn(fileOf(proofs, question)));
        // Two questions may share a name; the one that was answered is kept beside its answer.
        const isAnswer = entry.question === question && entry.version === version && isProof(entry.proof);
        return isAnswer && entry.proof.cutOff === undefined ? entry.proof : ofThisRun.get(question);
      } catch {
        return ofThisRun.get(question);
      }
    },
    set(question, proof) {
      if (proof.cutOff !== undefined) {
        if (ofThisRun.size >= MAX_OF_THIS_RUN) ofThisRun.clear();
        ofThisRun.set(question, proof);
        return;
      }
      const file = fileOf(proofs, question);
      const temporary = `${file}.${process.pid}.tmp`;
      try {
        mkdirSync(proofs, { recursive: true, mode: 0o700 });
        writeFileSync(temporary, JSON.stringify({ version, question, proof }), { mode: 0o600 });
        renameSync(temporary, file);
      } catch {
        discard(temporary);
      }
    },
  };
}

/**
 * @param {string} file
 * @returns {string} its text
 * @throws {Error} where it cannot be read, is too large, or belongs to another user, who could have written anything into it
 */
function readOwn(file) {
  const handle = openSync(file, 'r');
  try {
    const { uid, size } = fstatSync(handle);
    if (size > MAX_BYTES || (process.getuid !== undefined && uid !== process.getuid())) throw new Error('not ours');
    return readFileSync(handle, 'utf8');
  } finally {
    closeSync(handle);
  }
}

/** @param {string} file that may be there */
function discard(file) {
  try {
    rmSync(file, { force: true });
  } catch {
    // What cannot be written to cannot be cleared up either.
  }
}

/**
 * @param {string} folder
 * @param {string} question
 * @returns {string}
 */
function fileOf(folder, question) {
  return path.join(folder, `${hashText(question)}.json`);
}
