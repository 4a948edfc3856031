// Facts about how the indexes of a design document are kept up to date: by the server in the background, or only when
// they are queried.

import { member, memberOrOpen, nodePlace } from '../../sources/record.js';
import { factsOf } from '../fact.js';

/** @import { RequestRecord, ValueNode } from '../../sources/record.js' */
/** @import { DeclareFact, DesignDocSubject, FactDeclaration } from '../fact.js' */

/** Of fewer requests the slowest twentieth is one. */
const MIN_REQUESTS = 20;

/** Parameters by which a query takes the index as it is. */
const NOT_WAITING = /^(?:update=(?:false|lazy)|stale=(?:ok|update_after))$/;

/** @type {DeclareFact<DesignDocSubject>} */
const designDocFact = factsOf({ subject: 'design-doc', sources: ['design-docs'], basis: 'declared' });

/** @type {FactDeclaration<DesignDocSubject>[]} */
export const designDocBackgroundFacts = [
  designDocFact('ddoc.indexUpkeep', 'text', {
    meaning:
      'What updates the indexes of its views, by `autoupdate`: `server` (in the background), `readers` (only queries), `server-in-spite` (in the background, though the value was meant to switch that off), or `nobody` if it has no views.',
    phrases: {
      server: 'the server keeps the indexes up to date',
      readers: '`autoupdate` is off, so queries update the indexes',
      'server-in-spite': 'this value of `autoupdate` does not turn it off',
      nobody: 'there are no views to update',
    },
    extract: ({ record, views }) => {
      const node = memberOrOpen(record.node, 'autoupdate');
      if (views.length === 0) return { value: 'nobody' };
      if (!node) return { value: 'server' };
      const switched = node.type === 'object' ? memberOrOpen(node, 'views') : node;
      if (switched?.type === 'unknown') return { unknown: 'the value of `autoupdate` cannot be determined' };
      return { value: upkeep(switched), place: nodePlace(switched ?? node) };
    },
  }),
  designDocFact('ddoc.autoupdateWritten', 'text', {
    meaning: 'The value of `autoupdate`, as written.',
    extract: ({ record }) => {
      const node = member(record.node, 'autoupdate');
      return node
        ? { value: node.file.text.slice(node.start, node.end), place: nodePlace(node) }
        : { unknown: 'the design document has no `autoupdate`' };
    },
  }),
  designDocFact('ddoc.latencySpread', 'count', {
    sources: ['logs'],
    basis: 'measured',
    meaning: `The largest ratio of p95 to median response time among its views with at least ${MIN_REQUESTS} requests that wait for the index; 0 if no request waits.`,
    phrases: 'p95 is {value} times the median',
    extract: ({ record, parent: { subjects } }) => {
      const log = subjects.find((subject) => subject.kind === 'log')?.record;
      if (!log) return { unknown: 'no log was read' };
      if (!log.hasNames) return { unknown: 'the logs have too many different queries to keep views apart' };
      if (!log.hasTimes) return { unknown: 'the logs have no response times' };
      if (record.id === null) return { unknown: 'the document has no id' };
      const spreads = subjects.flatMap((subject) =>
        subject.kind === 'request' && subject.record.designDoc === record.id ? spreadOf(subject.record) : [],
      );
      return { value: Math.max(0, ...spreads) };
    },
  }),
];

/**
 * Only the value false counts (ken_server.erl `should_update`, 3.0.0 to 3.5.2).
 * @param {ValueNode | undefined} node
 * @returns {'server' | 'readers' | 'server-in-spite'}
 */
function upkeep(node) {
  if (node?.type === 'boolean') return node.value ? 'server' : 'readers';
  const isMeantOff =
    node?.type === 'null' ||
    (node?.type === 'number' && node.value === 0) ||
    (node?.type === 'string' && /^\s*(?:false|off|no|0)\s*$/i.test(node.value));
  return isMeantOff ? 'server-in-spite' : 'server';
}

/**
 * @param {RequestRecord} request
 * @returns {number[]} none where it does not wait for the index, or there are too few to know
 */
function spreadOf(request) {
  const { view, count, latencyMs } = request;
  const waits = !request.parameters.some((text) => NOT_WAITING.test(text));
  if (view === '' || !waits || count < MIN_REQUESTS || !latencyMs) return [];
  return [Math.round((latencyMs.p95 / Math.max(1, latencyMs.p50)) * 10) / 10];
}
