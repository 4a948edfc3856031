// Stands in for docker, podman and nerdctl: programs of these names in a folder for the PATH, which record how they are called and run a
// server of this project, or pass on to a real CouchDB, in place of a container.

import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/**
 * @typedef {object} StandInMode How it behaves; nothing: well.
 * @property {{code: number, stderr?: string}} [ps] of the first call
 * @property {string[]} [images] those that are here; all where absent
 * @property {{code: number, stderr?: string, stdout?: string}} [pull]
 * @property {{code: number, stderr: string, times: number}} [run] it ends so, as often as that
 * @property {'couchdb' | 'html' | 'json' | 'silent' | 'refuses'} [serves]
 * @property {boolean} [ignoresFilter] whether `ps` lists all containers whatever the filter is
 * @property {boolean} [refusesRemoval]
 * @property {string} [version] that the server tells
 */

/**
 * @typedef {object} StandIn
 * @property {Record<string, string | undefined>} env with the programs first on its PATH
 * @property {(mode: StandInMode) => void} set
 * @property {() => {program: string, args: string[], hasPassword: boolean}[]} calls
 * @property {() => {id: string, labels: Record<string, string>, image: string, pid: number}[]} containers that are there
 * @property {(id: string, labels: Record<string, string>) => void} add a container that somebody started
 */

/**
 * @param {string} folder an empty one
 * @param {string[]} [programs]
 * @returns {StandIn}
 */
export function createContainerStandIn(folder, programs = ['docker', 'podman', 'nerdctl']) {
  const [bin, state] = [path.join(folder, 'bin'), path.join(folder, 'state')];
  mkdirSync(bin, { recursive: true });
  mkdirSync(path.join(state, 'containers'), { recursive: true });
  const script = path.join(import.meta.dirname, 'container-stand-in-program.js');
  for (const name of programs) {
    const file = path.join(bin, name);
    writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${script}' '${state}' ${name} "$@"\n`);
    chmodSync(file, 0o755);
  }
  const read = (/** @type {string} */ name) => readFileSync(path.join(state, name), 'utf8');
  return {
    env: { PATH: `${bin}${path.delimiter}/usr/bin${path.delimiter}/bin`, HOME: folder },
    set: (mode) => writeFileSync(path.join(state, 'mode.json'), JSON.stringify(mode)),
    calls: () => {
      if (!existsSync(path.join(state, 'calls.jsonl'))) return [];
      const lines = read('calls.jsonl').split('\n').filter(Boolean);
      return lines.map((line) => JSON.parse(line));
    },
    containers: () => readdirSync(path.join(state, 'containers')).map((name) => JSON.parse(read(`containers/${name}`))),
    add: (id, labels) => {
      writeFileSync(path.join(state, 'containers', id), JSON.stringify({ id, labels, image: 'other', pid: 0 }));
    },
  };
}

/** @param {StandIn} standIn kills what is left of its containers, whatever a test has done */
export function endContainers(standIn) {
  for (const { pid } of standIn.containers()) {
    try {
      if (pid > 0) process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

/** @param {string} folder */
export function removeStandIn(folder) {
  rmSync(folder, { recursive: true, force: true });
}
