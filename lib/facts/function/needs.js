// Facts about what a JavaScript function needs: features of the engine that runs it, and modules whose names it
// computes.

import { namesOf, parsed } from '../../javascript/analyse.js';
import { listApis } from '../../javascript/apis.js';
import { ENGINES, engineNames, enginesOfVersion, judgeEngine } from '../../javascript/engines.js';
import { findLegacy } from '../../javascript/legacy.js';
import { listShapeFaults, NAMED_FUNCTION } from '../../javascript/shape.js';
import { listFeatures } from '../../javascript/syntax.js';
import { factsOf } from '../fact.js';
import { isRequired } from '../javascript/requires.js';

/** @import { DeclareFact, Extracted, FactDeclaration, FunctionSubject, Item } from '../fact.js' */
/** @import { ApiUse } from '../../javascript/apis.js' */
/** @import { EngineName, Failure, Needs } from '../../javascript/engines.js' */
/** @import { ShapeFault } from '../../javascript/shape.js' */

/** @typedef {Needs | {unknown: string}} KnownNeeds */

const SYNTAX_ERROR = 'a syntax error';

/**
 * @param {FunctionSubject} subject
 * @returns {KnownNeeds} unknown for a text that is no JavaScript, and for one that CouchDB does not run
 */
function needsOf(subject) {
  if (subject.name.startsWith('fulltext.')) return { unknown: 'couchdb-lucene runs it, in a different engine' };
  if (subject.inlinable)
    return { unknown: 'it is compiled before CouchDB gets it, and its syntax depends on the compiler' };
  const tree = parsed(subject);
  if (!tree.ok) {
    const legacy = findLegacy(tree.text, tree.offset);
    if (legacy) return { features: [], apis: [], shapeFaults: [], legacy };
    if (tree.limit !== undefined) return { unknown: tree.limit };
    const fault = { feature: SYNTAX_ERROR, start: tree.offset, end: tree.offset + 1, engines: [...ENGINES] };
    return { features: [], apis: [], shapeFaults: [fault], legacy: undefined };
  }
  const names = namesOf(tree);
  return {
    features: listFeatures(tree, names),
    apis: uncaughtApis(listApis(names, subject.isModule), subject),
    shapeFaults: subject.isModule ? [] : listShapeFaults(tree).filter((fault) => !isDroppedName(fault, subject)),
    legacy: undefined,
  };
}

/**
 * @param {ApiUse[]} uses
 * @param {FunctionSubject} subject
 * @returns {ApiUse[]} without those whose `catch` only runs on some engines: it may be written for these
 */
function uncaughtApis(uses, subject) {
  const { version } = subject.parent.parent.target;
  return uses.flatMap((use) => {
    if (!use.isReplaced) return [use];
    const isNowhere = possibleEngines(subject).every((engine) => use.isMissing(engine, version));
    return isNowhere ? [{ ...use, api: `${use.api}, so that the \`catch\` always runs` }] : [];
  });
}

/**
 * @param {ShapeFault} fault
 * @param {FunctionSubject} subject
 * @returns {boolean} whether CouchDB may never see the name
 */
function isDroppedName({ feature }, { mayLoseName }) {
  return feature === NAMED_FUNCTION && mayLoseName;
}

/**
 * @param {FunctionSubject} subject
 * @returns {EngineName | undefined} the engine that is known to run it: named by the language of its document, or the
 *   target's
 */
function knownEngine({ parent }) {
  if (parent.language === 'javascript_quickjs') return 'quickjs';
  const { engine } = parent.parent.target;
  // `javascript_spidermonkey` runs in SpiderMonkey whatever the server's own engine is (couch_proc_manager.erl, 3.4).
  return parent.language === 'javascript_spidermonkey' && engine === 'quickjs' ? undefined : engine;
}

/**
 * @param {FunctionSubject} subject
 * @returns {EngineName[]} the engines that may run it, oldest first
 */
export function possibleEngines(subject) {
  const known = knownEngine(subject);
  if (known) return [known];
  const engines = enginesOfVersion(subject.parent.parent.target.version);
  return subject.parent.language === 'javascript_spidermonkey' ? engines.filter((name) => name !== 'quickjs') : engines;
}

/**
 * @param {EngineName} engine
 * @param {Needs} needs
 * @param {FunctionSubject} subject
 * @returns {boolean} whether it is refused there, or certain to throw where it reaches that place
 */
function failsOn(engine, needs, { role, parent }) {
  return judgeEngine(engine, needs, role, parent.parent.target.version).failures.some(
    ({ effect }) => effect !== 'reads undefined',
  );
}

/**
 * @param {Needs} needs
 * @param {FunctionSubject} subject
 * @returns {'declared' | 'inferred'} declared where each engine that fails refuses the syntax, whatever the function would do
 */
function basisOf(needs, subject) {
  const { role, parent } = subject;
  const failing = possibleEngines(subject).filter((engine) => failsOn(engine, needs, subject));
  const areRefusals = failing.every(
    (engine) => !judgeEngine(engine, needs, role, parent.parent.target.version).accepted,
  );
  return failing.length > 0 && areRefusals ? 'declared' : 'inferred';
}

