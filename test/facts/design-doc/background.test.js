import { expect, test } from 'vitest';
import { readFiles, UNKNOWN } from '../../helpers/facts-of.js';
import { SourceFile } from '../../helpers/read-source.js';

/** @import { RequestRecord, SourceRecord } from '../../../lib/sources/record.js' */

const VIEWS = { by_date: { map: 'function (doc) { emit(doc.date); }' } };

/**
 * @param {Record<string, unknown>} document
 * @param {string} name
 * @param {SourceRecord[]} [others]
 * @returns {unknown}
 */
function factOf(document, name, others = []) {
  const files = { 'orders.json': { _id: '_design/orders', ...document } };
  return readFiles(files, '3.5.2', others).shortFact('design-doc', `ddoc.${name}`);
}

test.each([
  [undefined, 'server'],
  [true, 'server'],
  [false, 'readers'],
  [{ views: false }, 'readers'],
  [{ views: true }, 'server'],
  [{ indexes: false }, 'server'],
  [{}, 'server'],
  ['false', 'server-in-spite'],
  ['Off', 'server-in-spite'],
  ['true', 'server'],
  ['nightly', 'server'],
  [0, 'server-in-spite'],
  [1, 'server'],
  [null, 'server-in-spite'],
  [{ views: 'false' }, 'server-in-spite'],
  [[], 'server'],
])('with autoupdate %j the indexes are kept by: %s', (autoupdate, expected) => {
  expect(factOf({ autoupdate, views: VIEWS }, 'indexUpkeep')).toBe(expected);
});

test('nobody keeps the indexes of a document without views', () => {
  expect(factOf({ autoupdate: false, views: { lib: { tax: 'exports.rate = 1' } } }, 'indexUpkeep')).toBe('nobody');
});

test('the value is told as it is written', () => {
  expect(factOf({ autoupdate: { views: 'false' }, views: VIEWS }, 'autoupdateWritten')).toBe('{"views":"false"}');
  expect(factOf({ views: VIEWS }, 'autoupdateWritten')).toBe(UNKNOWN);
});

/**
 * @param {Partial<RequestRecord>[]} requests
 * @param {{hasNames?: boolean, hasTimes?: boolean}} [about] the log
 * @returns {SourceRecord[]}
 */
function logOf(requests, { hasNames = true, hasTimes = true } = {}) {
  const file = new SourceFile('couch.log', '');
  const from = '2026-03-02T08:00:00.000Z';
  /** @type {import('../../../lib/sources/record.js').LogRecord} */
  const log = {
    kind: 'log',
    file,
    from,
    to: from,
    minutes: 1,
    requests: 1,
    hasTimes,
    hasNames,
    databases: new Map(),
    queryServerFailures: [],
    serverReports: [],
  };
  const latencyMs = { p50: 10, p95: 125, p99: 200, max: 300, mean: 20, total: 400 };
  return [
    log,
    ...requests.map(
      (request) =>
        /** @type {RequestRecord} */ ({
          kind: 'request',
          file,
          name: 'GET',
          designDoc: '_design/orders',
          view: 'by_date',
          parameters: [],
          count: 20,
          latencyMs,
          examples: [],
          log,
          ...request,
        }),
    ),
  ];
}

test.each(
  /** @type {[string, SourceRecord[], number | string][]} */ ([
    ['without a log', [], UNKNOWN],
    ['of a log that does not tell views apart', logOf([{}], { hasNames: false }), UNKNOWN],
    ['of a log without times', logOf([{}], { hasTimes: false }), UNKNOWN],
    ['nobody asks it', logOf([]), 0],
    ['another document is asked', logOf([{ designDoc: '_design/stock' }]), 0],
    ['the document itself is asked', logOf([{ view: '' }]), 0],
    ['20 requests', logOf([{}]), 12.5],
    ['19 requests', logOf([{ count: 19 }]), 0],
    ['update=false', logOf([{ parameters: ['update=false'] }]), 0],
    ['update=lazy', logOf([{ parameters: ['limit', 'update=lazy'] }]), 0],
    ['update=true', logOf([{ parameters: ['update=true'] }]), 12.5],
    ['stale=ok', logOf([{ parameters: ['stale=ok'] }]), 0],
    ['the widest of two', logOf([{}, { latencyMs: { p50: 0, p95: 40, p99: 40, max: 40, mean: 4, total: 80 } }]), 40],
  ]),
)('how far answers are apart: %s', (_, records, expected) => {
  expect(factOf({ autoupdate: false, views: VIEWS }, 'latencySpread', records)).toBe(expected);
});
