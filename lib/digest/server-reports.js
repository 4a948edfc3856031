// Counts what CouchDB reports about itself: by kind, database, design document and function, in bounded memory.

import { Tally } from './evidence.js';

/** @import { ServerReport } from '../sources/logs/log-line.js' */
/** @import { PlacedExample } from './fingerprint-group.js' */

export class ReportTally extends Tally {
  /** The largest number in a line: revisions of a document or a database that have no later one. */
  most = 0;

  /** @param {Omit<ServerReport, 'most'>} about `database`: its pattern */
  constructor({ kind, database, designDoc, detail }) {
    super();
    this.kind = kind;
    this.database = database;
    this.designDoc = designDoc;
    this.detail = detail;
  }

  /** What tells it from others. */
  get key() {
    return JSON.stringify([this.kind, this.database, this.designDoc, this.detail]);
  }
}

export class ServerReports {
  /** By key. @type {Map<string, ReportTally>} */
  tallies = new Map();

  get size() {
    return this.tallies.size;
  }

  /**
   * @param {ServerReport} report
   * @param {number} time in milliseconds since 1970, negative where it is unknown
   * @param {PlacedExample} place
   */
  add(report, time, place) {
    const tally = this.#tallyOf(new ReportTally(report));
    tally.add(time, place);
    tally.most = Math.max(tally.most, report.most);
  }

  /**
   * @param {ReportTally} other added
   * @param {(report: Omit<ServerReport, 'most'>) => Omit<ServerReport, 'most'>} [rename] makes names coarser
   */
  merge(other, rename = (report) => report) {
    const tally = this.#tallyOf(new ReportTally(rename(other)));
    tally.merge(other);
    tally.most = Math.max(tally.most, other.most);
  }

  /** @returns {ReportTally[]} in the order of their keys */
  all() {
    return [...this.tallies].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, tally]) => tally);
  }

  /**
   * @param {(report: Omit<ServerReport, 'most'>) => Omit<ServerReport, 'most'>} rename
   * @returns {ServerReports} the same with coarser names
   */
  renamed(rename) {
    const made = new ServerReports();
    for (const tally of this.tallies.values()) made.merge(tally, rename);
    return made;
  }

  /**
   * @param {ReportTally} fresh
   * @returns {ReportTally} the one of its key
   */
  #tallyOf(fresh) {
    const known = this.tallies.get(fresh.key);
    if (!known) this.tallies.set(fresh.key, fresh);
    return known ?? fresh;
  }
}
