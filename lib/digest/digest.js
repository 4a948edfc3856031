// Holds what logs say: how often each fingerprint of query was sent and what it cost, index builds, failures. A digest holds
// counters only, in bounded memory, and two digests merge to what one pass over both logs gives.

import { databaseOfShard, foldDatabase } from '../shared/fold-database.js';
import { matchesGlob } from '../shared/glob.js';
import { DatabasePatterns } from './database-patterns.js';
import { addFindStats, IndexBuilds, Tally } from './evidence.js';
import { compareExamples, FingerprintGroup, groupKey } from './fingerprint-group.js';
import { Joins } from './joins.js';
import { ServerReports } from './server-reports.js';
import { TimeSteps, WholeStep } from './time-steps.js';

/** @import { BuildJoins, FindJoins } from './evidence.js' */
/** @import { ServerReport } from '../sources/logs/log-line.js' */
/** @import { Part, PartClock } from './parts.js' */
/** @import { FindStats, PlacedExample } from './fingerprint-group.js' */
/** @import { QueryFingerprint } from './query-fingerprint.js' */

/**
 * @typedef {object} DigestOptions
 * @property {boolean} [fold] whether databases of one pattern count as one; yes where it is not said
 * @property {string} [pathPrefix] what a proxy puts before the path: `/couchdb`
 * @property {boolean} [keepValues] whether examples keep targets, users and peers
 * @property {number} [begin] milliseconds since 1970: lines before it are left out
 * @property {number} [end] milliseconds since 1970: lines at it or later are left out
 * @property {string[]} [exclude] globs of queries that are left out, as `isExcluded` matches them
 * @property {string[]} [databases] names and globs: all other databases count as one, `OTHER_DATABASES`
 */

/**
 * More fingerprints, patterns of databases or indexes than this, and the digest becomes coarser, step by step: databases by pattern
 * even where that was not requested, then all databases as one, then all names of design documents, then no parameters.
 * How coarse it ends depends only on what was in the logs, not on the order.
 */
export const MAX_SHAPES = 3000;
export const COARSENESS = Object.freeze({
  AS_REQUESTED: 0,
  PATTERNS: 1,
  NO_DATABASES: 2,
  NO_NAMES: 3,
  NO_PARAMETERS: 4,
});

/** What databases are called that were not selected; none can have that name. */
const OTHER_DATABASES = '(others)';

export class Digest {
  lines = { read: 0, requests: 0, other: 0, malformed: 0 };
  /** Moments in milliseconds since 1970; infinite where no line has one. */
  first = Number.POSITIVE_INFINITY;
  last = Number.NEGATIVE_INFINITY;
  coarseness = 0;
  /** What all requests had over time. @type {TimeSteps<WholeStep>} */
  steps = new TimeSteps(() => new WholeStep());
  /** By `groupKey`. @type {Map<string, FingerprintGroup>} */
  groups = new Map();
  /** By database and design document. @type {Map<string, IndexBuilds>} */
  builds = new Map();
  /** Failures of query servers, by kind. @type {Map<string, Tally>} */
  queryServers = new Map();
  reports = new ServerReports();
  /** What was wrong with lines, by kind. @type {Map<string, Tally>} */
  problems = new Map();
  /** @type {FindJoins} */
  findJoins = new Joins();
  /** @type {BuildJoins} */
  buildJoins = new Joins();
  /** Where the line stands that is being added. */
  file = '';
  /** Which part of the file is read; its lines count from 1. Undefined where lines count from the start of the file. @type {number | undefined} */
  part;
  line = 0;
  /** Those that were read, until `settleParts`. @type {Part[]} */
  parts = [];
  /** The one that comes last by name and number, of those that were begun. @type {PlacedExample} */
  #lastPart = { file: '', line: 0 };
  #isBeforeLastPart = false;

  /** @param {DigestOptions} [options] */
  constructor({ fold = true, pathPrefix = '', keepValues = false, begin, end, exclude = [], databases } = {}) {
    this.fold = fold;
    this.keepValues = keepValues;
    this.patterns = new DatabasePatterns();
    this.pathPrefix = pathPrefix;
    this.begin = begin ?? Number.NEGATIVE_INFINITY;
    this.end = end ?? Number.POSITIVE_INFINITY;
    this.isWindow = begin !== undefined || end !== undefined;
    this.exclude = exclude;
    this.databases = databases;
  }

  /** @param {number} time of a line, negative where it is unknown @returns {boolean} whether it is in the time range, if there is one */
  takes(time) {
    return !this.isWindow || (time >= 0 && time >= this.begin && time < this.end);
  }

  /** @param {string} path of a query: `shop/_design/app/_view/by_date` @returns {boolean} whether it is left out */
  isExcluded(path) {
    return this.exclude.some((glob) => matchesGlob(path, glob));
  }

  /** @param {number} time of a request or another line, in milliseconds since 1970 */
  see(time) {
    if (time < this.first) this.first = time;
    if (time > this.last) this.last = time;
  }

