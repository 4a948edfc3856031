// Reads the processor time of a server's processes and of the whole machine from /proc, where the server is on this
// machine and its processes can be seen, and computes from it what others use. Reads nothing else, and returns nothing on
// systems without /proc.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { attempt } from '../../shared/attempt.js';

/** @import { Server } from './server.js' */

/** Ticks of /proc/PID/stat a second: USER_HZ is 100 on Linux wherever it may be seen (proc(5), sysconf(3)). */
const TICKS = 100;
/** State of a socket that listens (include/net/tcp_states.h). */
const LISTEN = '0A';
const LOOPBACK = /^(127(\.\d+){3}|localhost|\[?::1\]?)$/;

/**
 * @param {string} origin of a server
 * @returns {number | undefined} the id of the process that listens there; undefined where it is elsewhere or cannot be seen
 */
export function findListener(origin) {
  const { hostname, port, protocol } = new URL(origin);
  if (!LOOPBACK.test(hostname)) return undefined;
  const number = Number(port || (protocol === 'https:' ? 443 : 80));
  const inodes = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => listeningInodes(read(file), number)));
  if (inodes.size === 0) return undefined;
  return processIds().find((pid) => openSockets(pid).some((inode) => inodes.has(inode)));
}

/**
 * @param {number} pid
 * @returns {boolean} whether it is an Erlang VM; behind a published port of a container another process listens
 */
export function isErlang(pid) {
  return /\/beam[^/]*$/.test(link(`/proc/${pid}/exe`));
}

/**
 * @param {number[]} roots ids of processes
 * @returns {number | undefined} processor time of them and all processes below them since they began, in milliseconds, in steps of 10;
 *   what has ended and was waited for is in its parent's; undefined where one of them is not there
 */
export function cpuOfTrees(roots) {
  /** @type {Map<number, {parent: number, ticks: number}>} */
  const all = new Map();
  for (const pid of processIds()) {
    const read = readStat(pid);
    if (read) all.set(pid, read);
  }
  if (!roots.every((root) => all.has(root))) return undefined;
  let ticks = 0;
  for (const [pid, one] of all) if (roots.some((root) => isBelow(pid, root, all))) ticks += one.ticks;
  return (ticks * 1000) / TICKS;
}

/**
 * @returns {number | undefined} milliseconds for which the processors of this machine have worked since it was started, all together, and
 *   those that a hypervisor gave to other machines; without interrupts, which belong to nobody
 */
function cpuOfMachine() {
  return parseMachine(read('/proc/stat'));
}

/**
 * @param {string} text of /proc/stat
 * @returns {number | undefined} milliseconds
 */
export function parseMachine(text) {
  // user, nice, system, idle, iowait, irq, softirq, steal (proc(5)); guests are in user.
  const [, user, nice, system, , , , , steal] = (/^cpu .*$/m.exec(text)?.[0] ?? '').split(/\s+/).map(Number);
  const ticks = [user, nice, system, steal].reduce((/** @type {number} */ sum, one) => sum + (one ?? Number.NaN), 0);
  return Number.isFinite(ticks) ? (ticks * 1000) / TICKS : undefined;
}

/**
 * @param {string} text of /proc/net/tcp
 * @param {number} port
 * @returns {string[]}
 */
export function listeningInodes(text, port) {
  const written = port.toString(16).toUpperCase().padStart(4, '0');
  return text.split('\n').flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    const [, local = '', , state, , , , , , inode] = fields;
    return state === LISTEN && local.endsWith(`:${written}`) && inode !== undefined ? [inode] : [];
  });
}

/**
 * @param {string} text of /proc/PID/stat
 * @returns {{parent: number, ticks: number} | undefined}
 */
export function parseStat(text) {
  // The name stands in parentheses and may hold anything.
  const end = text.lastIndexOf(')');
  if (end === -1) return undefined;
  const fields = text
    .slice(end + 2)
    .split(' ')
    .map(Number);
  // From the state on: parent is the 2nd; utime, stime, cutime and cstime are the 12th to 15th (proc(5)).
  const [parent = Number.NaN] = fields.slice(1, 2);
  const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
  return Number.isFinite(parent) && Number.isFinite(ticks) ? { parent, ticks } : undefined;
}

/**
 * @param {number} pid
 * @param {number} root
 * @param {Map<number, {parent: number, ticks: number}>} all
 * @returns {boolean}
 */
function isBelow(pid, root, all) {
  let at = pid;
  for (let steps = 0; steps < 100; steps += 1) {
    if (at === root) return true;
    const parent = all.get(at)?.parent;
    if (parent === undefined || parent === 0) return false;
    at = parent;
  }
  return false;
}

/** @returns {number[]} */
function processIds() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** @param {number} pid */
function readStat(pid) {
  return parseStat(read(`/proc/${pid}/stat`));
}

/** @param {number} pid @returns {string[]} inodes */
function openSockets(pid) {
  const folder = `/proc/${pid}/fd`;
  // Another user's process, or one that has ended.
  return attempt(
    () => readdirSync(folder).flatMap((name) => /^socket:\[(\d+)\]$/.exec(link(`${folder}/${name}`))?.[1] ?? []),
    [],
  );
}

/** @param {string} file @returns {string} */
function link(file) {
  return attempt(() => readlinkSync(file), '');
}

/** @param {string} file @returns {string} empty where it cannot be read */
function read(file) {
  return attempt(() => readFileSync(file, 'utf8'), '');
}

/** @typedef {{at: number, machineMs: number, ownMs: number}} Reading */

/**
 * @typedef {object} MachineWatch
 * @property {() => Reading | undefined} read
 * @property {(since: Reading | undefined) => number | null} othersSince processors that others kept busy since then: 0.5 is half of one. Null
 *   where it cannot be known
 */

/**
 * @param {Pick<Server, 'processes'>} server
 * @returns {MachineWatch}
 */
export function watchMachine({ processes }) {
  const read = () => {
    const machineMs = cpuOfMachine();
    const ownMs = processes && cpuOfTrees([process.pid, ...processes]);
    return machineMs === undefined || ownMs === undefined ? undefined : { at: performance.now(), machineMs, ownMs };
  };
  return {
    read,
    othersSince: (since) => {
      const now = since && read();
      return now ? othersBetween(since, now) : null;
    },
  };
}

/**
 * @param {Reading} before
 * @param {Reading} after
 * @returns {number} at least 0
 */
function othersBetween(before, after) {
  const elapsed = Math.max(1, after.at - before.at);
  return Math.max(0, (after.machineMs - before.machineMs - (after.ownMs - before.ownMs)) / elapsed);
}
