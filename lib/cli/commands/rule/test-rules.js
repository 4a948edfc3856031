// `couch-advisor rule test`: runs the cases of the user's rules, facts in and outcome out.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { caseFault, outcomesWithoutCase } from '../../../engine/cases.js';
import { loadRules } from '../../../engine/load.js';
import { unknownRule } from '../../../engine/rule-names.js';
import { selectedIds, selectsRule } from '../../../engine/rule-selectors.js';
import { readTextFile } from '../../../files/open-file.js';
import { parseJson } from '../../../shared/parse-json.js';
import { printable } from '../../../shared/printable.js';
import { findFaults } from '../../../shared/schema/find-faults.js';
import { countOf } from '../../../shared/units.js';
import { UserError } from '../../../shared/user-error.js';
import { describeError } from '../../describe-error.js';
import { EXIT } from '../../exit-codes.js';
import { pathFrom } from '../../prepare.js';

/** @import { Case } from '../../../engine/cases.js' */
/** @import { Rule } from '../../../engine/rule.js' */
/** @import { Surroundings } from '../../main.js' */

/** Of a file of cases. */
const MAX_BYTES = 1024 * 1024;

/**
 * @param {string[]} selectors ids and families; all rules where empty
 * @param {string[]} ruleFolders of the configuration, absolute
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 * @throws {UserError} where the configuration names no rules, or there is no such rule
 */
export async function testRules(selectors, ruleFolders, { cwd, stdout, stderr }) {
  if (ruleFolders.length === 0) {
    throw new UserError('no-rules', 'the configuration names no folder of rules', {
      hint: 'add `"ruleFolders": ["couch-rules"]` to couch-advisor.config.json',
    });
  }
  const { rules, errors } = await loadRules({ folders: ruleFolders });
  const own = rules.filter(({ page }) => page === undefined);
  stderr.write(
    errors
      .map(({ place, ...error }) =>
        describeError({ ...error, ...(place && { place: { ...place, file: pathFrom(cwd, place.file) } }) }),
      )
      .join(''),
  );
  const ids = own.map(({ id }) => id);
  // A rule that is not sound has no id here.
  const unknown = selectors.find((selector) => selectedIds(selector, ids).length === 0);
  if (unknown !== undefined && errors.length === 0) throw unknownRule(unknown, ids);
  const wanted = own.filter(({ id }) => selectors.length === 0 || selectors.some((one) => selectsRule(one, id)));
  let failed = 0;
  for (const rule of wanted) {
    const { lines, faults } = testRule(rule, cwd);
    failed += faults;
    stdout.write(lines.map((line) => `${printable(line)}\n`).join(''));
  }
  if (errors.length > 0) return EXIT.USAGE;
  return failed > 0 ? EXIT.FINDINGS : EXIT.CLEAN;
}

/**
 * @param {Rule} rule
 * @param {string} cwd
 * @returns {{lines: string[], faults: number}} what is printed of it, and how much of it is wrong
 */
function testRule(rule, cwd) {
  const file = path.join(/** @type {string} */ (rule.folder), 'cases.json');
  const shown = pathFrom(cwd, file);
  if (!existsSync(file)) return { lines: [`${rule.id}: no cases (${shown} does not exist)`], faults: 0 };
  const cases = parseJson(readTextFile(file, { within: path.dirname(file), maxBytes: MAX_BYTES }));
  const misfits = cases === undefined ? ['it is not valid JSON'] : findFaults('cases', cases, 'it').map(wordsOf);
  if (misfits.length > 0) return { lines: misfits.map((fault) => `${shown}: ${fault}`), faults: misfits.length };
  const rows = /** @type {Case[]} */ (cases);
  const faults = rows.flatMap((row) => {
    const fault = caseFault(rule, row);
    return fault === undefined ? [] : [`  "${row.name}": ${fault}`];
  });
  const open = outcomesWithoutCase(rule, rows).map((id) => `  no case ends in \`${id}\``);
  const result =
    faults.length === 0
      ? `${countOf(rows.length, 'case')}, all hold`
      : `${faults.length} of ${countOf(rows.length, 'case')} fail`;
  return { lines: [`${rule.id}: ${result}`, ...faults, ...open], faults: faults.length };
}

/** @param {{message: string, hint?: string | undefined}} fault @returns {string} */
function wordsOf({ message, hint }) {
  return hint === undefined ? message : `${message} (${hint})`;
}
