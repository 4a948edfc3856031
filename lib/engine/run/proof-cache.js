// Keeps proofs of reduce functions and trials of maps between runs, in the cache folder of the user. A file that cannot be read, or holds something
// else, counts as absent and is rewritten. A result that a limit of the sandbox cut off is kept for this run only.

import path from 'node:path';
import { hashText } from '../../shared/hash-text.js';
import { readOwnFile, seal, unseal, writeOwnFile } from './cache-file.js';

/** @import { AnswerMemory } from '../pipeline.js' */
/** @import { CallMemory } from '../../sources/open-application.js' */

/**
 * Proofs that a limit of time or memory cut off, which another run may not meet: fixes and editors read a file again and again in one run, and it would be cut off there again.
 * @type {Map<string, {verdict: string}>}
 */
const ofThisRun = new Map();
const MAX_OF_THIS_RUN = 1000;

/**
 * @param {string} folder
 * @param {string} tool version of the program: answers of other versions are not used
 * @returns {AnswerMemory}
 */
export function createProofCache(folder, tool) {
  const proofs = path.join(folder, 'proofs');
  return {
    get(question) {
      const entry = unseal(tool, readOwnFile(fileOf(proofs, question)));
      // Two questions may share a name; the one that was answered is kept beside its answer.
      const isAnswer = entry?.question === question && typeof entry.proof?.verdict === 'string';
      return isAnswer && !entry.proof.mayDiffer ? entry.proof : ofThisRun.get(question);
    },
    set(question, proof) {
      if ('mayDiffer' in proof && proof.mayDiffer) {
        if (ofThisRun.size >= MAX_OF_THIS_RUN) ofThisRun.clear();
        ofThisRun.set(question, proof);
      } else writeOwnFile(fileOf(proofs, question), seal(tool, { question, proof }));
    },
  };
}

/**
 * @param {string} folder
 * @param {string} question
 * @returns {string}
 */
function fileOf(folder, question) {
  return path.join(folder, `${hashText(question)}.json`);
}

// Keeps the calls that were read of a project's code, in the cache folder of the user. A file that cannot be read, or holds something else, counts as
// absent and is rewritten.

/**
 * @param {{folder: string, place: string, tool: string}} options `place`: the folder that is read; `tool`: state of the program: what others have read is not used
 * @returns {CallMemory} of the last run there
 */
export function createCallCache({ folder, place, tool }) {
  const file = path.join(folder, 'calls', `${hashText(place)}.json`);
  return {
    get(key) {
      const entry = unseal(tool, readOwnFile(file));
      return entry?.key === key ? entry.read : undefined;
    },
    set(key, read) {
      writeOwnFile(file, seal(tool, { key, read }));
    },
  };
}
