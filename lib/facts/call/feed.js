// Facts about what code does around a query or a feed: the index before it, the filter and start of a feed, the timer that repeats it.

import { clientNamed } from '../../clients/index.js';
import { parsed } from '../../javascript/analyse.js';
import { nodePlace } from '../../sources/record.js';
import { filterSelector } from '../javascript/selector.js';
import { filterNamed, passOn } from '../request/view.js';
import { booleanOption, callFact, optionOf } from './call.js';

/** @import { Ask, CallSubject, Extracted, FactDeclaration } from '../fact.js' */
/** @import { ValueNode } from '../../sources/record.js' */
/** @import { CallRecord } from '../../sources/application/record.js' */

/** Filters of CouchDB itself that run no JavaScript (couch_changes.erl, 3.5.0). */
const BUILT_IN = new Set(['_doc_ids', '_selector', '_design']);

/** @type {FactDeclaration<CallSubject>[]} */
export const callFeedFacts = [
  callFact('call.createsIndexBefore', 'boolean', {
    meaning:
      'Whether the function of a Mango query creates an index on the same database each time before it, and runs more than once.',
    phrases: ['the index is created here', 'no index is created before it'],
    extract: ({ indexBefore }) => (indexBefore ? { value: true, place: indexBefore } : { value: false }),
  }),
  callFact('call.feedLocation', 'text', {
    meaning:
      'Where the changes that it reads, replicates or syncs come from: `http` for a server, `local` for PouchDB itself.',
    phrases: { http: 'a server reads the changes', '*': 'the changes are read from {value}' },
    extract: ({ feedLocation }) =>
      feedLocation === 'unknown'
        ? { unknown: 'the code that was read does not show whose changes it reads' }
        : { value: feedLocation },
  }),
  callFact('call.filterKind', 'text', {
    meaning:
      'What filters the changes: `none`, `builtin` (CouchDB itself), `view` (a map as filter), `design` (a function of a design document) or `program` (a function in the code).',
    phrases: { none: 'the feed has no filter', '*': 'the filter is {value}' },
    extract: filterKind,
  }),
  callFact('call.filterFitsSelector', 'boolean', {
    meaning: 'Whether a Mango selector is known that passes the same changes as its filter function.',
    phrases: ['a selector can replace the filter', 'no selector is known for the filter'],
    sources: ['application', 'design-docs'],
    extract: (_, subject, ask) => {
      const selector = selectorOf(subject, ask);
      return 'unknown' in selector ? { value: false } : { ...selector, value: true };
    },
  }),
  callFact('call.withSelector', 'text', {
    meaning: 'What its client accepts instead of the filter function, with the selector if one is known.',
    sources: ['application', 'design-docs'],
    extract: (record, subject, ask) => {
      const selector = selectorOf(subject, ask);
      return { value: withSelector(record, 'unknown' in selector ? '…' : String(selector.value)) };
    },
  }),
  callFact('call.keepsListening', 'boolean', {
    meaning:
      'Whether it reads a feed that continues after the last change: by `live`, `feed`, or a method of the client.',
    phrases: ['the feed is continuous', 'the feed ends with the last change'],
    extract: keepsListening,
  }),
  callFact('call.staysOpen', 'boolean', {
    meaning: 'Whether it opens a feed that stays open: it listens to changes, or replicates live.',
    phrases: ['the feed stays open', 'the feed ends by itself'],
    extract: (record) => {
      const listens = keepsListening(record);
      return 'value' in listens && !listens.value ? isLiveReplication(record) : listens;
    },
  }),
  callFact('call.reopenedFor', 'text', {
    meaning:
      'What opens its feed again and again while nothing in the file closes one: each `request` that is answered, each `component` of a page, or `none`.',
    phrases: {
      request: 'each request opens it',
      component: 'each component opens it',
      '*': 'nothing shows that it is opened again',
    },
    extract: ({ handler, reopenedIn }) => {
      if (reopenedIn === 'closed') return { value: 'none' };
      if (reopenedIn) return { value: reopenedIn.for, place: reopenedIn.place };
      return handler ? { value: 'request', place: handler } : { value: 'none' };
    },
  }),
  callFact('call.isLiveReplication', 'boolean', {
    meaning: 'Whether PouchDB replicates or syncs from here on, by `live` or `continuous`.',
    phrases: ['the replication is live', 'the replication ends by itself'],
    extract: isLiveReplication,
  }),
  callFact('call.retries', 'boolean', {
    meaning: 'Whether it has `retry: true`, with which PouchDB goes on after an error.',
    phrases: ['`retry` is set', '`retry` is not set'],
    extract: (record) => booleanOption(record, 'retry'),
  }),
  callFact('call.mayStartAgain', 'boolean', {
    meaning:
      'Whether code that runs when its replication has ended does more than write a message, so that it may start it again.',
    phrases: ['its end is handled', 'nothing starts it again'],
    extract: ({ mayStartAgain }) =>
      mayStartAgain === null
        ? { unknown: 'what it returns goes to code that was not followed' }
        : { value: mayStartAgain },
  }),
  callFact('call.since', 'text', {
    meaning: 'Where a feed begins: `now`, `start` (the first change of the database), or `later` (another place).',
    phrases: {
      now: 'the feed begins now',
      start: 'the feed begins with the first change',
      '*': 'the feed begins at a later change',
    },
    extract: since,
  }),
  callFact('call.endsOnError', 'boolean', {
    meaning: 'Whether an error of its feed ends the program: the client emits `error`, and nothing handles it.',
    phrases: ['nothing handles its errors', 'its errors are handled'],
    extract: endsOnError,
  }),
  callFact('call.isPolled', 'boolean', {
    meaning: 'Whether a timer repeats it for as long as the program runs.',
    phrases: ['this timer repeats the call', 'no timer repeats the call'],
    extract: ({ timer }) => (timer ? { value: true, place: timer.place } : { value: false }),
  }),
  callFact('call.pollIntervalMs', 'ms', {
    meaning: 'The interval of the timer, where it is literal.',
    phrases: 'the interval is {value}',
    extract: ({ timer }) => {
      if (!timer) return { unknown: 'no timer repeats it' };
      const { everyMs, place } = timer;
      return everyMs === null ? { unknown: 'the interval is computed', place } : { value: everyMs, place };
    },
  }),
];

