// Checks the cases of a rule against its tree, strictly, so that a case can name neither too many facts nor too few.
// Also makes the mutants of a tree, each of which must make some case fail.

import { caseFault, toFact } from '../../lib/engine/cases.js';
import { CANNOT_TELL, evaluateRule } from '../../lib/engine/evaluate.js';

/** @import { Case, CaseFact } from '../../lib/engine/cases.js' */
/** @import { FactDeclaration } from '../../lib/facts/fact.js' */
/** @import { Operator, Question, Rule } from '../../lib/engine/rule.js' */

/** @typedef {ReadonlyMap<string, Pick<FactDeclaration, 'type'>>} Types */

/**
 * Cases that say the same twice.
 * @param {Case[]} cases
 * @returns {string[]} one line each
 */
export function duplicateCases(cases) {
  /** @type {Map<string, string>} */
  const seen = new Map();
  return cases.flatMap(({ name, facts }) => {
    const sorted = JSON.stringify(Object.entries(facts).sort(([first], [second]) => (first < second ? -1 : 1)));
    const twins = [`facts ${sorted}`, `name ${name}`].map((sign) => {
      const twin = seen.get(sign);
      seen.set(sign, name);
      return twin;
    });
    const twin = twins.find((other) => other !== undefined);
    return twin === undefined ? [] : [`"${name}" says the same as "${twin}"`];
  });
}

/**
 * @param {Case[]} cases
 * @returns {string} the text of cases.json: one case a line
 */
export function denseCases(cases) {
  return `[\n${cases.map(onOneLine).join(',\n')}\n]\n`;
}

/**
 * @param {unknown} value of JSON
 * @returns {string} with a space after each colon and comma
 */
function onOneLine(value) {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${onOneLine(member)}`);
  return `{ ${members.join(', ')} }`;
}

/** Facts of these types are never negative. @type {Set<string>} */
const NEVER_NEGATIVE = new Set(['count', 'bytes', 'ms', 'share', 'list']);
/** Facts of these types have no values between whole numbers. @type {Set<string>} */
const WHOLE = new Set(['count', 'bytes', 'list']);
const NEAR = 0.01;

/**
 * How far from a limit counts as just beside it: one unit, or one percent where that is more.
 * @param {number} limit
 * @param {string} type of the fact
 * @returns {number}
 */
export function stepBeside(limit, type) {
  const percent = Math.abs(limit) * NEAR;
  if (WHOLE.has(type)) return Math.max(1, Math.floor(percent));
  return type === 'share' ? percent || NEAR : Math.max(percent, 1);
}

/**
 * @param {Rule} rule
 * @param {Case[]} cases
 * @param {Types} types
 * @returns {string[]} the cases that each limit lacks: just below, at, just above
 */
export function missingLimitCases(rule, cases, types) {
  return Object.entries(rule.questions).flatMap(([id, { fact, value }]) => {
    if (typeof value !== 'number') return [];
    const type = types.get(fact)?.type ?? 'count';
    const step = stepBeside(value, type);
    const sizes = cases.filter((row) => reaches(rule, row, id)).map(({ facts }) => sizeOf(facts[fact]));
    const has = (/** @type {(size: number) => boolean} */ fits) =>
      sizes.some((size) => size !== undefined && fits(size));
    const missing = [];
    const canBeBelow = value > 0 || !NEVER_NEGATIVE.has(type);
    if (canBeBelow && !has((size) => size < value && size >= value - step)) missing.push(`just below ${value}`);
    if (!has((size) => size === value)) missing.push(`at ${value}`);
    if (!has((size) => size > value && size <= value + step)) missing.push(`just above ${value}`);
    return missing.map((where) => `no case asks \`${id}\` with \`${fact}\` ${where}`);
  });
}

/**
 * @param {Rule} rule
 * @param {Case} row
 * @param {string} question
 * @returns {boolean} whether the case's path leads through the question
 */
function reaches(rule, { facts }, question) {
  const { path } = evaluateRule(rule, (id) => toFact(facts[id] ?? { unknown: 'the case does not say' }));
  return path.some((step) => step.question === question);
}

/**
 * @param {CaseFact | undefined} given
 * @returns {number | undefined}
 */
function sizeOf(given) {
  if (Array.isArray(given)) return given.length;
  return typeof given === 'number' ? given : undefined;
}

/** @typedef {{name: string, rule: Rule}} Mutant */

/** What an operator is easily mistaken for. @type {Record<Operator, Operator[]>} */
const MISTAKES = {
  is: [],
  isOneOf: [],
  contains: ['matches'],
  matches: ['contains'],
  atLeast: ['above', 'atMost'],
  above: ['atLeast', 'below'],
  atMost: ['below', 'atLeast'],
  below: ['atMost', 'above'],
};

/**
 * Every small mistake in a tree that its cases must notice.
 * @param {Rule} rule
 * @param {Types} types
 * @returns {Mutant[]}
 */
