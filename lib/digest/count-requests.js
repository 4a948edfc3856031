// Counts the requests of a log into a digest, from offsets into its bytes. What was met before is recognized by hashes,
// so that a line costs no string; what is new is read with care, once.

import { databaseOfShard, isDatabaseName } from '../shared/fold-database.js';
import { nameOf } from '../shared/query-name.js';
import { addFindStats } from './evidence.js';
import { MAX_EXAMPLES, mergeExamples } from './fingerprint-group.js';
import { PairTable } from './pair-table.js';
import { exampleParameters } from './parameters.js';
import { decode, KnownFingerprint, OTHER_FINGERPRINT, readTarget } from './query-fingerprint.js';
import { isWholeTarget, scanTarget } from './scan-target.js';

/** @import { LogLine } from '../sources/logs/log-line.js' */
/** @import { Digest } from './digest.js' */
/** @import { TargetScan } from './scan-target.js' */
/** @import { FingerprintGroup } from './fingerprint-group.js' */
/** @import { QueryFingerprint } from './query-fingerprint.js' */
/** @import { WholeStep } from './time-steps.js' */

/** Hashes that are remembered; they are forgotten together when there are more. */
const MAX_KNOWN = 100_000;
/** Numbers of methods are below it, with and without a replicator. */
const METHODS = 64;
/** Lists of keys in an address are parsed up to this length. */
const MAX_KEYS_BYTES = 65_536;
const SLASH = 47;
const QUESTION = 63;

export class RequestCounter {
  #knownFingerprints = new PairTable();
  #knownDatabases = new PairTable();
  #knownGroups = new PairTable();
  /** @type {KnownFingerprint[]} */
  #fingerprints = [];
  /** Undefined for queries that are left out. @type {(FingerprintGroup | undefined)[]} */
  #groups = [];
  #prefix;
  #digest;
  /** The coarseness of the digest for which numbers hold. */
  #coarseness = 0;
  /** The step of the last request, and its minute and width. @type {WholeStep | undefined} */
  #step;
  #minute = -1;
  #width = 0;

  /** @param {Digest} digest gets the counts */
  constructor(digest) {
    this.#digest = digest;
    this.#prefix = new TextEncoder().encode(digest.pathPrefix.replace(/\/+$/, ''));
  }