/**
 * @param {CallRecord} record
 * @returns {Extracted}
 */
function isLiveReplication(record) {
  const { client, method } = record;
  if (!clientNamed(client)?.local || (method !== 'sync' && method !== 'replicate')) return { value: false };
  const live = booleanOption(record, 'live');
  return 'value' in live && live.value === true ? live : booleanOption(record, 'continuous');
}

/**
 * @param {CallRecord} record
 * @returns {Extracted}
 */
function keepsListening(record) {
  const { method, client, name, options } = record;
  if (method !== 'changes') return { value: false };
  // nano up to 8 and Cloudant follow with the package `follow`; so does cradle 0.7 if it gets no callback.
  if (/\.follow\(|\.changesReader\.start\(/.test(name)) return { value: true };
  const known = clientNamed(client);
  if (known?.followsWithoutCallback)
    return { value: !record.arguments.some(isCallback) && record.arguments.length < 2 };
  const { options: keys, type } = known?.live ?? { options: ['feed'], type: 'string' };
  const [key] = keys;
  const node = keys.map((name) => optionOf(record, name)).find((found) => found !== undefined);
  if (!node) return options.isOpen ? { unknown: `other code may set \`${key}\`` } : { value: false };
  const place = nodePlace(node);
  if (type === 'boolean' && node.type === 'boolean') return { value: node.value, place };
  if (type === 'string' && node.type === 'string') return { value: node.value !== 'normal', place };
  return { unknown: `its \`${key}\` is computed`, place };
}

/**
 * @param {CallRecord} record
 * @returns {Extracted}
 */
function endsOnError(record) {
  const { client, name, handledEvents, arguments: given } = record;
  const isReader = /\.changesReader\.(?:start|get|spool)\(/.test(name);
  const known = clientNamed(client);
  const isFeed = /\.follow\(/.test(name) || known?.followsWithoutCallback === true;
  if (record.method !== 'changes' || !known?.emitsUnhandledErrors || !(isReader || isFeed)) return { value: false };
  // A callback gets the errors.
  if (isFeed && (given.length > 1 || given.some(isCallback))) return { value: false };
  if (handledEvents === null) return { unknown: 'what it returns goes to code that was not followed' };
  return { value: !handledEvents.includes('error') };
}

/** @param {ValueNode} node @returns {boolean} whether it may be a function */
function isCallback(node) {
  return node.type === 'unknown' || (node.type === 'string' && node.isFunction === true);
}

/**
 * Without `since` a feed begins with the first change: PouchDB 9.0 (pouchdb-core, doChanges), follow 1.1 (lib/feed.js) and CouchDB itself.
 * @param {CallRecord} record
 * @returns {Extracted}
 */
function since(record) {
  const node = optionOf(record, 'since');
  if (!node) {
    // `feed.since = last` before the feed is started.
    const isSetLater = /\.since\s*=[^=]/.test(record.file.text);
    if (record.options.isOpen || isSetLater) return { unknown: 'other code may set `since`' };
    // `ChangesReader` of nano 11.0 begins with `now`.
    if (record.name.includes('.changesReader.')) return { value: 'now' };
    const bounded = optionOf(record, 'limit') ?? optionOf(record, 'last-event-id') ?? optionOf(record, 'descending');
    return { value: bounded ? 'later' : 'start' };
  }
  const place = nodePlace(node);
  if (node.type === 'string') return { value: startOf(node.value), place };
  return node.type === 'number' ? { value: startOf(String(node.value)), place } : { value: 'later', place };
}

/** @param {string} text @returns {string} */
function startOf(text) {
  if (text === 'now' || text === 'latest') return 'now';
  return text === '0' ? 'start' : 'later';
}

/**
 * @param {CallRecord} record
 * @returns {Extracted}
 */
function filterKind(record) {
  const ids = optionOf(record, 'doc_ids');
  const selector = optionOf(record, 'selector');
  const filter = optionOf(record, 'filter');
  if (!filter || isAbsent(filter)) {
    const found = ids ?? selector;
    if (found) return { value: 'builtin', place: nodePlace(found) };
    const view = optionOf(record, 'view');
    if (view && clientNamed(record.client)?.takesViewAsFilter) return { value: 'view', place: nodePlace(view) };
    return record.options.isOpen ? { unknown: 'other code may set `filter`' } : { value: 'none' };
  }
  const place = nodePlace(filter);
  if (filter.type !== 'string') return { unknown: 'its `filter` is computed', place };
  if (filter.isFunction) return { value: 'program', place };
  if (BUILT_IN.has(filter.value)) return { value: 'builtin', place };
  return { value: filter.value === '_view' ? 'view' : 'design', place };
}

/** @param {ValueNode} node @returns {boolean} */
function isAbsent(node) {
  return node.type === 'null' || (node.type === 'boolean' && !node.value) || (node.type === 'string' && !node.value);
}

/**
 * @param {CallSubject} subject
 * @param {Ask} ask
 * @returns {Extracted} the selector as JSON, with the place of the filter
 */
function selectorOf({ record, parent }, ask) {
  const filter = optionOf(record, 'filter');
  if (filter?.type !== 'string') return { unknown: 'its filter is not written in the code' };
  if (filter.isFunction) {
    const tree = parsed({ text: filter.text, isModule: false });
    if (!tree.ok || !tree.fn) return { unknown: 'the filter does not parse' };
    const selector = filterSelector(tree.fn);
    return 'unknown' in selector ? selector : { value: JSON.stringify(selector.selector), place: nodePlace(filter) };
  }
  const [designDoc = '', name = designDoc] = filter.value.replace(/^_design\//, '').split('/');
  const found = filterNamed(parent, `_design/${designDoc}`, name);
  return 'unknown' in found ? found : passOn(ask(found, 'filter.selector'));
}

/**
 * @param {CallRecord} record
 * @param {string} selector
 * @returns {string}
 */
function withSelector({ client, method, name }, selector) {
  if (method === 'replicate') return `{ selector: ${selector} }`;
  const [, receiver = 'db'] = /^([\w$.#]+)\.\w+\(/.exec(name) ?? [];
  const write = clientNamed(client)?.advice.changesBySelector;
  if (write) return write(receiver, selector);
  return `POST /db/_changes?filter=_selector with { "selector": ${selector} }`;
}
