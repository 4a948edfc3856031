// Facts about maps and reduces that depend on more than their documents: on the clock, on random numbers, on documents
// before them. What only a trial shows is tried before facts are computed, and is stored at the function.

import { effectsOf, namesOf, parsed, unparsed } from '../../javascript/analyse.js';
import { listRollovers } from '../../javascript/date-rollover.js';
import { member, plainValue } from '../../sources/record.js';
import { factsOf } from '../fact.js';
import { carriedReads } from '../javascript/carried-state.js';
import { reaches } from '../javascript/value-use.js';
import { follow, sourceItem } from './flow.js';

/** @import { AnyNode, Identifier, NewExpression } from 'acorn' */
/** @import { Rollover } from '../../javascript/date-rollover.js' */
/** @import { RowQuestion, RowTrial } from '../../proof/synthesis/try-rows.js' */
/** @import { DeclareFact, Extracted, FactDeclaration, FunctionSubject, RunSubject } from '../fact.js' */
/** @import { MomentCall } from '../../javascript/effects.js' */
/** @import { ParsedFunction } from '../../javascript/parse.js' */

/** In all texts that read the clock or draw a random number, and in few others. */
const MOMENT_WORDS = /\bDate\b|\brandom\b/;
/** A name that stands alone and is written, as in `i = 0`, `i++` and `for (i in …)`; or the end of a pattern. */
const WRITTEN_NAME =
  /(?<![.\w$])([A-Za-z_$][\w$]*)\s*(?:=(?![=>])|(?:[-+*/%&|^]|<<|>>|\*\*|&&|\|\||\?\?)=|\+\+|--|\s(?:in|of)\s)|(?:\+\+|--)\s*([A-Za-z_$][\w$]*)|[\]}]\s*=(?!=)/g;
const DECLARED_NAME = /\b(?:var|let|const|function|class)\s+([A-Za-z_$][\w$]*)/g;

/** Of what trials have shown. @type {'proved'} */
const BASIS = 'proved';
/** Nothing has to be tried. @type {Pick<RowTrial, 'calls' | 'state'>} */
const NOTHING = { calls: [], state: 'unknown' };

/** @type {DeclareFact<FunctionSubject>} */
const functionFact = factsOf({ subject: 'function', sources: ['design-docs', 'trials'] });

/** @type {DeclareFact<FunctionSubject, (subject: FunctionSubject, tree: ParsedFunction) => Extracted>} */
const rowFact = factsOf({ subject: 'function', sources: ['design-docs', 'trials'] }, (extract) => (subject) => {
  const tree = parsed(subject);
  if (!tree.ok) return unparsed(tree);
  if (subject.role === 'map' || subject.role === 'reduce') return extract(subject, tree);
  return { unknown: 'CouchDB stores only the results of maps and reduces' };
});

/** @type {FactDeclaration<FunctionSubject>[]} */
export const functionRowFacts = [
  rowFact('function.nondeterministic', 'list', {
    meaning:
      'Calls in a map or reduce that read the clock or return a random number and change its result, as trial runs on generated documents show. Without trial runs, as far as the code can be followed.',
    extract: (subject, tree) => {
      const found = changingMoments(subject, tree);
      if ('unknown' in found) return found;
      const shown = subject.trial?.rollover ? rolloversOf(subject, tree) : [];
      const rolling = new Set(shown.map(({ moment }) => moment));
      const value = found.moments.filter(({ node }) => !rolling.has(/** @type {NewExpression} */ (node)));
      return {
        value: value.map(({ node: { start, end } }) => sourceItem(subject.text, start, end)),
        basis: found.basis,
      };
    },
  }),
  rowFact('function.dateRollovers', 'list', {
    meaning:
      'Calls in a map or reduce that set the month or day of a date which starts as the current moment. On some days it rolls over into another month, and changes the result.',
    extract: (subject, tree) => {
      const rollovers = rolloversOf(subject, tree);
      const found = rollovers.length > 0 ? changingMoments(subject, tree) : { moments: [], basis: BASIS };
      if ('unknown' in found) return found;
      const changing = new Set(found.moments.map(({ node }) => node));
      const value = rollovers.filter(({ moment }) => changing.has(moment));
      return {
        value: value.map(({ setter: { start, end } }) => sourceItem(subject.text, start, end)),
        basis: found.basis,
      };
    },
  }),
  functionFact('function.rolloverIsShown', 'boolean', {
    meaning: 'Whether a generated document has other rows because a date rolls over.',
    phrases: ['a generated document shows it', 'no generated document shows it'],
    extract: ({ trial }) => ({ value: trial?.rollover !== undefined }),
  }),
  functionFact('function.rolloverExample', 'text', {
    meaning: 'That document, and its rows on two days.',
    extract: ({ trial }) => {
      if (!trial?.rollover) return { unknown: 'no generated document shows it' };
      const { document, moments, rows } = trial.rollover;
      const { _rev, ...shown } = /** @type {Record<string, unknown>} */ (document);
      const [one, other] = moments.map((day, at) => `${rows[at]} if indexed on ${day}`);
      return { value: `\`${JSON.stringify(shown)}\` emits ${other}, and ${one}` };
    },
  }),
  rowFact('function.carriedState', 'list', {
    meaning:
      'Variables that a map does not declare and may read before it writes them; none if the rows of the tried documents are the same in every order.',
    phrases: '{value} is kept between documents',
    extract: (subject) => {
      const reads = carriedBy(subject);
      const trial = trialOf(subject, reads.length > 0);
      if ('unknown' in trial) return trial;
      const value = trial.state === 'same' ? [] : reads.map(({ start, end }) => sourceItem(subject.text, start, end));
      return { value, basis: trial.state === 'unknown' ? 'inferred' : 'proved' };
    },
  }),
];

