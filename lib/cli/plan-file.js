// Reads a plan that `advise` wrote, and finds the files that it was made of.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { readPlan } from '../advise/read-plan.js';
import { readTextFile, reasonOf } from '../files/open-file.js';
import { UserError } from '../shared/user-error.js';

/** @import { Plan } from '../advise/plan.js' */

/**
 * @param {string} file absolute
 * @param {string} shown as the user has it
 * @param {string} [code] of the error where it cannot be read
 * @returns {Plan}
 * @throws {UserError} where it cannot be read, or is no plan
 */
export function readPlanFile(file, shown, code = 'plan-unreadable') {
  let text;
  try {
    text = readTextFile(file, { isNamed: true });
  } catch (error) {
    throw new UserError(code, `cannot read the plan ${shown} (${reasonOf(error)})`, {
      hint: 'npx --no-install couch-advisor advise --output plan.json creates one',
    });
  }
  return readPlan(text, shown);
}

/**
 * @param {string} name of a file, as it was given where the plan was made: that may be here, where the plan is, or a folder above it
 * @param {{cwd: string, file: string}} about `file`: of the plan, absolute
 * @returns {string | undefined} relative to `cwd`; undefined where it is in none of them
 */
export function fileOfPlan(name, { cwd, file }) {
  const starts = [cwd];
  for (let at = file; at !== path.dirname(at); at = path.dirname(at)) starts.push(path.dirname(at));
  const found = starts.map((start) => path.resolve(start, name)).find((one) => existsSync(one));
  return found && path.relative(cwd, found);
}