  /** @param {number} time of a line that is no request, in milliseconds since 1970; negative where it is unknown */
  addOther(time) {
    this.lines.read += 1;
    this.lines.other += 1;
    if (time >= 0) this.see(time);
  }

  addMalformed() {
    this.lines.read += 1;
    this.lines.malformed += 1;
    this.addProblem('malformed');
  }

  /**
   * Notes something about the present line; counts no line.
   * @param {string} kind
   */
  addProblem(kind) {
    this.addProblemAt(kind, this.place());
  }

  /**
   * @param {string} kind
   * @param {PlacedExample} place of the line
   */
  addProblemAt(kind, place) {
    tallyOf(this.problems, kind).add(-1, place);
  }

  /**
   * @param {string} kind of failure
   * @param {number} time in milliseconds since 1970, negative where it is unknown
   */
  addQueryServerFailure(kind, time) {
    tallyOf(this.queryServers, kind).add(time, this.place());
  }

  /**
   * @param {ServerReport} report
   * @param {number} time in milliseconds since 1970, negative where it is unknown
   */
  addServerReport(report, time) {
    const name = databaseOfShard(report.database);
    if (name !== '') this.patterns.add(this.patternOf(name), name);
    this.reports.add({ ...report, ...this.coarseReport({ ...report, database: name }) }, time, this.place());
    this.keepSmall();
  }

  /**
   * @param {Omit<ServerReport, 'most'>} report
   * @returns {Omit<ServerReport, 'most'>} with names as coarse as this digest is
   */
  coarseReport({ kind, database, designDoc, detail }) {
    const isNamed = this.coarseness < COARSENESS.NO_NAMES;
    const star = (/** @type {string} */ name) => (isNamed || name === '' ? name : '*');
    const pattern = database === '' ? '' : this.patternOf(database);
    return { kind, database: pattern, designDoc: star(designDoc), detail: star(detail) };
  }

  /**
   * @param {string} nonce of the request
   * @param {FindStats} stats
   * @param {number} time in milliseconds since 1970, negative where it is unknown
   */
  addFindReport(nonce, stats, time) {
    const found = this.findJoins.first(nonce, { time, half: stats });
    if (found) addFindStats(found.half, stats);
  }

  /**
   * @param {{isStart: boolean, time: number, pid: string, database: string, designDoc: string}} event `database`: its name or
   *   that of a shard; `pid`: what both lines of one update name
   */
  addIndexEvent({ isStart, time, pid, database, designDoc }) {
    const builds = this.#buildsOf(database, designDoc);
    if (isStart) builds.starts += 1;
    if (time < 0) return;
    builds.see(time);
    if (isStart) builds.minutes.add(Math.floor(time / 60_000));
    const name = `${pid} ${database} ${designDoc}`;
    const half = { time, half: builds };
    if (isStart) {
      const end = this.buildJoins.first(name, half);
      if (end) builds.addBetween(time, end.time);
    } else {
      const start = this.buildJoins.second(name, half);
      if (start) builds.addBetween(start.time, time);
    }
  }

  /**
   * @param {string | null} pattern as groups and builds name it
   * @returns {string | null} the name of the only database of that pattern, else the pattern
   */
  databaseName(pattern) {
    return pattern === null ? null : this.patterns.shownName(pattern);
  }

  /**
   * @param {string} name as `addIndexEvent` makes it of pid, database and design document
   * @returns {IndexBuilds}
   */
  buildsNamed(name) {
    // Names of processes and databases have no spaces, those of design documents may.
    const [, database = '', ...rest] = name.split(' ');
    return this.#buildsOf(database, rest.join(' '));
  }

