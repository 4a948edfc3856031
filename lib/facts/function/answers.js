// Compares what the possible engines of two targets answer to the same function, and asks for documents that show it.

import { namesOf, parsed } from '../../javascript/analyse.js';
import { ANSWERS, FROZEN, IN_MODULE, listAnswers } from '../../javascript/engine-answers.js';
import { engineNames } from '../../javascript/engines.js';
import { remember } from '../../shared/recent-memory.js';
import { plainValue } from '../../sources/record.js';
import { mayLoad } from '../javascript/requires.js';
import { MACRO, seenBy } from './evidence.js';
import { isRefused, possibleEngines } from './needs.js';

export { FROZEN, IN_MODULE };

/** @import { AnyNode } from 'acorn' */
/** @import { AnswerName, AnswerRow } from '../../javascript/engine-answers.js' */
/** @import { EngineName } from '../../javascript/engines.js' */
/** @import { AnswerQuestion, AnswerTrial } from '../../proof/evidence/compare-answers.js' */
/** @import { ForeignAnswers } from '../../sandbox/foreign-answers.js' */
/** @import { Place } from '../../shared/source-file.js' */
/** @import { FunctionSubject, Item, RunSubject } from '../fact.js' */

/** @type {EngineName[]} What is said of these follows the documentation. */
const NOT_TRIED = ['spidermonkey-60'];
/** Characters that cross into the sandbox with each call: what sees more is not run. */
const MAX_SEEN = 400_000;
/** Views whose rows a list is given. */
const MAX_MAPS = 3;
const NAMES = /** @type {AnswerName[]} */ (Object.keys(ANSWERS));

/**
 * @param {FunctionSubject} before the function, for the target that runs now
 * @param {FunctionSubject} after the same function, for the one to come
 * @returns {{engines: [string, string], foreign: ForeignAnswers[], texts: Map<AnswerName, string>} | undefined} `foreign`: of each, what it answers otherwise than QuickJS; the texts say what
 *   differs between the two; undefined where an engine of both targets may run it, or one target refuses it
 */
export function compareEngines(before, after) {
  const [old, next] = [possibleEngines(before), possibleEngines(after)];
  // Where the engine may stay as it is, the version changes nothing. What an engine refuses has no answer there.
  if (old.some((engine) => next.includes(engine)) || isRefused(before) || isRefused(after)) return undefined;
  const engines = /** @type {[string, string]} */ ([describeEngines(old), describeEngines(next)]);
  /** @type {Map<AnswerName, string>} */
  const texts = new Map();
  const foreign = [old, next].map((all) => ({
    names: /** @type {AnswerName[]} */ ([]),
    isOld: all.every((engine) => engine === 'spidermonkey-1.8.5'),
  }));
  for (const name of NAMES) {
    const { example, answers } = /** @type {AnswerRow} */ (ANSWERS[name]);
    const both = [commonAnswer(answers, old), commonAnswer(answers, next)];
    const [one, other] = both;
    if (one === undefined || other === undefined) continue;
    for (const at of [0, 1]) if (both[at] !== answers.quickjs) foreign[at]?.names.push(name);
    if (one !== other) texts.set(name, `\`${example}\` is ${one} in ${engines[0]} and ${other} in ${engines[1]}`);
  }
  return { engines, foreign, texts };
}

/** @param {EngineName[]} engines @returns {string} */
function describeEngines(engines) {
  return `${engineNames(engines)}${engines.every((engine) => NOT_TRIED.includes(engine)) ? ' (as documented)' : ''}`;
}

/**
 * @param {AnswerRow['answers']} answers
 * @param {EngineName[]} engines
 * @returns {string | undefined} what all of them answer
 */
function commonAnswer(answers, [first, ...others]) {
  const answer = first && answers[first];
  return others.every((engine) => answers[engine] === answer) ? answer : undefined;
}

/**
 * @param {RunSubject} before
 * @param {RunSubject} after of the same records
 * @returns {{subject: FunctionSubject, question: AnswerQuestion}[]} functions that may answer otherwise in the engine to come
 */
