// What stands in a digest's file in, the digest out, or one clear error. Nothing in the file is trusted.

import { UserError } from '../shared/user-error.js';
import { CounterTable } from './counter-table.js';
import { DatabasePattern } from './database-patterns.js';
import { Digest } from './digest.js';
import { DistinctCount, REGISTERS } from './distinct-count.js';
import { IndexBuilds, Tally } from './evidence.js';
import { bucketOf, Histogram } from './histogram.js';
import { MinuteCounts } from './minute-counts.js';
import { FindStats, keyOfGroup, ShapeGroup } from './shape-group.js';

/** @import { DigestOptions } from './digest.js' */
/** @import { Part } from './parts.js' */
/** @import { PlacedExample } from './shape-group.js' */

/**
 * @param {unknown} value what `digestToJson` gave
 * @param {string} source where it comes from, for the error
 * @param {DigestOptions} [options] of the digest that is made; folding is the file's own
 * @returns {Digest}
 * @throws {UserError} of code `bad-digest`
 */
export function digestFromJson(value, source, options = {}) {
  try {
    return readDigest(value, options);
  } catch (error) {
    if (!(error instanceof WrongValue)) throw error;
    throw new UserError('bad-digest', `${source} is no digest of this program: ${error.message}`, {
      hint: 'make it with `couch-advisor digest LOG --output digest.json`',
    });
  }
}

class WrongValue extends Error {}

/**
 * @param {unknown} value
 * @param {DigestOptions} options
 * @returns {Digest}
 */
function readDigest(value, options) {
  const json = object(value, 'the whole');
  if (json['version'] !== 1) throw new WrongValue('expected `version` 1');
  const digest = new Digest({ ...options, fold: json['folded'] !== false });
  digest.coarsen(whole(json['coarseness'], 'coarseness', 4));
  const lines = object(json['lines'], 'lines');
  for (const name of /** @type {const} */ (['read', 'requests', 'other', 'malformed'])) {
    digest.lines[name] = whole(lines[name], `lines.${name}`);
  }
  digest.first = moment(json['from'], Number.POSITIVE_INFINITY);
  digest.last = moment(json['to'], Number.NEGATIVE_INFINITY);
  for (const item of list(json['databases'], 'databases')) {
    const entry = object(item, 'databases');
    const pattern = new DatabasePattern(text(entry['pattern'], 'pattern'));
    pattern.name = entry['name'] === undefined ? null : text(entry['name'], 'name');
    pattern.distinct = readDistinct(entry['counters']);
    digest.patterns.merge(pattern);
  }
  for (const item of list(json['shapes'], 'shapes')) {
    const group = readGroup(object(item, 'shapes'));
    digest.groups.set(keyOfGroup(group), group);
  }
  for (const item of list(json['indexBuilds'], 'indexBuilds')) {
    const builds = readBuilds(object(item, 'indexBuilds'));
    digest.builds.set(JSON.stringify([builds.database, builds.designDoc]), builds);
  }
  readTallies(json['queryServers'], digest.queryServers);
  readTallies(json['problems'], digest.problems);
  digest.parts = list(json['parts'] ?? [], 'parts').map((item) => readPart(object(item, 'parts')));
  const waiting = object(json['waiting'], 'waiting');
  for (const item of list(waiting['reports'], 'waiting.reports')) {
    const report = object(item, 'waiting.reports');
    digest.findJoins.waiting.set(text(report['nonce'], 'nonce'), { time: readTime(report), half: readFind(report) });
  }
  for (const item of list(waiting['finds'], 'waiting.finds')) {
    const find = object(item, 'waiting.finds');
    const group = digest.groups.get(text(find['group'], 'group'));
    if (group) digest.findJoins.early.set(text(find['nonce'], 'nonce'), { time: readTime(find), half: group });
  }
  for (const [part, target] of /** @type {const} */ ([
    ['starts', digest.buildJoins.waiting],
    ['ends', digest.buildJoins.early],
  ])) {
    for (const item of list(waiting[part], part)) {
      const event = object(item, part);
      const name = text(event['name'], 'name');
      target.set(name, { time: readTime(event), half: digest.buildsNamed(name) });
    }
  }
  return digest;
}

