// Lists what container engines, orchestrators and syslog put before each line of a log, as patterns: each has the whole
// prefix and, where it names a program, that as `source`.

import { attempt } from '../../shared/attempt.js';

/**
 * @typedef {object} PrefixWrapper
 * @property {string} name as reports show it
 * @property {RegExp} pattern of the prefix
 * @property {boolean} [isCertain] whether no known format has lines that begin so
 * @property {boolean} [hasPieces] whether `P ` at its end marks a piece of a line
 */

const ISO_TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)`;
const COLOR = String.raw`(?:\x1b\[[\d;]*m)*`;
const SYSLOG_TIME = String.raw`[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)?`;
/** `journalctl -o short-full`, `short-monotonic`, `short-unix`. */
const JOURNAL_TIME = String.raw`[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? \S+|\[ *\d+\.\d+\]|\d{9,11}\.\d{6}`;

/**
 * The forms are those of docs.docker.com/reference/cli/docker/compose/logs, kubernetes.io/docs/reference/kubectl, the CRI logging format
 * (github.com/kubernetes/design-proposals-archive/blob/main/node/kubelet-cri-logging.md), RFC 3164, RFC 5424 and journalctl(1).
 * @type {PrefixWrapper[]}
 */
export const PREFIX_WRAPPERS = [
  prefix('docker compose', String.raw`${COLOR}(?<source>[\w.-]+) *${COLOR} *\| ${COLOR}(?:${ISO_TIME} )?`, {
    isCertain: true,
  }),
  prefix('kubectl --prefix', String.raw`${COLOR}\[pod/(?<source>[^\]\s]+)\]${COLOR} (?:${ISO_TIME} )?`, {
    isCertain: true,
  }),
  prefix('CRI', `${ISO_TIME} (?:stdout|stderr) [FP] `, { isCertain: true, hasPieces: true }),
  prefix('timestamps', `${ISO_TIME} `),
  prefix(
    'syslog',
    String.raw`(?:<\d{1,3}>)?(?:${SYSLOG_TIME}|${ISO_TIME}|${JOURNAL_TIME}) \S+ (?<source>[^\s:[]+)(?:\[\d+\])?: ?`,
  ),
  prefix(
    'syslog',
    String.raw`<\d{1,3}>1 (?:${ISO_TIME}|-) \S+ (?<source>\S+) \S+ \S+ (?:-|(?:\[[^ \]]+(?: [^ =]+="(?:[^"\\\]]|\\.)*")*\])+) (?:\xef\xbb\xbf)?`,
  ),
];

/**
 * @param {string} name
 * @param {string} source of a pattern
 * @param {{isCertain?: boolean, hasPieces?: boolean}} [about]
 * @returns {PrefixWrapper}
 */
function prefix(name, source, about) {
  return { name, pattern: new RegExp(source, 'y'), ...about };
}

/** Longer prefixes are none. */
export const MAX_PREFIX = 512;
/** What colors a terminal: `ESC [ 3 6 m`. */
export const COLORS = /\x1b\[[\d;]*m/g;

/** Members of JSON lines that name the program: of Docker, Kubernetes, journald, Loki and Elastic's common schema. */
const SOURCE_NAMES = new Set([
  ...['container', 'container_name', 'CONTAINER_NAME', 'service', 'service_name', 'app', 'program'],
  ...['SYSLOG_IDENTIFIER', '_SYSTEMD_UNIT', 'container.name', 'service.name'],
]);
const MAX_DEPTH = 5;
const MAX_STRINGS = 100;

/**
 * @typedef {{path: string[], text: string}} JsonString
 * @param {unknown} value of a parsed line
 * @returns {JsonString[]} the strings in its objects, in their order
 */
export function stringsOf(value) {
  /** @type {JsonString[]} */
  const found = [];
  /** @param {unknown} item @param {string[]} path */
  const visit = (item, path) => {
    if (found.length >= MAX_STRINGS || path.length > MAX_DEPTH) return;
    if (typeof item === 'string') found.push({ path, text: item });
    else if (item !== null && typeof item === 'object' && !Array.isArray(item)) {
      for (const [name, member] of Object.entries(item)) visit(member, [...path, name]);
    }
  };
  visit(value, []);
  return found.filter(({ path }) => path.length > 0);
}

/**
 * @param {unknown} value of a parsed line
 * @returns {string} what it says about the program that wrote it; empty where nothing
 */
export function jsonSource(value) {
  return stringsOf(value)
    .filter(({ path }) => SOURCE_NAMES.has(path.at(-1) ?? '') || SOURCE_NAMES.has(path.slice(-2).join('.')))
    .map(({ text }) => text)
    .join(' ');
}

/**
 * @param {string} text
 * @returns {unknown} undefined where it is no JSON
 */
export function parseLine(text) {
  return attempt(() => JSON.parse(text));
}
