// Keeps proofs of reduce functions and trials of maps between runs, in the cache folder of the user. A file that cannot be read, or holds
// something else, counts as absent and is written anew; a folder that cannot be written to is no fault.

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { hashText } from '../shared/hash-text.js';

/** @import { AnswerMemory } from '../pipeline.js' */

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

/**
 * @param {string} folder
 * @returns {AnswerMemory}
 */
export function createProofCache(folder) {
  const proofs = path.join(folder, 'proofs');
  return {
    get(question) {
      try {
        const entry = JSON.parse(readFileSync(fileOf(proofs, question), 'utf8'));
        // Two questions may share a name; the one that was answered is kept beside its answer.
        const isAnswer = entry.question === question && typeof entry.proof?.verdict === 'string';
        return isAnswer ? entry.proof : undefined;
      } catch {
        return undefined;
      }
    },
    set(question, proof) {
      const file = fileOf(proofs, question);
      const temporary = `${file}.${process.pid}.tmp`;
      try {
        mkdirSync(proofs, { recursive: true });
        writeFileSync(temporary, JSON.stringify({ question, proof }));
        renameSync(temporary, file);
      } catch {
        discard(temporary);
      }
    },
  };
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
