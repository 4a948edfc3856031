// Plans the files that are worth adding to a project, and what to add by hand where a file already exists. Pure.

import { shellWord } from '../../../shared/shell-word.js';
import { CONFIG_FILE } from '../../find-config.js';

/** @import { Project } from './find-project.js' */
/** @typedef {Awaited<ReturnType<typeof import('./origin.js').findOrigin>>} Origin */

/** @typedef {{path: string, text: string, isExecutable?: boolean}} NewFile */
/** @typedef {{title: string, lines: string[]}} ByHand what is to be run, or added to a file that is there */
/** @typedef {{files: NewFile[], byHand: ByHand[]}} Plan */

const PROGRAM = 'npx --no-install couch-advisor';
export const BASELINE_FILE = 'couch-advisor.baseline.json';

/**
 * @param {Project} project
 * @param {{origin: Origin, cwd: string, github: string, gitlab: string}} given where npm installs couch-advisor from, the project's folder, and
 *   templates
 * @param {{findings: number, isTaken: boolean}} [old] what `lint` finds now, and whether it is in a baseline
 * @returns {Plan}
 */
export function planFor(project, given, old = { findings: 0, isTaken: false }) {
  /** @type {Plan} */
  const plan = { files: [], byHand: [] };
  if (!project.hasConfig) plan.files.push({ path: CONFIG_FILE, text: configText(project, old.isTaken) });
  if (!project.hasHook && project.isGit) addHook(plan, project);
  if (!project.hasWorkflow) addWorkflow(plan, project, given);
  // What is written runs the program of the project, and nothing that npx would fetch by its name.
  const isUsed = plan.files.some(({ path }) => path !== CONFIG_FILE) || plan.byHand.length > 0;
  if (isUsed && (!project.isInstalled || project.isLinked)) plan.byHand.unshift(howToInstall(project, given));
  if (old.findings > 0 && !old.isTaken) plan.byHand.push(howToKeep(old.findings));
  // What came between looking and planning is not written over either.
  return { ...plan, files: plan.files.filter(({ path }) => !project.has(path)) };
}

/**
 * @param {Project} project
 * @param {{origin: Origin, cwd: string}} given
 * @returns {ByHand} what makes the hook and the workflow work in every clone
 */
function howToInstall({ isLinked }, { origin, cwd }) {
  const title = isLinked
    ? 'Run this once: couch-advisor is a link to a folder outside of this project, which a clone in CI or of a colleague does not have:'
    : 'Run this once; the hook and the workflow use the couch-advisor installed in this project:';
  if ('address' in origin) return { title, lines: [`npm install --save-dev ${shellWord(origin.address)}`] };
  return { title, lines: [`npm --prefix ${shellWord(origin.folder)} run vendor -- ${shellWord(cwd)}`] };
}

/**
 * @param {number} findings
 * @returns {ByHand} what keeps old findings out of the reports
 */
function howToKeep(findings) {
  const many = findings === 1 ? '1 finding' : `${findings} findings`;
  return {
    title: `\`lint\` has ${many} now. To be shown only new ones, keep these in a baseline, and name it in the configuration:`,
    lines: [`${PROGRAM} lint --write-baseline ${BASELINE_FILE}`, `"baseline": "${BASELINE_FILE}"`],
  };
}

/** @param {Project} project @param {boolean} hasBaseline @returns {string} */
function configText({ version, paths, logs, loads, isInstalled }, hasBaseline) {
  const config = {
    ...(isInstalled ? { $schema: './node_modules/couch-advisor/share/schemas/config.schema.json' } : {}),
    ...(version === undefined ? {} : { target: { version } }),
    ...(paths.length > 0 ? { paths } : {}),
    ...(logs.length > 0 ? { logs } : {}),
    ...(loads.length > 0 ? { loads } : {}),
    ...(hasBaseline ? { baseline: BASELINE_FILE } : {}),
    failOn: 'error',
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/** @param {string} file @returns {string} */
const toBeAdded = (file) => `Add this to ${file}, which already exists:`;

/** @param {Plan} plan @param {Project} project */
function addHook(plan, { hooks, has }) {
  const command = `${PROGRAM} lint --staged`;
  if (hooks === 'pre-commit') {
    const lines = ['  - repo: local', '    hooks:', '      - id: couch-advisor', '        name: couch-advisor'];
    lines.push(`        entry: ${PROGRAM} lint --ignore-unknown --`, '        language: system');
    plan.byHand.push({
      title: toBeAdded('.pre-commit-config.yaml'),
      lines: [...lines, '        types: [text]', '        require_serial: true'],
    });
  } else if (hooks === 'lint-staged') {
    const entry = `"*": "${PROGRAM} lint --ignore-unknown --"`;
    plan.byHand.push({ title: toBeAdded('the lint-staged configuration'), lines: [entry] });
  } else {
    const file = hooks === 'husky' ? '.husky/pre-commit' : '.git/hooks/pre-commit';
    if (has(file)) plan.byHand.push({ title: toBeAdded(file), lines: [command] });
    else if (hooks === 'husky') plan.files.push({ path: file, text: `${command}\n` });
    else if (hooks === 'git') plan.files.push({ path: file, text: `#!/bin/sh\nexec ${command}\n`, isExecutable: true });
  }
}

/** @param {Plan} plan @param {Project} project @param {{github: string, gitlab: string}} templates */
function addWorkflow(plan, { forge, has }, { github, gitlab }) {
  if (forge === 'github') plan.files.push({ path: '.github/workflows/couch-advisor.yml', text: github });
  if (forge !== 'gitlab') return;
  const file = 'couch-advisor.gitlab-ci.yml';
  plan.files.push({ path: file, text: gitlab });
  const lines = ['include:', `  - local: ${file}`];
  if (has('.gitlab-ci.yml')) plan.byHand.push({ title: toBeAdded('.gitlab-ci.yml'), lines });
  else plan.files.push({ path: '.gitlab-ci.yml', text: `${lines.join('\n')}\n` });
}
