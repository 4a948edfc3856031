// Opens the file in which `confirm` keeps every round as soon as it is measured, and reads what an earlier run left in it.

import { closeSync, constants, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { FOLDER_MODE, makeFolder } from '../../../engine/run/cache-file.js';
import { cacheFolder } from '../../../engine/run/cache-folder.js';
import { readFinished, readUnfinished, writeLine } from '../../../measure/experiments/results.js';
import { UserError } from '../../../shared/user-error.js';
import { readIfThere } from '../../read-if-there.js';

/** @import { Result, Sample } from '../../../measure/experiments/experiment.js' */
/** @import { Line } from '../../../measure/experiments/results.js' */
/** @import { ConfirmOptions } from './run.js' */
/** @import { Surroundings } from '../../main.js' */

/** Through no link. */
const WRITE = constants.O_WRONLY | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

/**
 * Where every round is kept as soon as it is measured.
 * @param {ConfirmOptions} options
 * @param {Surroundings} surroundings
 * @param {boolean} [isNext] whether it goes on behind what this run wrote for another server
 * @returns {{shown: string, known: Map<string, Result>, unfinished: Map<string, Sample[]>, keep: (line: Line) => void, close: () => void}}
 * @throws {UserError} where it cannot be written
 */
export function openResultFile({ journal, resume }, { cwd, env }, isNext = false) {
  const file = journal === undefined ? path.join(cacheFolder(env), 'confirm.jsonl') : path.resolve(cwd, journal);
  const shown = journal ?? file;
  const text = (resume && readIfThere(file)) || '';
  const [known, unfinished] = [readFinished(text), readUnfinished(text)];
  try {
    makeFolder(path.dirname(file), journal === undefined ? FOLDER_MODE : 0o777);
    const handle = openSync(file, WRITE | (resume || isNext ? constants.O_APPEND : constants.O_TRUNC));
    // A run that was killed may have left half a line.
    if (text !== '' && !text.endsWith('\n')) writeSync(handle, '\n');
    return {
      shown,
      known,
      unfinished,
      keep: (line) => void writeSync(handle, writeLine(line)),
      close: () => closeSync(handle),
    };
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new UserError('cannot-write', `cannot write ${shown} (${code})`, {
      hint: 'choose another file with --journal',
    });
  }
}
