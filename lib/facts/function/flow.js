// Follows the data flow of a function of a design document once and remembers it, as the basis of the facts about maps,
// filters and validation functions.

import { parsed, unparsed } from '../../javascript/analyse.js';
import { followFlow } from '../../javascript/flow.js';
import { RECENT_FUNCTIONS, RecentMemory } from '../../shared/recent-memory.js';
import { noteBailout } from '../bailouts.js';
import { factsOf } from '../fact.js';

/** @import { Flow, RiskyRead } from '../../javascript/flow.js' */
/** @import { FunctionNode, ParsedFunction } from '../../javascript/parse.js' */
/** @import { MappedText } from '../../shared/mapped-text.js' */
/** @import { DeclareFact, Extracted, FunctionSubject, Item, Subject, ViewSubject } from '../fact.js' */

/** @typedef {{tree: ParsedFunction, fn: FunctionNode, flow: Flow, text: MappedText}} Followed */

/** @type {RecentMemory<FunctionSubject, Followed | {unknown: string}>} */
const memory = new RecentMemory(RECENT_FUNCTIONS);

/**
 * @param {FunctionSubject} subject
 * @param {string[]} parameters what its parameters are, as `followFlow` takes them: always the same for one function
 * @returns {Followed | {unknown: string}}
 */
export function follow(subject, parameters) {
  const known = memory.get(subject);
  if (known) return known;
  const tree = parsed(subject);
  const emitter = subject.role === 'search' ? 'index' : 'emit';
  const flow = tree.ok ? followFlow(tree, parameters, emitter) : unparsed(tree);
  if ('unknown' in flow && 'limit' in flow) noteBailout(subject, flow.unknown);
  const followed =
    'unknown' in flow || !tree.ok || !tree.fn
      ? { unknown: 'unknown' in flow ? flow.unknown : 'the source text is not a function' }
      : { tree, fn: tree.fn, flow, text: subject.text };
  memory.set(subject, followed);
  return followed;
}

/** @template {Subject} S @typedef {DeclareFact<S, (followed: Followed, fn: FunctionSubject, owner: S) => Extracted>} DeclareFlowFact */

/**
 * @template {Subject} S
 * @param {S['kind']} subject
 * @param {string[]} parameters of the function
 * @param {(subject: S) => FunctionSubject | undefined} functionOf
 * @returns {DeclareFlowFact<S>} for facts that are unknown where there is no such function, or it cannot be followed
 */
export function flowFacts(subject, parameters, functionOf) {
  return factsOf({ subject, sources: ['design-docs'] }, (extract) => (owner) => {
    const fn = functionOf(owner);
    if (!fn) return { unknown: 'the design document has no such function in JavaScript' };
    const followed = follow(fn, parameters);
    return 'unknown' in followed ? followed : extract(followed, fn, owner);
  });
}

/** @type {DeclareFlowFact<ViewSubject>} */
export const mapFact = flowFacts('view', ['doc'], ({ map }) => map);

/**
 * @param {RiskyRead[]} reads
 * @param {Pick<Followed, 'fn' | 'text'>} followed
 * @returns {Item[]} at each read, what may be missing: `doc.address` for `doc.address.town`, `doc.lines` for a loop over it, also where a
 *   variable holds it
 */
export function readItems(reads, { fn, text }) {
  return reads.map(({ node, path, missing }) => {
    // A variable says less than the field that it holds; what is one of many has no path of its own.
    const isNamed = missing && (missing.type !== 'Identifier' || path.includes('[]'));
    const value = isNamed ? sourceItem(text, missing.start, missing.end).value : asWritten(path, fn);
    return { ...sourceItem(text, node.start, node.end), value };
  });
}

/**
 * @param {boolean} isTested
 * @param {boolean} [isOfRequest] whether reads of parameters of the request are meant, in place of those of documents
 * @returns {(followed: Followed) => {value: Item[]}} finds its reads of what may be missing, with a test of the document before or without
 */
export function riskyReads(isTested, isOfRequest = false) {
  return (followed) => ({
    value: readItems(
      followed.flow.reads.filter((read) => read.isTested === isTested && read.path.startsWith('req.') === isOfRequest),
      followed,
    ),
  });
}

/**
 * @param {string} path `doc.address`
 * @param {FunctionNode} fn
 * @returns {string} the same with the name that the function has for the document, for the old one or for the request
 */
export function asWritten(path, { params: [doc, second] }) {
  return path.replace(/^(?:doc|oldDoc|req)\b/, (name) => {
    const param = name === 'doc' ? doc : second;
    return param?.type === 'Identifier' ? param.name : name;
  });
}

/**
 * @param {MappedText} text
 * @param {number} start
 * @param {number} end
 * @returns {Item} the source on one line, without its semicolon
 */
export function sourceItem(text, start, end) {
  const value = text.text.slice(start, end).replace(/\s+/g, ' ').replace(/;$/, '');
  return { value, place: text.place(start, end), start, end };
}