  /**
   * @param {Buffer} bytes
   * @param {LogLine} line a request in them
   */
  add(bytes, line) {
    const digest = this.#digest;
    // Lines between two requests may have made the digest coarser.
    if (this.#coarseness !== digest.coarseness) this.#followCoarseness();
    let start = line.targetStart;
    const end = line.targetEnd;
    if (bytes[start] !== SLASH || this.#prefix.length > 0) start = this.#pathStart(bytes, start, end);
    const scan = scanTarget(bytes, start, end);
    let database = this.#knownDatabases.find(scan.database.first, scan.database.second);
    if (database < 0) database = this.#addDatabase(bytes, scan);
    let fingerprint = this.#knownFingerprints.find(scan.fingerprint.first, scan.fingerprint.second);
    if (fingerprint < 0) fingerprint = this.#addFingerprint(bytes, start, end, scan);
    const method = methodNumber(bytes, line.methodStart, line.methodEnd) + (line.isReplicator ? REPLICATION : 0);
    const known = /** @type {KnownFingerprint} */ (this.#fingerprints[fingerprint]);
    let number = this.#knownGroups.find(database * METHODS + method, fingerprint);
    if (number < 0) number = this.#addGroup(method, database, fingerprint);
    const group = this.#groups[number];
    if (!group) {
      digest.addOther(-1);
      return;
    }
    digest.lines.read += 1;
    digest.lines.requests += 1;

    if (line.minute !== group.minute) group.beginMinute(line.minute);
    group.addStatus(line.status);
    const step = line.minute < 0 ? undefined : this.#stepOf(line.minute);
    if (line.minute >= 0) {
      digest.see(line.time);
      group.see(line.time);
    }
    if (step) {
      step.requests += 1;
      if (line.status >= 400) step.failed += 1;
    }
    if (line.micros >= 0) {
      const bucket = group.addLatency(line.micros);
      if (step) step.addLatency(bucket);
    }
    if (line.size >= 0) {
      group.responseBytes += line.size;
      group.sized += 1;
    }
    if (scan.hasKey) group.keys.add(scan.key.first, scan.key.second);
    if (scan.limit >= 0) group.addLimit(scan.limit);
    if (scan.skip >= 0) group.addSkip(scan.skip);
    if (line.rows >= 0) group.addRowsMeasured(line.rows);
    else if (line.status >= 200 && line.status < 300) {
      const keys = line.keyCount >= 0 ? line.keyCount : scan.keysStart > 0 ? countKeys(bytes, scan) : -1;
      const rows = known.rowsAtMost(scan, line.size, keys);
      // What is written are no rows.
      if (rows >= 0 && (!known.isOneDocument || method % REPLICATION === GET)) group.addRowsAtMost(rows);
    }
    if (known.isFind && line.nonceEnd > line.nonceStart) this.#joinFind(bytes, line, group);
    const { examples } = group;
    if (examples.length < MAX_EXAMPLES || digest.isBefore(examples[MAX_EXAMPLES - 1])) {
      this.#addExample(group, bytes, line);
    }
    if (scan.hasBadEscapes) digest.addProblem('bad-percent-escape');
    if (scan.hasHighBytes && bytes.toString('utf8', start, end).includes('\ufffd')) digest.addProblem('invalid-utf8');
  }

  /**
   * Adds what the report of a Mango query said, whose line came before that of its request.
   * @param {Buffer} bytes
   * @param {LogLine} line
   * @param {FingerprintGroup} group
   */
  #joinFind(bytes, line, group) {
    const { findJoins } = this.#digest;
    if (!findJoins.takesSecond(line.time)) return;
    const nonce = bytes.toString('latin1', line.nonceStart, line.nonceEnd);
    const report = findJoins.second(nonce, { time: line.time, half: group });
    if (report) addFindStats(group, report.half);
  }

  /**
   * @param {number} minute
   * @returns {WholeStep} the step of all requests that it is in
   */
  #stepOf(minute) {
    const { steps } = this.#digest;
    if (minute !== this.#minute || steps.width !== this.#width || !this.#step) {
      this.#step = steps.at(minute);
      this.#minute = minute;
      this.#width = steps.width;
    }
    return this.#step;
  }

  /**
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} end
   * @returns {number} where the path begins, behind scheme, host and prefix
   */
  #pathStart(bytes, start, end) {
    let at = start;
    if (bytes[at] !== SLASH) {
      const scheme = bytes.indexOf('://', at, 'latin1');
      const slash = scheme === -1 || scheme >= end ? -1 : bytes.indexOf(SLASH, scheme + 3);
      if (slash === -1 || slash >= end) return end;
      at = slash;
    }
    const prefix = this.#prefix;
    if (prefix.length === 0 || end - at < prefix.length) return at;
    if (!prefix.every((byte, index) => bytes[at + index] === byte)) return at;
    const next = bytes[at + prefix.length];
    return at + prefix.length === end || next === SLASH || next === QUESTION ? at + prefix.length : at;
  }

  /**
   * @param {Buffer} bytes
   * @param {TargetScan} scan
   * @returns {number}
   */
  #addDatabase(bytes, { databaseStart, databaseEnd, database: { first, second } }) {
    const number = this.#patternOf(decode(bytes.toString('utf8', databaseStart, databaseEnd)));
    if (this.#knownDatabases.size > MAX_KNOWN) this.#knownDatabases.clear();
    this.#knownDatabases.set(first, second, number);
    return number;
  }