/**
 * @param {FunctionSubject} subject
 * @param {ParsedFunction} tree
 * @returns {{moments: MomentCall[], basis: 'inferred' | 'proved'} | {unknown: string}} the calls that change what the function gives
 */
function changingMoments(subject, tree) {
  const calls = momentCalls(subject);
  const trial = trialOf(subject, calls.length > 0);
  if ('unknown' in trial) return trial;
  const influences = calls.map((_, at) => trial.calls[at] ?? 'unknown');
  const moments = calls.filter(({ node }, at) => {
    if (influences[at] !== 'unknown') return influences[at] !== 'same';
    return reaches(node, namesOf(tree), sinksOf(subject, tree));
  });
  return { moments, basis: influences.includes('unknown') ? 'inferred' : BASIS };
}

/**
 * @param {FunctionSubject} subject
 * @param {ParsedFunction} tree
 * @returns {Rollover[]}
 */
function rolloversOf(subject, tree) {
  return listRollovers(namesOf(tree), momentCalls(subject));
}

/**
 * @param {FunctionSubject} subject
 * @param {boolean} isNeeded
 * @returns {Pick<RowTrial, 'calls' | 'state'> | {unknown: string}}
 */
function trialOf({ trial }, isNeeded) {
  if (!isNeeded) return NOTHING;
  return trial ?? { unknown: 'the function was not run in this run' };
}

/**
 * @param {FunctionSubject} subject
 * @param {ParsedFunction} tree
 * @returns {ReadonlySet<AnyNode>} where a map emits, as far as it is reached, and where a reduce returns
 */
function sinksOf(subject, tree) {
  if (subject.role === 'map') {
    const followed = follow(subject, ['doc']);
    const emits = 'unknown' in followed ? [] : followed.flow.emits;
    return new Set(emits.flatMap(({ node }) => (node ? [/** @type {AnyNode} */ (node)] : [])));
  }
  const { nodes, parents } = namesOf(tree);
  const returns = nodes.filter((node) => node.type === 'ReturnStatement' && functionAround(node, parents) === tree.fn);
  return new Set(tree.fn ? [tree.fn, ...returns] : returns);
}

/**
 * @param {AnyNode} node
 * @param {Map<AnyNode, AnyNode>} parents
 * @returns {AnyNode | undefined}
 */
function functionAround(node, parents) {
  let at = parents.get(node);
  while (at && !('params' in at)) at = parents.get(at);
  return at;
}

/**
 * @param {FunctionSubject} subject
 * @returns {MomentCall[]}
 */
function momentCalls(subject) {
  if (!MOMENT_WORDS.test(subject.text.text)) return [];
  const tree = parsed(subject);
  return tree.ok ? effectsOf(tree).moments : [];
}

/**
 * @param {FunctionSubject} subject
 * @returns {Identifier[]} reads of a map that may give what another document left there. A reduce has variables of its own in
 *   each call: runReduce in share/server/views.js compiles it each time, in a sandbox of its own (2.3 to 3.5.2)
 */
function carriedBy(subject) {
  if (subject.role !== 'map' || !mayCarry(subject.text.text)) return [];
  const tree = parsed(subject);
  if (!tree.ok || !tree.fn) return [];
  const names = namesOf(tree);
  // `with (doc) { total = 1 }`: any name may be a member of something else.
  return names.nodes.some(({ type }) => type === 'WithStatement') ? [] : carriedReads(tree.fn, names);
}

/**
 * @param {string} text
 * @returns {boolean} false where a quick look shows that every name that is written is declared, as in most maps
 */
function mayCarry(text) {
  const declared = new Set(Array.from(text.matchAll(DECLARED_NAME), ([, name]) => name));
  for (const [, first, second] of text.matchAll(WRITTEN_NAME)) if (!declared.has(first ?? second)) return true;
  return false;
}

/**
 * @param {RunSubject} run
 * @returns {{subject: FunctionSubject, question: RowQuestion}[]} what has to be tried for these facts
 */
export function rowQuestions(run) {
  return run.subjects.flatMap((subject) => {
    if (subject.kind !== 'function' || (subject.role !== 'map' && subject.role !== 'reduce')) return [];
    const calls = momentCalls(subject).map(({ node: { start, end }, kind }) => ({ start, end, kind }));
    const carries = carriedBy(subject).length > 0;
    const isReduce = subject.role === 'reduce';
    const map = isReduce ? subject.parent.views.find(({ reduce }) => reduce === subject)?.map : subject;
    if (!map || (calls.length === 0 && !carries)) return [];
    const lib = member(member(subject.parent.record.node, 'views'), 'lib');
    const libraries = lib?.type === 'object' ? /** @type {Record<string, unknown>} */ (plainValue(lib)) : {};
    const reduce = isReduce ? subject.text.text : undefined;
    return [{ subject, question: { map: map.text.text, reduce, libraries, calls, carries } }];
  });
}