export function answerQuestions(before, after) {
  return after.subjects.flatMap((subject, at) => {
    const old = before.subjects[at];
    if (subject.kind !== 'function' || old?.kind !== 'function' || subject.isModule) return [];
    const { role, text, parent } = subject;
    const engines = compareEngines(old, subject);
    if (!engines || !isRunnable(role) || MACRO.test(text.text) || !parsed(subject).ok) return [];
    const designDoc = role === 'reduce' ? {} : seenBy(subject);
    if (designDoc === undefined) return [];
    const seen = `${text.text} ${JSON.stringify(designDoc)}`;
    if (seen.length > MAX_SEEN) return [];
    const modules = parent.functions.filter((one) => one.isModule && mayLoad(subject, one));
    const asked = [...engines.texts.keys()].filter(
      (name) =>
        /** @type {AnswerRow} */ (ANSWERS[name]).hint?.test(seen) &&
        (name !== FROZEN || role === 'map') &&
        (name !== IN_MODULE || modules.length > 0),
    );
    if (asked.length === 0) return [];
    const views = parent.views.filter(({ map, reduce }) => map && (role !== 'reduce' || reduce === subject));
    const maps =
      role === 'reduce' || role === 'list' ? views.slice(0, MAX_MAPS).flatMap(({ map }) => map?.text.text ?? []) : [];
    const libraries = maps.length > 0 ? /** @type {any} */ (plainValue(parent.record.node))['views']?.lib : undefined;
    const { foreign } = engines;
    const question = { role, source: text.text, designDoc, names: asked, foreign, maps, libraries };
    return [{ subject, question }];
  });
}

/** @param {FunctionSubject['role']} role @returns {role is AnswerQuestion['role']} */
function isRunnable(role) {
  return role !== 'library' && role !== 'rewrite' && role !== 'search';
}

/**
 * @param {AnswerName} name
 * @param {Item} item the expression
 * @param {FunctionSubject} subject that has it
 * @param {Map<FunctionSubject, Record<string, AnswerTrial>>} trials
 * @returns {boolean} whether documents show what comes of it: other results, or the same although they reach it
 */
export function isSettled(name, { value }, subject, trials) {
  const { needsDocument, isPartly } = /** @type {AnswerRow} */ (ANSWERS[name]);
  if (needsDocument) return true;
  const { functions } = subject.parent;
  const callers = subject.isModule ? functions.filter((one) => mayLoad(one, subject)) : [subject];
  const verdicts = callers.map((one) => trials.get(one)?.[name]?.verdict);
  if (name === IN_MODULE && subject.isModule && !verdicts.includes('differ')) {
    // A module may well use what it adds: what it is called with may come from elsewhere, which the trial shows.
    const use = new RegExp(`\\.${/\w*$/.exec(String(value))}\\b`);
    return !callers.some(({ text }) => use.test(text.text));
  }
  return (
    name === IN_MODULE ||
    verdicts.includes('differ') ||
    (!isPartly && verdicts.length > 0 && verdicts.every((one) => one === 'same'))
  );
}

/** @param {FunctionSubject} subject @returns {boolean} whether it, or a module that it loads, tests whether a string is a date */
export function testsDates(subject) {
  const modules = subject.parent.functions.filter((one) => one.isModule && mayLoad(subject, one));
  return [subject, ...modules].some((one) => names(one).has('test of a date'));
}

const names = remember((/** @type {FunctionSubject} */ subject) => {
  const tree = parsed(subject);
  return new Set(tree.ok ? listAnswers(namesOf(tree)).map(({ name }) => name) : []);
});

/** Nodes whose parts all run, if what stands before them does not leave the function. */
const PLAIN = new Set([
  ...['ExpressionStatement', 'VariableDeclaration', 'VariableDeclarator', 'AssignmentExpression', 'ReturnStatement'],
  ...['BinaryExpression', 'CallExpression', 'NewExpression', 'MemberExpression', 'ParenthesizedExpression'],
]);

/**
 * @param {FunctionSubject} subject for the target that runs now
 * @param {Place} place in it
 * @returns {boolean} whether it never comes so far: it throws at an `eval` before that, whatever it is given
 */
export function stopsBefore(subject, place) {
  const tree = parsed(subject);
  const { answers } = ANSWERS['code in a string'];
  if (!tree.ok || commonAnswer(answers, possibleEngines(subject)) !== 'an error') return false;
  const all = namesOf(tree);
  const isPlain = (/** @type {AnyNode} */ node) => {
    let at = all.parents.get(node);
    while (at && PLAIN.has(at.type)) at = all.parents.get(at);
    return at?.type === 'BlockStatement' && all.parents.get(at) === tree.fn;
  };
  return listAnswers(all).some(({ name, start, end }) => {
    const { line = Number.NaN, column = 0 } = subject.text.place(start, end) ?? {};
    const isEarlier = line < place.line || (line === place.line && column < place.column);
    const node = all.nodes.find((one) => one.start === start && one.end === end);
    return name === 'code in a string' && isEarlier && node !== undefined && isPlain(node);
  });
}
