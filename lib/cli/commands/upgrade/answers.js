// Names the functions that return something else in the new engine, with what both engines answer; and those that may, for all that is known.

import { isKnown } from '../../../facts/fact.js';
import { compareEngines, FROZEN, IN_MODULE, isSettled, testsDates } from '../../../facts/function/answers.js';
import { remember } from '../../../shared/recent-memory.js';

/** @import { Item, Subject } from '../../../facts/fact.js' */
/** @import { AnswerName } from '../../../javascript/engine-answers.js' */
/** @import { Comparison } from './compare-runs.js' */
/** @import { Evidence } from './detect.js' */

/** Characters of an expression that are shown, and of what a function gets and answers. */
const MAX_CODE = 80;
const MAX_ANSWER = 120;
/** What no answer of a built-in function shows. */
const OWN = 'which have built-in objects and global names of their own in QuickJS';
/** Characters before the first that differs. */
const BEFORE = 40;

/** `open`: an expression is there, and no document shows what comes of it. `dates`: only a string that is no date does, and the function takes every one for a date.
 *  @typedef {{shown: Evidence[], open: Evidence[], dates: Evidence[]}} Found */

/** Two items of the list ask for it. */
export const answersOf = remember((/** @type {Comparison} */ { before, after, answers }) => {
  /** @type {Found} */
  const found = { shown: [], open: [], dates: [] };
  for (const [at, subject] of after.run.subjects.entries()) {
    // Both runs are of the same records.
    const old = before.run.subjects[at];
    if (subject.kind !== 'function' || old?.kind !== 'function') continue;
    const engines = compareEngines(old, subject);
    if (!engines) continue;
    const fact = after.ask(subject, 'function.engineAnswers');
    const items = isKnown(fact) ? /** @type {Item[]} */ (fact.value) : [];
    for (const [name, trial] of Object.entries(answers.get(subject) ?? {})) {
      if (trial.verdict !== 'differ') continue;
      const item = items.find(({ detail }) => detail?.['name'] === name);
      const [one, other] = cutAlike(trial.answers);
      const part = name === IN_MODULE ? ` loads modules, ${OWN}` : item ? ` has \`${inShort(item)}\`` : '';
      const text = `${describe(subject)}${part}: \`${cut(trial.given, 0)}\` gives ${one} in ${engines.engines[0]} and ${other} in ${engines.engines[1]}`;
      const list = name === 'test of a date' && !testsDates(subject) ? found.dates : found.shown;
      list.push({ text, place: item?.place ?? subject.place });
    }
    const loaded = after.ask(subject, 'function.isLoaded');
    if (isKnown(loaded) && loaded.value === false) continue;
    for (const item of items) {
      const name = /** @type {AnswerName} */ (item.detail?.['name']);
      const text = engines.texts.get(name);
      if (name === FROZEN && subject.role !== 'map') continue;
      if (text === undefined || isSettled(name, item, subject, answers)) continue;
      const part = subject.isModule ? ' in a part that may never be called' : '';
      const { place } = item;
      found.open.push({
        text: `${describe(subject)} has \`${inShort(item)}\`${part}: ${text}`,
        ...(place ? { place } : {}),
      });
    }
  }
  return found;
});

/** @param {Item} item @returns {string} */
function inShort({ value }) {
  const code = String(value);
  return code.length > MAX_CODE ? `${code.slice(0, MAX_CODE)}…` : code;
}

/** @param {[string, string]} answers @returns {[string, string]} with the part that differs */
function cutAlike([one, other]) {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const start = Math.max(one.length, other.length) > MAX_ANSWER && at > BEFORE ? at - BEFORE : 0;
  return [quoted(one, start), quoted(other, start)];
}

/** @param {string} answer @param {number} start @returns {string} what is no code stays as it is */
function quoted(answer, start) {
  return /^(?:emit|[[{"\d-])/.test(answer) ? `\`${cut(answer, start)}\`` : cut(answer, start);
}

/** @param {string} text @param {number} start @returns {string} */
function cut(text, start) {
  const rest = text.length > start + MAX_ANSWER ? '…' : '';
  return `${start > 0 ? '…' : ''}${text.slice(start, start + MAX_ANSWER)}${rest}`;
}

/** @param {Subject & {kind: 'function'}} subject @returns {string} */
export function describe({ name, parent }) {
  return `\`${name}\` of \`${parent.name}\``;
}
