// Collects what an experiment needs of a filter function of the user: its text, the selector that replaces it, documents, its requests.

import { isKnown } from '../../../facts/fact.js';
import { parameter } from '../../../facts/request/parts.js';
import { makeDocument } from '../../../measure/experiments/workload.js';
import { formatCount } from '../../../shared/units.js';
import { describeOwn } from './describe-view.js';

/** @import { BoundFilter } from '../../../measure/experiments/bind-filter.js' */
/** @import { FilterSubject } from '../../../facts/fact.js' */
/** @import { Binding } from './bind-findings.js' */

/** A value of the request, as facts write it into a selector. */
const FROM_REQUEST = /<req\./;

/**
 * @param {FilterSubject} subject
 * @param {{name: string, count: number}} about `count`: documents where none are given
 * @param {Pick<Binding, 'ask' | 'seed' | 'documents' | 'samples'>} binding
 * @returns {BoundFilter | {reason: string}}
 */
export function describeFilter(subject, { name, count }, { ask, seed, documents, samples }) {
  const selector = ask(subject, 'filter.selector');
  if (!isKnown(selector)) return { reason: 'no equivalent selector is known' };
  if (FROM_REQUEST.test(String(selector.value))) return { reason: 'its selector uses values from the request' };
  const parsed = JSON.parse(String(selector.value));
  const logged = requestsOf(subject);
  const limits = logged.flatMap(({ limit, rows }) => limit?.p50 ?? (rows?.isMeasured ? rows.p50 : undefined) ?? []);
  const [limit] = limits;
  const about = { name, source: subject.function.text.text, selector: parsed, limit, isLogged: logged.length > 0 };
  const most = documents ?? count;
  if (samples.documents.length > 0) {
    const own = samples.documents.map((document, at) => withId(document, at));
    const notes = [`${formatCount(own.length)} of your documents`];
    return { ...about, data: { documents: own, keys: [] }, notes, assumed: describeOwn(own.length, samples) };
  }
  const wanted = equalities(parsed);
  if (!wanted) return { reason: 'cannot generate documents that match its selector; add some with --docs' };
  const made = Array.from({ length: most }, (_, at) => ({
    ...makeDocument({ documents: most }, seed, at),
    ...(at % 2 === 0 ? wanted : {}),
  }));
  return {
    ...about,
    data: { documents: made, keys: [] },
    notes: [],
    assumed: [{ part: 'documents', text: `${formatCount(most)} generated orders, half of which match` }],
  };
}

/** @param {FilterSubject} subject @returns {import('../../../sources/record.js').RequestRecord[]} those of the logs with it */
function requestsOf({ name, parent }) {
  const { record, parent: run } = parent.parent;
  const called = `${(record.id ?? '').replace('_design/', '')}/${name.replace('filters.', '')}`;
  return run.subjects.flatMap((one) =>
    one.kind === 'request' && one.record.endpoint === '_changes' && parameter(one.record, 'filter') === called
      ? [one.record]
      : [],
  );
}

/**
 * @param {Record<string, any>} selector
 * @returns {Record<string, unknown> | undefined} members of a document that it lets through; undefined where it tests more than equal values
 */
function equalities(selector) {
  const entries = Object.entries(selector).filter(([name]) => name !== '_deleted');
  const isPlain = entries.every(
    ([name, value]) => !name.startsWith('$') && ['string', 'number', 'boolean'].includes(typeof value),
  );
  return isPlain && entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** @param {object} document @param {number} at @returns {{_id: string}} without what is CouchDB's own */
export function withId(document, at) {
  const own = Object.entries(document).filter(([name]) => !name.startsWith('_'));
  const id = /** @type {{_id?: unknown}} */ (document)._id;
  return { ...Object.fromEntries(own), _id: typeof id === 'string' ? id : `doc-${String(at).padStart(10, '0')}` };
}
