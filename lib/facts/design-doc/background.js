// Facts about how the indexes of a design document are kept up to date: by the server in the background, or only when
// they are queried.

import { member, nodePlace } from '../../sources/record.js';
import { declareFacts } from '../fact.js';

/** @import { RequestRecord, ValueNode } from '../../sources/record.js' */
/** @import { DesignDocSubject, FactDeclaration } from '../fact.js' */

/** Of fewer requests the slowest twentieth is one. */
const MIN_REQUESTS = 20;

/** Parameters by which a query takes the index as it is. */
const NOT_WAITING = /^(?:update=(?:false|lazy)|stale=(?:ok|update_after))$/;

/** @type {FactDeclaration<DesignDocSubject>[]} */
export const designDocBackgroundFacts = declareFacts({ subject: 'design-doc', sources: ['design-docs'] }, [
  {
    id: 'ddoc.indexUpkeep',
    type: 'text',
    basis: 'declared',
    meaning:
      'Who brings the indexes of its views up to date, by `autoupdate`: `server`, `readers`, or `server-in-spite` where it was meant to be switched off; `nobody` without views.',
    extract: ({ record, views }) => {
      const node = member(record.node, 'autoupdate');
      if (views.length === 0) return { value: 'nobody' };
      if (!node) return { value: 'server' };
      const switched = node.type === 'object' ? member(node, 'views') : node;
      if (switched?.type === 'unknown') return { unknown: 'the value of `autoupdate` cannot be told' };
      return { value: upkeep(switched), place: nodePlace(switched ?? node) };
    },
  },
  {
    id: 'ddoc.autoupdateWritten',
    type: 'text',
    basis: 'declared',
    meaning: 'The value of `autoupdate` as it is written.',
    extract: ({ record }) => {
      const node = member(record.node, 'autoupdate');
      return node
        ? { value: node.file.text.slice(node.start, node.end), place: nodePlace(node) }
        : { unknown: 'it has no `autoupdate`' };
    },
  },
  {
    id: 'ddoc.latencySpread',
    type: 'count',
    sources: ['logs'],
    basis: 'measured',
    meaning: `How many times longer than the median the 95th percentile of requests to one of its views is, of those asked ${MIN_REQUESTS} times or more that wait for the index; 0 where none does.`,
    extract: ({ record, parent: { subjects } }) => {
      const log = subjects.find((subject) => subject.kind === 'log')?.record;
      if (!log) return { unknown: 'no log was read' };
      if (!log.hasNames) return { unknown: 'the logs have too many shapes of query to tell views apart' };
      if (!log.hasTimes) return { unknown: 'the logs do not tell how long requests took' };
      if (record.id === null) return { unknown: 'the document has no id' };
      const spreads = subjects.flatMap((subject) =>
        subject.kind === 'request' && subject.record.designDoc === record.id ? spreadOf(subject.record) : [],
      );
      return { value: Math.max(0, ...spreads) };
    },
  },
]);

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