/**
 * @param {Needs} needs
 * @param {FunctionSubject} subject
 * @returns {Item[]} one for each thing that is missing, at its first place
 */
function failureItems(needs, subject) {
  /** @type {Map<string, {failure: Failure, engines: Set<EngineName>, count: number}>} */
  const groups = new Map();
  for (const engine of possibleEngines(subject)) {
    /** @type {Map<string, number>} */
    const counts = new Map();
    const { version } = subject.parent.parent.target;
    for (const failure of judgeEngine(engine, needs, subject.role, version).failures) {
      if (failure.effect === 'reads undefined') continue;
      const key = `${failure.effect} ${failure.feature}`;
      const group = groups.get(key) ?? { failure, engines: new Set(), count: 0 };
      group.engines.add(engine);
      counts.set(key, (counts.get(key) ?? 0) + 1);
      group.count = Math.max(group.count, counts.get(key) ?? 0);
      groups.set(key, group);
    }
  }
  return [...groups.values()]
    .map(({ failure: { feature, effect, start, end }, engines, count }) => {
      const named = engineNames(ENGINES.filter((engine) => engines.has(engine)));
      const detail = { feature, engines: named, effect, count };
      return { value: `${feature} (${named})`, place: subject.text.place(start, end), start, end, detail };
    })
    .sort((first, second) => first.start - second.start);
}

/** @type {DeclareFact<FunctionSubject, (needs: Needs, subject: FunctionSubject) => Extracted>} */
const needFact = factsOf({ subject: 'function', sources: ['design-docs', 'settings'] }, (extract) => (subject) => {
  const needs = needsOf(subject);
  return 'unknown' in needs ? needs : extract(needs, subject);
});

/** @param {FunctionSubject} subject @returns {boolean} whether no engine of its target compiles it */
export function isRefused(subject) {
  const needs = needsOf(subject);
  if ('unknown' in needs) return false;
  const { version } = subject.parent.parent.target;
  return possibleEngines(subject).every((engine) => !judgeEngine(engine, needs, subject.role, version).accepted);
}

/**
 * @param {Needs} needs
 * @param {FunctionSubject} subject
 * @returns {import('../../shared/source-file.js').Place | undefined} of the first failure
 */
function firstPlace(needs, subject) {
  return failureItems(needs, subject)[0]?.place ?? subject.place;
}

/** @type {DeclareFact<FunctionSubject>} */
const functionFact = factsOf({ subject: 'function', sources: ['design-docs'] });

/** @type {FactDeclaration<FunctionSubject>[]} */
export const functionNeedFacts = [
  needFact('function.engineFailures', 'list', {
    meaning:
      'What the function needs and a possible engine of the target version lacks, each with the engines and the consequence.',
    extract: (needs, subject) => ({ value: failureItems(needs, subject), basis: basisOf(needs, subject) }),
  }),
  needFact('function.failsOnEveryEngine', 'boolean', {
    meaning:
      'Whether every possible engine of the target version refuses the function or lacks something that it calls.',
    phrases: ['no engine of this version runs it', 'some engine of this version runs it'],
    extract: (needs, subject) => ({
      value: possibleEngines(subject).every((engine) => failsOn(engine, needs, subject)),
      basis: basisOf(needs, subject),
      place: firstPlace(needs, subject),
    }),
  }),
  needFact('function.failsOnSomeEngine', 'boolean', {
    meaning:
      'Whether at least one possible engine of the target version refuses the function or lacks something that it calls.',
    phrases: ['some engine of this version does not run it', 'every engine of this version runs it'],
    extract: (needs, subject) => ({
      value: possibleEngines(subject).some((engine) => failsOn(engine, needs, subject)),
      basis: basisOf(needs, subject),
      place: firstPlace(needs, subject),
    }),
  }),
  needFact('function.nameBlocksCompilation', 'boolean', {
    meaning: 'Whether an engine of the target refuses the function because it has a name.',
    phrases: ['the function has a name', 'no name keeps the function from compiling'],
    basis: 'declared',
    extract: (needs, subject) => {
      const tree = parsed(subject);
      if (tree.ok && !subject.isModule && listShapeFaults(tree).some((fault) => isDroppedName(fault, subject)))
        return { unknown: 'the program that sends the function may leave out its name' };
      const engines = possibleEngines(subject);
      const fault = needs.shapeFaults.find(
        (candidate) => candidate.feature === NAMED_FUNCTION && candidate.engines.some((name) => engines.includes(name)),
      );
      const place = fault ? subject.text.place(fault.start, fault.end) : subject.place;
      return { value: fault !== undefined, place };
    },
  }),
  functionFact('function.isLoaded', 'boolean', {
    meaning: 'Whether a function of the design document loads the module, directly or through another module.',
    phrases: ['a function requires this module', 'no function requires this module'],
    extract: (subject) => {
      if (!subject.isModule) return { unknown: 'it is not a module' };
      const value = isRequired(subject);
      return value === undefined ? { unknown: 'which modules are loaded cannot be determined' } : { value };
    },
  }),
];