export function mutantsOf(rule, types) {
  return Object.entries(rule.questions).flatMap(([id, question]) =>
    changesOf(question, types.get(question.fact)?.type ?? 'count').map(([what, change]) => ({
      name: `${id}: ${what}`,
      rule: { ...rule, questions: { ...rule.questions, [id]: { ...question, ...change } } },
    })),
  );
}

/**
 * @param {Question} question
 * @param {string} type
 * @returns {[string, Partial<Question>][]}
 */
function changesOf({ operator, value, yes, no, unknown }, type) {
  /** @type {[string, Partial<Question>][]} */
  const changes = [['branches swapped', { yes: no, no: yes }]];
  for (const other of MISTAKES[operator]) changes.push([`\`${operator}\` made \`${other}\``, { operator: other }]);
  if (typeof value === 'number') {
    const step = stepBeside(value, type);
    changes.push([`limit raised to ${value + step}`, { value: value + step }]);
    changes.push([`limit lowered to ${value - step}`, { value: value - step }]);
  } else if (type === 'version') {
    changes.push(['limit raised by a patch release', { value: nextPatch(String(value)) }]);
  } else if (Array.isArray(value)) {
    for (const left of value) {
      changes.push([`\`${left}\` left out`, { value: value.filter((item) => item !== left) }]);
    }
  }
  for (const [answer, next] of Object.entries({ yes, no })) {
    if (unknown !== next) changes.push([`unknown taken for ${answer}`, { unknown: next }]);
  }
  if (unknown !== undefined) changes.push(['unknown made cannot-tell', { unknown: CANNOT_TELL }]);
  return changes;
}

/**
 * @param {string} version
 * @returns {string} the version that follows it
 */
function nextPatch(version) {
  const [major = '0', minor = '0', patch = '0'] = version.split('.');
  return `${major}.${minor}.${Number(patch) + 1}`;
}

/**
 * @param {Rule} rule
 * @param {Case[]} cases
 * @param {Types} types
 * @returns {string[]} the mutants that no case notices, though facts exist that would show the mistake
 */
export function survivingMutants(rule, cases, types) {
  return mutantsOf(rule, types)
    .filter((mutant) => cases.every((row) => caseFault(mutant.rule, row) === undefined))
    .filter((mutant) => !isEquivalent(rule, mutant.rule, types))
    .map(({ name }) => name);
}

class NotGiven extends Error {
  /** @param {string} fact */
  constructor(fact) {
    super(fact);
    this.fact = fact;
  }
}

/**
 * Whether two trees over the same facts end alike, having used the same facts, whatever these are. Tries each value
 * that some question distinguishes from the others.
 * @param {Rule} first
 * @param {Rule} second
 * @param {Types} types
 * @returns {boolean}
 */
export function isEquivalent(first, second, types) {
  /** @type {(given: Map<string, CaseFact>) => boolean} */
  const isSame = (given) => {
    try {
      return walk(first, given) === walk(second, given);
    } catch (error) {
      if (!(error instanceof NotGiven)) throw error;
      const { fact } = error;
      const questions = [...Object.values(first.questions), ...Object.values(second.questions)];
      const operands = questions.filter((question) => question.fact === fact).flatMap(({ value }) => value);
      return valuesAround(operands, types.get(fact)?.type ?? 'count').every((value) =>
        isSame(new Map([...given, [fact, value]])),
      );
    }
  };
  return isSame(new Map());
}

/**
 * @param {Rule} rule
 * @param {ReadonlyMap<string, CaseFact>} given
 * @returns {string} outcome and facts that were used
 * @throws {NotGiven}
 */
function walk(rule, given) {
  const used = new Set();
  const { outcome } = evaluateRule(rule, (id) => {
    const value = given.get(id);
    if (value === undefined) throw new NotGiven(id);
    used.add(id);
    return toFact(value);
  });
  return JSON.stringify([outcome, [...used].sort()]);
}

/**
 * @param {(boolean | number | string)[]} operands what a fact is compared with
 * @param {string} type
 * @returns {CaseFact[]} those values, their neighbours, another one, and unknown
 */
function valuesAround(operands, type) {
  /** @type {CaseFact[]} */
  const values = [{ unknown: 'it cannot be told' }];
  if (type === 'boolean') values.push(true, false);
  for (const operand of new Set(operands)) {
    if (typeof operand === 'number') {
      const step = stepBeside(operand, type);
      const sizes = [operand - step, operand, operand + step].filter((size) => size >= 0 || !NEVER_NEGATIVE.has(type));
      values.push(...sizes.map((size) => (type === 'list' ? Array.from({ length: size }, () => 'item') : size)));
    } else if (type === 'version') values.push('0', String(operand), nextPatch(String(operand)), '9999');
    else if (type === 'text') values.push(operand);
  }
  if (type === 'text') values.push('another text');
  return values;
}
