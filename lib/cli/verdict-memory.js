// Keeps the verdicts of `confirm` with what they were measured about, so that `lint` can show them offline: a file in the cache folder. A verdict
// about what has changed since is stale and only shown; a refuted finding is left out until something changes.

import path from 'node:path';
import { readOwnFile, writeOwnFile } from '../engine/run/cache-file.js';
import { cacheFolder } from '../engine/run/cache-folder.js';
import { viewOfCall } from '../facts/call/result.js';
import { filterOf, viewOf } from '../facts/request/view.js';
import { hashText } from '../shared/hash-text.js';

/** @import { Link } from '../engine/judge.js' */
/** @import { Subject, Target } from '../facts/fact.js' */
/** @import { MeasuredVerdict } from '../engine/findings/finding.js' */
/** @import { PartialReport } from '../engine/pipeline.js' */

/**
 * @typedef {object} Kept
 * @property {string} key of the finding
 * @property {string} content what the functions of the finding were
 * @property {string} version of the server
 * @property {boolean} isPattern whether other functions and documents were measured than those of the finding
 * @property {MeasuredVerdict} verdict
 */

/** Of this file. In the first, verdicts about the pattern were not distinguished from those about a finding. */
const FILE_VERSION = 2;

/** Beside it the folder has the proofs. */
export const VERDICTS_FILE = 'verdicts.json';
/** The newest are kept; older ones would be stale in most projects. */
const MAX_KEPT = 2000;
const DAY_MS = 86_400_000;

/** Words that are worth keeping: the others are no result. */
const RESULTS = new Set(['confirmed', 'refuted', 'no practical difference']);

/**
 * @param {string} folder
 * @param {Kept[]} fresh
 */
export function keepVerdicts(folder, fresh) {
  const results = fresh.filter(({ verdict }) => RESULTS.has(verdict.word));
  if (results.length === 0) return;
  // What an embedded server says takes the place of nothing that a CouchDB said.
  const nameOf = (/** @type {Kept} */ one) => JSON.stringify([one.key, isOfCouchdb(one), one.isPattern]);
  const names = new Set(results.map(nameOf));
  const all = [...results, ...readKept(folder).filter((one) => !names.has(nameOf(one)))].slice(0, MAX_KEPT);
  // Without it `lint` shows less, and is as right.
  writeOwnFile(path.join(folder, VERDICTS_FILE), JSON.stringify({ version: FILE_VERSION, verdicts: all }));
}

/**
 * @param {string} folder
 * @returns {Kept[]} none where the file is missing or holds something else
 */
function readKept(folder) {
  try {
    const { version, verdicts } = JSON.parse(readOwnFile(path.join(folder, VERDICTS_FILE)) ?? '');
    return version === FILE_VERSION && Array.isArray(verdicts) ? verdicts.filter(isKept) : [];
  } catch {
    return [];
  }
}

/**
 * @param {Kept} kept
 * @returns {boolean}
 */
function isOfCouchdb({ verdict }) {
  return verdict.server.startsWith('CouchDB');
}

/**
 * @param {any} value
 * @returns {value is Kept}
 */
function isKept(value) {
  const { key, content, version, isPattern, verdict } = value ?? {};
  const isText = [key, content, version, verdict?.word, verdict?.server, verdict?.at].every(
    (one) => typeof one === 'string',
  );
  return (
    isText &&
    typeof isPattern === 'boolean' &&
    !Number.isNaN(Date.parse(verdict.at)) &&
    Number.isInteger(verdict.rounds)
  );
}

/**
 * Gives findings the verdicts that were kept of them, and takes the refuted ones out.
 * @template {{report: PartialReport, links: Link[]}} A
 * @param {A} analysis
 * @param {{settings: {targetOf: (file: string) => Target}}} prepared
 * @param {{env: Record<string, string | undefined>}} surroundings
 * @returns {A}
 */
