// Installs, once, the query server for Python of the package `couchdb`, with simplejson, in a virtual environment
// beside the other programs that tests drive.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { TOOLS_FOLDER } from './tools.js';

/** What is installed; the versions are part of the folder's name, so that another choice is another folder. */
const PACKAGES = ['couchdb==1.2', 'simplejson==3.20.2'];

/** @returns {{command: string} | {missing: string}} the path of couchpy; or what it takes that is not here */
export function installCouchpy() {
  const folder = path.join(path.dirname(TOOLS_FOLDER), `couchpy-${PACKAGES.join('-').replaceAll('=', '')}`);
  const command = path.join(folder, 'bin', 'couchpy');
  if (existsSync(command)) return { command };
  const python = spawnSync('python3', ['--version'], { encoding: 'utf8' });
  if (python.status !== 0) return { missing: 'python3' };
  // The scripts in it name its path, so it is made where it stays; a lock keeps a second run from using half of it.
  const lock = `${folder}.lock`;
  try {
    mkdirSync(path.dirname(lock), { recursive: true });
    mkdirSync(lock);
  } catch {
    return waitFor(command, lock);
  }
  try {
    const made = spawnSync('python3', ['-m', 'venv', folder], { encoding: 'utf8' });
    if (made.status !== 0) return { missing: `venv of python3: ${made.stderr.slice(-300)}` };
    const pip = path.join(folder, 'bin', 'pip');
    const installed = spawnSync(pip, ['install', '--quiet', ...PACKAGES], { encoding: 'utf8' });
    if (installed.status !== 0 || !existsSync(command)) {
      rmSync(folder, { recursive: true, force: true });
      return { missing: `pip of python3: ${installed.stderr.slice(-300)}` };
    }
    return { command };
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

/**
 * @param {string} command
 * @param {string} lock of another run that makes it
 * @returns {{command: string} | {missing: string}}
 */
function waitFor(command, lock) {
  for (let waited = 0; waited < 240; waited += 1) {
    if (!existsSync(lock)) return existsSync(command) ? { command } : { missing: 'pip of another run failed' };
    spawnSync('sleep', ['0.5']);
  }
  return { missing: `venv of another run was not finished: remove ${lock}` };
}