  /**
   * @param {string} name
   * @returns {number} of its pattern; 0 where no database can have that name
   */
  #patternOf(name) {
    if (!isDatabaseName(name)) return 0;
    const digest = this.#digest;
    const real = databaseOfShard(name);
    let number = digest.patterns.add(digest.patternOf(real), real);
    digest.keepSmall();
    if (this.#coarseness !== digest.coarseness) {
      this.#followCoarseness();
      number = digest.patterns.add(digest.patternOf(real), real);
    }
    return number;
  }

  /**
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} end
   * @param {TargetScan} scan
   * @returns {number}
   */
  #addFingerprint(bytes, start, end, { databaseStart, databaseEnd, fingerprint: hash }) {
    const isWhole = isWholeTarget(bytes, databaseStart, end);
    const path = bytes.toString('utf8', isWhole ? start : databaseEnd, end);
    // The name of the database is not part of this hash, so nothing of it may be part of the answer.
    const { fingerprint } = readTarget(isWhole ? path : `/d${path}`);
    if (this.#fingerprints.length > MAX_KNOWN) {
      this.#knownFingerprints.clear();
      this.#fingerprints = [];
      this.#forgetGroups();
    }
    this.#fingerprints.push(new KnownFingerprint(fingerprint, isWhole));
    this.#knownFingerprints.set(hash.first, hash.second, this.#fingerprints.length - 1);
    return this.#fingerprints.length - 1;
  }

  /**
   * @param {number} method
   * @param {number} database
   * @param {number} fingerprint
   * @returns {number}
   */
  #addGroup(method, database, fingerprint) {
    const digest = this.#digest;
    const known = /** @type {KnownFingerprint} */ (this.#fingerprints[fingerprint]);
    const pattern = digest.patterns.at(database);
    const counted = pattern === null && !known.isWhole ? OTHER_FINGERPRINT : known.fingerprint;
    const isReplication = method >= REPLICATION || counted.byReplicator;
    const name = MethodNames[method % REPLICATION] ?? 'OTHER';
    const isLeftOut = digest.exclude.length > 0 && digest.isExcluded(pathOf(pattern, known.fingerprint));
    let group = isLeftOut ? undefined : digest.groupOf(name, pattern, counted, isReplication);
    digest.keepSmall();
    if (this.#coarseness !== digest.coarseness) {
      // Numbers of databases and groups hold no longer; what is learned now is learned again with the next line.
      this.#followCoarseness();
      if (group)
        group = digest.groupOf(name, pattern === null ? null : digest.patternOf(pattern), counted, isReplication);
      this.#groups.push(group);
      return this.#groups.length - 1;
    }
    if (this.#groups.length > MAX_KNOWN) this.#forgetGroups();
    this.#groups.push(group);
    this.#knownGroups.set(database * METHODS + method, fingerprint, this.#groups.length - 1);
    return this.#groups.length - 1;
  }

  #followCoarseness() {
    this.#coarseness = this.#digest.coarseness;
    this.#knownDatabases.clear();
    this.#forgetGroups();
  }

  #forgetGroups() {
    this.#knownGroups.clear();
    this.#groups = [];
  }

  /**
   * @param {FingerprintGroup} group
   * @param {Buffer} bytes
   * @param {LogLine} line
   */
  #addExample(group, bytes, line) {
    const example = this.#digest.place();
    const question = bytes.subarray(line.targetStart, line.targetEnd).indexOf(QUESTION);
    if (question !== -1) {
      const query = bytes.toString('utf8', line.targetStart + question + 1, line.targetEnd);
      const parameters = exampleParameters(query, decode);
      if (parameters.length > 0) example.parameters = parameters;
    }
    if (this.#digest.keepValues) {
      example.target = bytes.toString('utf8', line.targetStart, line.targetEnd);
      if (line.userEnd > line.userStart) example.user = bytes.toString('utf8', line.userStart, line.userEnd);
      if (line.peerEnd > line.peerStart) example.peer = bytes.toString('utf8', line.peerStart, line.peerEnd);
    }
    group.examples = mergeExamples(group.examples, [example]);
  }
}

/**
 * @param {Buffer} bytes
 * @param {TargetScan} scan
 * @returns {number} how many keys the list behind `keys` has, -1 where it cannot be read
 */
function countKeys(bytes, { keysStart, keysEnd }) {
  if (keysEnd - keysStart > MAX_KEYS_BYTES) return -1;
  try {
    const keys = JSON.parse(decode(bytes.toString('utf8', keysStart, keysEnd)));
    return Array.isArray(keys) ? keys.length : -1;
  } catch {
    return -1;
  }
}

const MethodNames = Object.freeze([
  'OTHER',
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'HEAD',
  'COPY',
  'OPTIONS',
  'PATCH',
  'MOVE',
]);

/** The number of GET. */
const GET = 1;

/** Added to the number where a replicator sends the request. */
const REPLICATION = 16;

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @returns {number} index of MethodNames
 */
function methodNumber(bytes, start, end) {
  for (let number = GET; number < MethodNames.length; number += 1) {
    if (isAt(bytes, start, end, MethodNames[number] ?? '')) return number;
  }
  return 0;
}

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @param {string} name
 * @returns {boolean}
 */
function isAt(bytes, start, end, name) {
  let at = 0;
  while (at < name.length && bytes[start + at] === name.charCodeAt(at)) at += 1;
  return at === name.length && start + at === end;
}

/**
 * @param {string | null} database
 * @param {QueryFingerprint} fingerprint
 * @returns {string} `shop/_design/app/_view/by_date`, `shop/{document}`, `_up`
 */
function pathOf(database, { endpoint, designDoc, view, functionName }) {
  const [, path = ''] =
    /^ (.*)$/.exec(
      nameOf({ method: '', database, endpoint, designDoc, view, function: functionName, parameters: [] }),
    ) ?? [];
  return path;
}
