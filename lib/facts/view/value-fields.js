// Says which fields of the values of a view are read, where all that reads them is known: the code that was read and what the logs show.

import { optionOf } from '../call/call.js';
import { factsOf, isKnown } from '../fact.js';
import { sendersOf } from '../request/sender.js';
import { codeUseOf, mayQuery } from './code-use.js';
import { queriesView } from './requests.js';

/** @import { Place } from '../../shared/source-file.js' */
/** @import { Span } from './code-use.js' */
/** @import { Ask, CallSubject, DeclareFact, Extracted, FactDeclaration, ViewSubject } from '../fact.js' */

/** @type {DeclareFact<ViewSubject>} */
const viewFact = factsOf({ subject: 'view', sources: ['application', 'design-docs'] });

/** @type {FactDeclaration<ViewSubject>[]} */
export const viewValueFieldFacts = [
  viewFact('view.readValueFields', 'list', {
    meaning:
      'The fields of its values that the code reads. Unknown unless each query in the code and in the logs is followed to what it reads.',
    phrases: 'the code reads {value} of its values',
    extract: readFields,
  }),
];

/**
 * @param {ViewSubject} view
 * @param {Ask} ask
 * @returns {Extracted}
 */
function readFields(view, ask) {
  const [kind, lists] = [ask(view, 'reduce.kind'), ask(view.parent, 'ddoc.hasLists')];
  const isCounted = view.reduceNode?.type === 'string' && view.reduceNode.value.trim() === '_count';
  if (!isCounted && !(isKnown(kind) && kind.value === 'none')) return { unknown: 'its reduce may read the values' };
  if (!isKnown(lists) || lists.value !== false) return { unknown: 'list functions may read the values' };
  if (!view.parent.parent.code) return { unknown: 'names of views in the code are searched for beside logs only' };
  const { calls, names, open } = codeUseOf(view);
  if (open) return { unknown: mayQuery(open), place: open };
  if (calls.length === 0) return { unknown: 'no code that was read queries it' };
  const other = names.find((name) => !calls.some(({ record }) => isWithin(name, record)));
  if (other) {
    const place = other.file.place(other.start, other.end);
    return { unknown: `what the name at ${place.file}:${place.line} is for is unknown`, place };
  }
  const unsent = unsentRequest(view, calls);
  if (unsent !== undefined) return { unknown: unsent };
  /** @type {Map<string, Place>} */
  const found = new Map();
  for (const { record, place } of calls) {
    const { valueFields } = record.result;
    if (isCounted && isReduced(record)) continue;
    if (valueFields === null)
      return { unknown: `whole values go to code that was not followed, at ${place.file}:${place.line}`, place };
    for (const name of valueFields) found.set(name, place);
  }
  return { value: [...found].map(([value, place]) => ({ value, place })) };
}

/** @param {Span} name @param {Span} call @returns {boolean} */
function isWithin(name, call) {
  return name.file.path === call.file.path && call.start <= name.start && name.end <= call.end;
}

/** @param {CallSubject['record']} record of a view with a reduce @returns {boolean} whether it certainly gets no rows of the map */
function isReduced(record) {
  const given = optionOf(record, 'reduce');
  return given ? given.type === 'boolean' && given.value : !record.options.isOpen;
}

/**
 * @param {ViewSubject} view
 * @param {CallSubject[]} calls
 * @returns {string | undefined} which logged request for it none of the calls has sent
 */
function unsentRequest(view, calls) {
  const run = view.parent.parent;
  const log = run.subjects.find((subject) => subject.kind === 'log')?.record;
  if (log && !log.hasNames) return 'the logs have too many different queries to keep views apart';
  for (const subject of run.subjects) {
    if (subject.kind !== 'request' || !queriesView(subject.record, view)) continue;
    const { endpoint, examples } = subject.record;
    const isSent = endpoint === '_view' && sendersOf(run, [subject.record]).some((call) => calls.includes(call));
    const [{ file, line } = { file: 'the log', line: 0 }] = examples;
    if (!isSent) return `no query in the code has sent the request at ${file}:${line}`;
  }
  return undefined;
}