  /**
   * Another file, or another part of one, begins.
   * @param {string} file as it is shown
   * @param {number | undefined} part its number, undefined for a whole file
   */
  beginPart(file, part) {
    this.file = file;
    this.part = part;
    this.line = 0;
    this.#isBeforeLastPart = compareExamples(this, this.#lastPart) < 0;
    if (!this.#isBeforeLastPart) this.#lastPart = this.place();
    this.findJoins.beginPart();
    this.buildJoins.beginPart();
  }

  /** @param {PartClock} [clock] of the part that ends; absent where no line has a time */
  endPart(clock) {
    const { file, part, line } = this;
    if (part !== undefined) this.parts.push({ file, part, lines: line, ...(clock && { clock }) });
  }

  /** All logs are in. */
  finish() {
    this.findJoins.finish();
    this.buildJoins.finish();
  }

  /** Makes the digest as coarse as its size requires. */
  keepSmall() {
    const isLarge = () => [this.groups, this.patterns, this.builds, this.reports].some(({ size }) => size > MAX_SHAPES);
    while (isLarge() && this.coarseness < COARSENESS.NO_PARAMETERS) this.coarsen(this.coarseness + 1);
  }

  /** @param {number} coarseness at least this */
  coarsen(coarseness) {
    if (coarseness <= this.coarseness) return;
    this.coarseness = coarseness;
    this.patterns = this.patterns.renamed((pattern) => this.patternOf(pattern));
    this.reports = this.reports.renamed((report) => this.coarseReport(report));
    const groups = [...this.groups.values()];
    this.groups = new Map();
    /** @type {Map<FingerprintGroup, FingerprintGroup>} */
    const moved = new Map();
    for (const group of groups) moved.set(group, this.mergeGroup(group));
    for (const item of this.findJoins.early.values()) item.half = moved.get(item.half) ?? item.half;
    const builds = [...this.builds.values()];
    this.builds = new Map();
    /** @type {Map<IndexBuilds, IndexBuilds>} */
    const movedBuilds = new Map();
    for (const item of builds) movedBuilds.set(item, this.mergeBuilds(item));
    for (const item of [...this.buildJoins.waiting.values(), ...this.buildJoins.early.values()]) {
      item.half = movedBuilds.get(item.half) ?? item.half;
    }
  }

  /**
   * @param {string} name of a database, or its pattern at less coarseness
   * @returns {string}
   */
  patternOf(name) {
    if (this.coarseness >= COARSENESS.NO_DATABASES && !name.startsWith('_')) return '*';
    // A pattern with a star is of databases that were selected by their names.
    if (this.databases && !name.includes('*') && !this.databases.some((glob) => matchesGlob(name, glob)))
      return OTHER_DATABASES;
    return this.fold || this.coarseness >= COARSENESS.PATTERNS ? foldDatabase(name) : name;
  }

  /**
   * @param {FingerprintGroup} group whose names are made as coarse as this digest is
   * @returns {FingerprintGroup} the group of this digest that it was added to
   */
  mergeGroup(group) {
    const { method, database, fingerprint, isReplication } = group;
    const pattern = database === null ? null : this.patternOf(database);
    const target = this.groupOf(method, pattern, fingerprint, isReplication);
    target.merge(group);
    return target;
  }

  /**
   * @param {IndexBuilds} builds
   * @returns {IndexBuilds} those of this digest that they were added to
   */
  mergeBuilds(builds) {
    const { database, designDoc } = builds;
    const target = this.#buildsUnder(database === null ? null : this.patternOf(database), designDoc);
    target.merge(builds);
    return target;
  }

  /**
   * @param {string} method
   * @param {string | null} database
   * @param {QueryFingerprint} fingerprint
   * @param {boolean} isReplication
   * @returns {FingerprintGroup}
   */
  groupOf(method, database, fingerprint, isReplication) {
    const coarse = this.#coarseFingerprint(fingerprint);
    const key = groupKey(method, database, coarse, isReplication);
    let group = this.groups.get(key);
    if (!group) {
      group = new FingerprintGroup(method, database, coarse, isReplication);
      this.groups.set(key, group);
    }
    return group;
  }

  /**
   * @param {QueryFingerprint} fingerprint
   * @returns {QueryFingerprint}
   */
  #coarseFingerprint(fingerprint) {
    if (this.coarseness < COARSENESS.NO_NAMES) return fingerprint;
    const star = (/** @type {string} */ name) => (name === '' ? '' : '*');
    return {
      ...fingerprint,
      designDoc: star(fingerprint.designDoc),
      view: star(fingerprint.view),
      functionName: star(fingerprint.functionName),
      parameters: this.coarseness >= COARSENESS.NO_PARAMETERS ? [] : fingerprint.parameters,
    };
  }

  /**
   * @param {string} database
   * @param {string} designDoc
   * @returns {IndexBuilds}
   */
  #buildsOf(database, designDoc) {
    const name = databaseOfShard(database);
    const pattern = this.patternOf(name);
    this.patterns.add(pattern, name);
    this.#buildsUnder(pattern, designDoc);
    this.keepSmall();
    return this.#buildsUnder(this.patternOf(pattern), designDoc);
  }

  /**
   * @param {string | null} pattern
   * @param {string} designDoc
   * @returns {IndexBuilds}
   */
  #buildsUnder(pattern, designDoc) {
    const named = this.coarseness >= COARSENESS.NO_NAMES ? '*' : designDoc;
    const key = JSON.stringify([pattern, named]);
    let builds = this.builds.get(key);
    if (!builds) {
      builds = new IndexBuilds(pattern, named);
      this.builds.set(key, builds);
    }
    return builds;
  }

  /**
   * @param {PlacedExample | undefined} example
   * @returns {boolean} whether the line that is being added comes first by name of its file, which need not be the order of reading
   */
  isBefore(example) {
    return this.#isBeforeLastPart && compareExamples(this, example) < 0;
  }

  /** @returns {PlacedExample} */
  place() {
    const { file, part, line } = this;
    return part === undefined ? { file, line } : { file, part, line };
  }
}

/**
 * @param {Map<string, Tally>} tallies
 * @param {string} kind
 * @returns {Tally}
 */
function tallyOf(tallies, kind) {
  let tally = tallies.get(kind);
  if (!tally) {
    tally = new Tally();
    tallies.set(kind, tally);
  }
  return tally;
}