/**
 * @param {Record<string, unknown>} json
 * @returns {ShapeGroup}
 */
function readGroup(json) {
  const counters = object(json['counters'], 'counters');
  const optional = (/** @type {string} */ name) => (json[name] === undefined ? '' : text(json[name], name));
  const shape = {
    endpoint: text(json['endpoint'], 'endpoint'),
    designDoc: optional('designDoc'),
    view: optional('view'),
    functionName: optional('function'),
    parameters: list(json['parameters'], 'parameters').map((item) => text(item, 'parameters')),
    byReplicator: counters['byReplicator'] === true,
  };
  const pattern = counters['pattern'] === null ? null : text(counters['pattern'], 'counters.pattern');
  const group = new ShapeGroup(text(json['method'], 'method'), pattern, shape, json['replication'] === true);
  group.count = whole(json['count'], 'count');
  group.first = moment(json['first'], Number.POSITIVE_INFINITY);
  group.last = moment(json['last'], Number.NEGATIVE_INFINITY);
  for (const [status, count] of Object.entries(object(json['statuses'], 'statuses'))) {
    group.statuses.add(whole(Number(status), 'statuses', 999), whole(count, 'statuses'));
  }
  group.responseBytes = json['bytes'] === undefined ? 0 : whole(json['bytes'], 'bytes');
  group.sized = whole(counters['sized'], 'sized');
  group.latencyMicros = readHistogram(counters['latencyMicros']) ?? new Histogram();
  group.rowsMeasured = readHistogram(counters['rowsMeasured']);
  group.rowsAtMost = readHistogram(counters['rowsAtMost']);
  group.limits = readHistogram(counters['limits']);
  group.skips = readHistogram(counters['skips']);
  group.keys = readDistinct(counters['keys']);
  group.minutes = readMinutes(counters['minutes']);
  if (json['find'] !== undefined) group.find = readFind(object(json['find'], 'find'));
  group.examples = readExamples(json['examples']);
  return group;
}

/**
 * @param {Record<string, unknown>} json
 * @returns {IndexBuilds}
 */
function readBuilds(json) {
  const counters = object(json['counters'], 'counters');
  const pattern = counters['pattern'] === null ? null : text(counters['pattern'], 'counters.pattern');
  const builds = new IndexBuilds(pattern, text(json['designDoc'], 'designDoc'));
  builds.starts = whole(json['starts'], 'starts');
  builds.first = moment(json['first'], Number.POSITIVE_INFINITY);
  builds.last = moment(json['last'], Number.NEGATIVE_INFINITY);
  builds.micros = readHistogram(counters['micros']) ?? new Histogram();
  builds.longest = list(json['longest'], 'longest').map((item) => {
    const build = object(item, 'longest');
    return { from: moment(build['from'], 0), ms: whole(build['ms'], 'ms') };
  });
  return builds;
}

/**
 * @param {Record<string, unknown>} json
 * @returns {FindStats}
 */
function readFind(json) {
  const stats = new FindStats();
  for (const name of /** @type {(keyof FindStats & string)[]} */ (Object.keys(stats))) {
    Object.assign(stats, { [name]: whole(json[name], name) });
  }
  return stats;
}

/**
 * @param {Record<string, unknown>} json
 * @returns {Part}
 */
function readPart(json) {
  /** @type {Part} */
  const part = {
    file: text(json['file'], 'file'),
    part: whole(json['part'], 'part'),
    lines: whole(json['lines'], 'lines'),
  };
  if (json['clock'] !== undefined) {
    const clock = object(json['clock'], 'clock');
    part.clock = {
      from: whole(clock['from'], 'clock'),
      line: whole(clock['line'], 'clock'),
      to: whole(clock['to'], 'clock'),
    };
  }
  return part;
}

/**
 * @param {unknown} value
 * @param {Map<string, Tally>} target
 */
function readTallies(value, target) {
  for (const item of list(value, 'tallies')) {
    const json = object(item, 'tallies');
    const tally = new Tally();
    tally.count = whole(json['count'], 'count');
    tally.first = moment(json['first'], Number.POSITIVE_INFINITY);
    tally.last = moment(json['last'], Number.NEGATIVE_INFINITY);
    tally.examples = readExamples(json['examples']);
    target.set(text(json['kind'], 'kind'), tally);
  }
}

