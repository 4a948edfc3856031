// `npm run vendor -- PROJECT`: packs couch-advisor into a project that is to use it, as one of its own files, and installs it from there. A clone of
// that project then works without this checkout and without a registry that has couch-advisor.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { root } from '../helpers/run-cli.js';

const FOLDER = 'vendor';

const [given] = process.argv.slice(2);
// npm runs a script in the folder of its package, and says where it was called.
const project = given && path.resolve(process.env['INIT_CWD'] ?? process.cwd(), given);
if (!project || !existsSync(path.join(project, 'package.json'))) {
  fail(
    project
      ? `${project} has no package.json: name the folder of a project, or run 'npm init' there first`
      : 'name the folder of the project: npm run vendor -- ../my-project',
  );
} else if (!existsSync(path.join(root, 'node_modules/rolldown'))) {
  fail(`the packages of this checkout are not installed: run 'npm ci' in ${root}`);
} else {
  vendor(project);
}

/** @param {string} folder of the project */
function vendor(folder) {
  mkdirSync(path.join(folder, FOLDER), { recursive: true });
  const printed = npm(root, ['pack', '--json', '--pack-destination', path.join(folder, FOLDER)]);
  // What is printed before is of the scripts that build the package.
  const [{ filename }] = JSON.parse(printed.slice(printed.indexOf('[\n')));
  const file = `${FOLDER}/${filename}`;
  npm(folder, ['install', '--save-dev', '--no-audit', '--no-fund', `./${file}`]);
  process.stdout.write(
    `installed ${file} in ${folder}\n\nCommit it:\n  git add package.json package-lock.json ${file}\n`,
  );
  const { status } = spawnSync('git', ['check-ignore', '--quiet', file], { cwd: folder });
  if (status === 0) process.stdout.write(`\n.gitignore excludes ${file}: add it with 'git add --force ${file}'\n`);
  process.stdout.write(
    '\nThen write the configuration, the hook and the workflow:\n  npx --no-install couch-advisor init\n',
  );
}

/** @param {string} cwd @param {string[]} args @returns {string} */
function npm(cwd, args) {
  const script = process.env['npm_execpath'];
  // The settings of the npm that runs this script are about this checkout.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:npm_|INIT_CWD$)/i.test(name)));
  const [command, before] = script ? [process.execPath, [script]] : ['npm', []];
  return execFileSync(command, [...before, ...args], {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** @param {string} message */
function fail(message) {
  process.stderr.write(`error: ${message}\n`);
  process.exitCode = 2;
}
