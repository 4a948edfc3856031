// What a project has in, the files that are worth adding to it out, and what to add by hand where a file is there already. Pure.

import { CONFIG_FILE } from '../config.js';

/** @import { Project } from './look.js' */

/** @typedef {{path: string, text: string, isExecutable?: boolean}} NewFile */
/** @typedef {{file: string, lines: string[]}} ByHand what is to be added to a file that is there */
/** @typedef {{files: NewFile[], byHand: ByHand[]}} Plan */

/**
 * @param {Project} project
 * @param {{version: string, github: string, gitlab: string}} given version of couch-advisor, and its templates
 * @returns {Plan}
 */
export function planFor(project, given) {
  /** @type {Plan} */
  const plan = { files: [], byHand: [] };
  if (!project.hasConfig) plan.files.push({ path: CONFIG_FILE, text: configText(project) });
  if (!project.hasHook && project.isGit) addHook(plan, project, given.version);
  if (!project.hasWorkflow) addWorkflow(plan, project, given);
  // What came between looking and planning is not written over either.
  return { ...plan, files: plan.files.filter(({ path }) => !project.has(path)) };
}

/** @param {Project} project @returns {string} */
function configText({ version, paths, logs, loads, isInstalled }) {
  const config = {
    ...(isInstalled ? { $schema: './node_modules/couch-advisor/schemas/config.schema.json' } : {}),
    ...(version === undefined ? {} : { target: { version } }),
    ...(paths.length > 0 ? { paths } : {}),
    ...(logs.length > 0 ? { logs } : {}),
    ...(loads.length > 0 ? { loads } : {}),
    failOn: 'error',
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/** @param {Plan} plan @param {Project} project @param {string} version */
function addHook(plan, { hooks, has, isInstalled }, version) {
  const command = `${runner(isInstalled, version)} lint --staged`;
  if (hooks === 'pre-commit') {
    const lines = ['  - repo: local', '    hooks:', '      - id: couch-advisor', '        name: couch-advisor'];
    lines.push(`        entry: ${command.replace(' --staged', ' --ignore-unknown --')}`, '        language: system');
    plan.byHand.push({
      file: '.pre-commit-config.yaml',
      lines: [...lines, '        types: [text]', '        require_serial: true'],
    });
  } else if (hooks === 'lint-staged') {
    const entry = `"*": "${command.replace(' --staged', ' --ignore-unknown --')}"`;
    plan.byHand.push({ file: 'the settings of lint-staged', lines: [entry] });
  } else {
    const file = hooks === 'husky' ? '.husky/pre-commit' : '.git/hooks/pre-commit';
    if (has(file)) plan.byHand.push({ file, lines: [command] });
    else if (hooks === 'husky') plan.files.push({ path: file, text: `${command}\n` });
    else if (hooks === 'git') plan.files.push({ path: file, text: `#!/bin/sh\nexec ${command}\n`, isExecutable: true });
  }
}

/** @param {Plan} plan @param {Project} project @param {{version: string, github: string, gitlab: string}} given */
function addWorkflow(plan, { forge, has, isInstalled }, { version, github, gitlab }) {
  const adapt = (/** @type {string} */ template) => (isInstalled ? template : withoutInstall(template, version));
  if (forge === 'github') plan.files.push({ path: '.github/workflows/couch-advisor.yml', text: adapt(github) });
  if (forge !== 'gitlab') return;
  const file = 'couch-advisor.gitlab-ci.yml';
  plan.files.push({ path: file, text: adapt(gitlab) });
  const lines = ['include:', `  - local: ${file}`];
  if (has('.gitlab-ci.yml')) plan.byHand.push({ file: '.gitlab-ci.yml', lines });
  else plan.files.push({ path: '.gitlab-ci.yml', text: `${lines.join('\n')}\n` });
}

/** @param {string} template @param {string} version @returns {string} for a project that does not have couch-advisor among its packages */
function withoutInstall(template, version) {
  return template
    .replace(/^.*npm ci --ignore-scripts\n/m, '')
    .replace('npx --no-install couch-advisor', runner(false, version));
}

/** @param {boolean} isInstalled @param {string} version @returns {string} */
function runner(isInstalled, version) {
  return isInstalled ? 'npx --no-install couch-advisor' : `npx --yes couch-advisor@${version}`;
}
