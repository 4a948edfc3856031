// Keeps what the last run in a folder found, with a digest of its input: where nothing has changed, nothing is judged again. Judging uses only its
// arguments (facts and rules read no file), so the digest is that of the arguments. What a limit of the sandbox cut off is not kept.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { hideSecrets, maskOf, maskReported } from '../../../engine/hide-secrets.js';
import { BUNDLED_RULES } from '../../../engine/rule-files.js';
import { readOwnFile, seal, unseal, writeOwnFile } from '../../../engine/run/cache-file.js';
import { cacheFolder } from '../../../engine/run/cache-folder.js';
import { cutOffs } from '../../../facts/bailouts.js';
import { SourceFile } from '../../../shared/source-file.js';
import { programState } from '../../program-state.js';
import { version } from '../../version.js';

/** @import { Analysis } from '../../../engine/pipeline.js' */
/** @import { Report } from '../../../reports/report.js' */
/** @import { Destination } from '../../destinations.js' */
/** @import { LintOptions } from './run.js' */
/** @import { Prepared } from '../../prepare.js' */

/** @typedef {{report: Report, staleBaselineCount: number}} Kept a report whose fixes are described */

/** What is read as a whole before it is judged: logs, loads and servers are not. */
const WHOLE = new Set(['design-doc', 'mango-index', 'server-config', 'call', 'replication', 'container']);

class ReportCache {
  #file;
  #key;
  #opened;

  /**
   * @param {string} file
   * @param {string} key
   * @param {Prepared['opened']} opened
   */
  constructor(file, key, opened) {
    this.#file = file;
    this.#key = key;
    this.#opened = opened;
  }

  /** @returns {Kept | undefined} undefined where something has changed, or nothing was kept */
  read() {
    const entry = unseal(version(), readOwnFile(this.#file));
    if (entry?.key !== this.#key || !isReport(entry.report)) return undefined;
    const { errors, notes, counts: read, files, records } = this.#opened;
    const mask = maskOf(files.values(), records);
    const sources = hideSecrets(files, records, mask);
    const unseen = maskReported(this.#opened.unseen, mask);
    const { edits: folded, ...report } = entry.report;
    const edits = folded && this.#unfoldEdits(folded);
    if (folded && !edits) return undefined;
    return {
      report: { ...report, errors, notes, read, unseen, sources, ...(edits ? { edits } : {}) },
      staleBaselineCount: entry.staleBaselineCount,
    };
  }

  /**
   * @param {Kept} kept
   * @param {Analysis['run']} run
   */
  write({ report, staleBaselineCount }, run) {
    // What was cut off is said in each run, and the next one may find more.
    if (cutOffs(run).length > 0 || mayDiffer(run)) return;
    const { errors, notes, read, unseen, sources, edits, failOn, ...rest } = report;
    const kept = { ...rest, ...(edits ? { edits: foldEdits(edits) } : {}) };
    writeOwnFile(this.#file, seal(version(), { key: this.#key, report: kept, staleBaselineCount }));
  }

  /**
   * @param {ReturnType<typeof foldEdits>} folded
   * @returns {Report['edits']} undefined where one of them is in a file that this run has not read
   */
  #unfoldEdits(folded) {
    const edits = new Map();
    for (const [key, list] of folded) {
      const unfolded = list.map(({ file, ...edit }) => ({ ...edit, file: this.#opened.files.get(file) }));
      if (unfolded.some(({ file }) => file === undefined)) return undefined;
      edits.set(key, unfolded);
    }
    return edits;
  }
}

/**
 * @param {Analysis['run']} run
 * @returns {boolean} whether a limit of time or memory cut trials off of which no note is made
 */
function mayDiffer({ subjects }) {
  return subjects.some((subject) => {
    if (subject.kind !== 'function') return false;
    return [subject.trial, subject.witness, subject.writes].some((tried) => tried?.mayDiffer);
  });
}

/** @param {any} value @returns {boolean} */
function isReport(value) {
  return ['findings', 'cannotTell', 'rules'].every((name) => Array.isArray(value?.[name]));
}

/** @param {NonNullable<Report['edits']>} edits */
function foldEdits(edits) {
  return [...edits].map(([key, list]) => {
    return /** @type {const} */ ([key, list.map(({ file, ...edit }) => ({ ...edit, file: file.path }))]);
  });
}

/**
 * @param {Prepared} prepared
 * @param {LintOptions} options
 * @param {{cwd: string, env: Record<string, string | undefined>, isWhole: boolean, destinations: Destination[], baseline: ReadonlySet<string> | undefined}} run
 * @returns {ReportCache | undefined} undefined where the run needs more than a report, or takes more than files that are read whole
 */
export function openReportCache(prepared, options, { cwd, env, isWhole, destinations, baseline }) {
  const { opened, folders, rules, openDocuments, skipsRuns } = prepared;
  const wantsMore =
    options.cache === false ||
    options.fix ||
    options.fixUnsafe ||
    options.fixDryRun ||
    options.timing ||
    options.watch ||
    options.deployed !== undefined ||
    options.writeBaseline !== undefined ||
    destinations.some(({ format }) => format.showsDetails);
  if (wantsMore || openDocuments || opened.counts.requests !== undefined) return undefined;
  if (!opened.records.every(({ kind }) => WHOLE.has(kind))) return undefined;
  const folder = cacheFolder(env);
  // What was confirmed is a matter of its date as well.
  if (existsSync(path.join(folder, 'verdicts.json'))) return undefined;
  const { rule, drafts, target, engine } = options;
  const { records, files, errors, notes, counts } = opened;
  const judged = {
    program: programState(),
    given: { rule, drafts, target, engine, isWhole, skipsRuns, baseline: [...(baseline ?? [])] },
    configs: folders.all,
    files: [...files.values()].map((file) => [file.path, file.text]),
    records,
    errors,
    notes,
    counts,
  };
  // Files stand in it once.
  const text = JSON.stringify(judged, (_, value) => (value instanceof SourceFile ? value.path : value));
  const configs = folders.all.flatMap(({ layers }) => layers.map(({ source }) => source.text));
  // Rules hold no files. Those of the package are a part of the program, and ten times as long as all the rest of a small project.
  const added = rules.filter(({ folder }) => !folder?.startsWith(BUNDLED_RULES));
  const key = sha256(text + JSON.stringify([configs, added]));
  return new ReportCache(path.join(folder, 'reports', `${sha256(cwd).slice(0, 32)}.json`), key, opened);
}

/** @param {string} text @returns {string} hexadecimal */
function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}
