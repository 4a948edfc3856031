// `couch-advisor init`: shows what it would write for this project, prompts, and writes. Never overwrites an existing
// file.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { unifiedDiff } from '../../../engine/fixes/unified-diff.js';
import { analyze } from '../../../engine/pipeline.js';
import { PACKAGE_FOLDER } from '../../../package-folder.js';
import { createColors } from '../../../reports/colors.js';
import { printable } from '../../../shared/printable.js';
import { countOf } from '../../../shared/units.js';
import { UserError } from '../../../shared/user-error.js';
import { writeBaseline } from '../../baseline.js';
import { wantsColor } from '../../colors.js';
import { EXIT } from '../../exit-codes.js';
import { prepare } from '../../prepare.js';
import { version } from '../../version.js';
import { writeNewFile } from '../../write-file.js';
import { findProject } from './find-project.js';
import { findOrigin } from './origin.js';
import { BASELINE_FILE, planFor } from './plan.js';

/** @import { Colors } from '../../../reports/colors.js' */
/** @import { Project } from './find-project.js' */
/** @import { ByHand, NewFile } from './plan.js' */
/** @import { Surroundings } from '../../main.js' */

/** @typedef {{yes?: boolean, dryRun?: boolean, color?: boolean}} InitOptions */

/**
 * @param {InitOptions} options
 * @param {string[]} _given
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 * @throws {UserError} where nobody can answer a prompt, or a file cannot be written
 */
export async function run(options, _given, surroundings) {
  const { cwd, stdin, stdout } = surroundings;
  const colors = createColors(wantsColor(options, surroundings));
  const project = await findProject(cwd);
  stdout.write(`${describeFound(project)}.\n`);
  const isInteractive = stdin.isTTY === true && stdout.isTTY === true && !options.yes && !options.dryRun;
  const ask = isInteractive ? createQuestions(surroundings) : undefined;
  const old = await offerBaseline(project, ask, surroundings);
  const given = { origin: await findOrigin(surroundings.env), cwd, ...readTemplates() };
  const { files, byHand } = planFor(project, given, old);
  if (files.length + byHand.length === 0) {
    stdout.write('Nothing to write.\n');
    return EXIT.CLEAN;
  }
  let isRefused = false;
  for (const file of files) {
    stdout.write(`\n${paintDiff(diffOfNew(file), colors)}`);
    if (options.dryRun) continue;
    if (!options.yes && !ask) isRefused = true;
    else if (options.yes || (await ask?.(`Write ${file.path}? [y/N] `))) {
      stdout.write(writeNewFile(cwd, file) ? `wrote ${file.path}\n` : `kept ${file.path}, which already exists\n`);
    }
  }
  for (const item of byHand) stdout.write(describeByHand(item, colors));
  if (isRefused) {
    throw new UserError('nobody-to-ask', 'nothing was written: confirmation requires a terminal', {
      hint: 'npx --no-install couch-advisor init --yes',
    });
  }
  return EXIT.CLEAN;
}

/**
 * @param {Project} project
 * @param {((question: string) => Promise<boolean>) | undefined} ask undefined where nobody can answer: nothing is kept then
 * @param {Surroundings} surroundings
 * @returns {Promise<{findings: number, isTaken: boolean}>} what `lint` finds in a project that is set up now, and whether a baseline has it
 */
async function offerBaseline({ hasConfig, designDocs, calls, has }, ask, surroundings) {
  if (hasConfig || designDocs + calls === 0 || has(BASELINE_FILE)) return { findings: 0, isTaken: false };
  const prepared = await prepare({ quiet: true }, [], surroundings);
  const { report } = await analyze({ ...prepared, version: version() });
  const findings = report.findings.length;
  const question = `${countOf(findings, 'finding')} now. Keep ${findings === 1 ? 'it' : 'them'} in ${BASELINE_FILE}, so that only new ones are shown? [y/N] `;
  if (findings === 0 || !(await ask?.(question))) return { findings, isTaken: false };
  writeBaseline(path.join(surroundings.cwd, BASELINE_FILE), report.findings, BASELINE_FILE);
  surroundings.stdout.write(`wrote ${BASELINE_FILE}\n`);
  return { findings, isTaken: true };
}

/** @param {Project} project @returns {string} */
function describeFound({ designDocs, calls, paths }) {
  const counts = [
    ...(designDocs > 0 || calls === 0
      ? [designDocs === 0 ? 'no design documents' : countOf(designDocs, 'design document')]
      : []),
    ...(calls > 0 ? [countOf(calls, 'call')] : []),
  ];
  const where = paths.length > 0 ? ` in ${printable(paths.join(', '))}` : '';
  return `Found ${counts.join(' and ')}${where}`;
}

/** @param {NewFile} file @returns {string} */
function diffOfNew({ path: name, text }) {
  return unifiedDiff(name, '', text).replace(/^--- .*/, '--- /dev/null');
}

/** @returns {{github: string, gitlab: string}} */
function readTemplates() {
  const read = (/** @type {string} */ name) => readFileSync(path.join(PACKAGE_FOLDER, 'share/templates', name), 'utf8');
  return { github: read('couch-advisor.github.yml'), gitlab: read('couch-advisor.gitlab-ci.yml') };
}

/** @param {string} diff @param {Colors} colors @returns {string} */
function paintDiff(diff, { green, bold }) {
  return diff
    .split('\n')
    .map((line) => {
      if (/^(?:---|\+\+\+) /.test(line)) return bold(printable(line));
      return line.startsWith('+') ? green(printable(line)) : printable(line);
    })
    .join('\n');
}

/** @param {ByHand} item @param {Colors} colors @returns {string} */
function describeByHand({ title, lines }, { bold, green }) {
  const shown = lines.map((line) => green(printable(line))).join('\n');
  return `\n${bold(title)}\n${shown}\n`;
}

/**
 * @param {Surroundings} surroundings
 * @returns {(question: string) => Promise<boolean>} false also where the input ends
 */
function createQuestions({ stdin, stdout }) {
  const lines = linesOf(stdin);
  return async (question) => {
    stdout.write(question);
    const { value = '', done } = await lines.next();
    if (done) stdout.write('\n');
    return /^\s*y(?:es)?\s*$/i.test(value);
  };
}

/** @param {AsyncIterable<Buffer | string>} stream @returns {AsyncGenerator<string, undefined>} */
async function* linesOf(stream) {
  let rest = '';
  for await (const chunk of stream) {
    rest += chunk.toString();
    for (let at = rest.indexOf('\n'); at !== -1; at = rest.indexOf('\n')) {
      yield rest.slice(0, at);
      rest = rest.slice(at + 1);
    }
  }
  if (rest !== '') yield rest;
  return undefined;
}