/**
 * @param {unknown} value
 * @returns {PlacedExample[]}
 */
function readExamples(value) {
  return list(value, 'examples').map((item) => {
    const json = object(item, 'examples');
    /** @type {PlacedExample} */
    const example = { file: text(json['file'], 'file'), line: whole(json['line'], 'line') };
    if (json['part'] !== undefined) example.part = whole(json['part'], 'part');
    for (const name of /** @type {const} */ (['target', 'user', 'peer'])) {
      if (json[name] !== undefined) example[name] = text(json[name], name);
    }
    return example;
  });
}

/**
 * @param {unknown} value
 * @returns {Histogram | undefined}
 */
function readHistogram(value) {
  if (value === undefined) return undefined;
  const json = object(value, 'histogram');
  const histogram = new Histogram();
  histogram.buckets = readTable(json['buckets'], bucketOf(2 ** 51));
  histogram.sum = whole(json['sum'], 'sum');
  histogram.min = whole(json['min'], 'min');
  histogram.max = whole(json['max'], 'max');
  histogram.count = histogram.buckets.total();
  return histogram;
}

/**
 * @param {unknown} value
 * @returns {MinuteCounts}
 */
function readMinutes(value) {
  const json = object(value, 'minutes');
  const counts = new MinuteCounts();
  counts.shift = Math.log2(whole(json['width'], 'width', 2 ** 30));
  if (!Number.isInteger(counts.shift)) throw new WrongValue('`width` is no power of two');
  counts.steps = readTable(json['steps'], 2 ** 30);
  return counts;
}

/**
 * @param {unknown} value
 * @param {number} most
 * @returns {CounterTable}
 */
function readTable(value, most) {
  const table = new CounterTable();
  const numbers = list(value, 'counts');
  if (numbers.length % 2 !== 0) throw new WrongValue('a list of counts has an odd length');
  for (let at = 0; at < numbers.length; at += 2) {
    table.add(whole(numbers[at], 'counts', most), whole(numbers[at + 1], 'counts'));
  }
  return table;
}

/**
 * @param {unknown} value
 * @returns {DistinctCount}
 */
function readDistinct(value) {
  const distinct = new DistinctCount();
  if (value === undefined) return distinct;
  const json = object(value, 'keys');
  if (json['registers'] !== undefined) {
    const registers = Uint8Array.from(Buffer.from(text(json['registers'], 'registers'), 'base64'));
    if (registers.length !== REGISTERS) throw new WrongValue('a sketch has the wrong size');
    return DistinctCount.ofRegisters(registers);
  }
  const hashes = list(json['hashes'], 'hashes');
  for (let at = 0; at + 1 < hashes.length; at += 2) distinct.add(Number(hashes[at]) | 0, Number(hashes[at + 1]) | 0);
  return distinct;
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {Record<string, unknown>}
 */
function object(value, name) {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new WrongValue(`\`${name}\` is no object`);
  return /** @type {Record<string, unknown>} */ (value);
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {unknown[]}
 */
function list(value, name) {
  if (!Array.isArray(value)) throw new WrongValue(`\`${name}\` is no list`);
  return value;
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {string}
 */
function text(value, name) {
  if (typeof value !== 'string') throw new WrongValue(`\`${name}\` is no text`);
  return value;
}

/**
 * @param {unknown} value
 * @param {string} name
 * @param {number} [most]
 * @returns {number}
 */
function whole(value, name, most = Number.MAX_SAFE_INTEGER) {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw new WrongValue(`\`${name}\` is no whole number from 0 to ${most}`);
}

/**
 * @param {unknown} value
 * @param {number} absent what stands for none
 * @returns {number} milliseconds since 1970
 */
function moment(value, absent) {
  if (value === null || value === undefined) return absent;
  const time = Date.parse(text(value, 'time'));
  if (Number.isNaN(time)) throw new WrongValue('a time cannot be read');
  return time;
}

/**
 * @param {Record<string, unknown>} json
 * @returns {number} milliseconds since 1970, -1 for none
 */
function readTime(json) {
  return json['time'] === -1 ? -1 : whole(json['time'], 'time');
}