export function withVerdicts(analysis, { settings: { targetOf } }, { env }) {
  const now = Date.now();
  // The last of equal keys counts: what a CouchDB said, and of that the newest.
  const read = readKept(cacheFolder(env)).reverse();
  const ranked = [...read.filter((one) => !isOfCouchdb(one)), ...read.filter(isOfCouchdb)];
  const byKey = (/** @type {boolean} */ isPattern) =>
    new Map(ranked.filter((one) => one.isPattern === isPattern).map((one) => [one.key, one]));
  const [kept, patterns] = [byKey(false), byKey(true)];
  if (kept.size + patterns.size === 0) return analysis;
  /** @type {PartialReport['notes']} */
  const notes = [];
  const links = analysis.links.filter(({ finding, subject }) => {
    const shown = (/** @type {Kept} */ known) => {
      const stale = staleness(known, subject, targetOf(finding.place.file));
      const ageDays = Math.max(0, Math.floor((now - Date.parse(known.verdict.at ?? '')) / DAY_MS));
      return { ...known.verdict, ageDays, ...(stale ? { stale } : {}) };
    };
    const known = kept.get(finding.key);
    const pattern = patterns.get(finding.key);
    if (!known) {
      if (pattern) finding.pattern = shown(pattern);
      return true;
    }
    finding.verdict = shown(known);
    const { ageDays, stale } = finding.verdict;
    if (known.verdict.word !== 'refuted' || stale) return true;
    const { file, line } = finding.place;
    const times = known.verdict.ratio === null ? '' : `, ${known.verdict.ratio.toFixed(2)} times as fast`;
    const reason = `${finding.rule} at line ${line} was refuted by a measurement on ${known.verdict.server} ${age(ageDays ?? 0)}${times}`;
    notes.push({ path: file, reason });
    return false;
  });
  const report = { ...analysis.report, findings: links.map(({ finding }) => finding) };
  const { silenced } = report;
  report.silenced = { ...silenced, refuted: analysis.links.length - links.length };
  report.notes = [...report.notes, ...notes];
  return { ...analysis, links, report };
}

/**
 * @param {Kept} kept
 * @param {Subject} subject
 * @param {Target} target
 * @returns {string | undefined} what has changed since it was measured
 */
function staleness(kept, subject, target) {
  const { content, version } = kept;
  if (contentOf(subject) !== content) return 'the functions or the data have changed since';
  if (!isOfCouchdb(kept)) return 'which is not CouchDB';
  const parts = version.split('.');
  const isSame = target.version.split('.', 2).every((part, at) => part === parts[at]);
  return isSame ? undefined : `you target ${target.version}`;
}

/**
 * @param {number} days
 * @returns {string}
 */
function age(days) {
  if (days === 0) return 'today';
  return days === 1 ? 'yesterday' : `${days} days ago`;
}

/**
 * @param {Subject} subject
 * @returns {string} another one where the functions of what it is about are others, or the data of another order of magnitude
 */
export function contentOf(subject) {
  return hashText(JSON.stringify([...textsOf(subject), ...dataOf(subject)]));
}

/**
 * @param {Subject} subject
 * @returns {(string | undefined)[]}
 */
function textsOf(subject) {
  if (subject.kind === 'view') return [subject.map?.text.text, subject.reduce?.text.text];
  if (subject.kind === 'function') return [subject.text.text];
  if (subject.kind === 'filter' || subject.kind === 'search-index') return [subject.function?.text.text];
  if (subject.kind === 'call') {
    const { file, start, end } = subject.record;
    const view = viewOfCall(subject);
    return [file.text.slice(start, end), ...('unknown' in view ? [] : textsOf(view))];
  }
  // Shapes of query and settings are distinguished by the key of the finding.
  if (subject.kind !== 'request') return [];
  const [view, filter] = [viewOf(subject), filterOf(subject)];
  return [...('unknown' in view ? [] : textsOf(view)), ...('unknown' in filter ? [] : textsOf(filter))];
}

/**
 * @param {Subject} subject
 * @returns {(number | undefined)[]} how much of it there is, roughly: logs and loads grow, and a verdict outlives that
 */
function dataOf(subject) {
  const roughly = (/** @type {number | undefined} */ count) =>
    count === undefined || count <= 0 ? undefined : Math.round(Math.log10(count));
  if (subject.kind === 'request') return [roughly(subject.record.rows?.p50), roughly(subject.record.limit?.p50)];
  if (subject.kind === 'load') return [roughly(subject.record.documents), roughly(subject.record.documentBytes.median)];
  return [];
}
