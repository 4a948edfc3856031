// Finds the built-in that gives the same answers as both passes of a reduce: as it is, or after the map emits a
// different value, with the condition on the values under which it does.

import { builtinOf } from './builtins.js';
import { conditionFor, LONGEST, withTexts } from './conditions.js';
import { describeForm } from './describe-form.js';
import {
  canBeUsed,
  comparedIn,
  figuresIn,
  firstForm,
  isSameForm,
  membersAreNumbers,
  membersRead,
  NOTHING_ASSUMED,
  NUMBERS,
  secondForm,
} from './forms.js';
import { rewriteFor } from './rewrites.js';

/** @import { Assumed, Condition, Text } from './conditions.js' */
/** @import { Emitted } from './emitted-values.js' */
/** @import { Figure, Form, TypeOf } from './forms.js' */
/** @import { Rewrite } from './proof.js' */
/** @import { Pass } from './run-pass.js' */

/**
 * @typedef {object} Match
 * @property {'equal' | 'equalAfterRewrite'} verdict
 * @property {string} builtin
 * @property {Rewrite} [rewrite]
 * @property {string[]} steps
 */

/** @typedef {Match & Condition & {form: Form}} Claim */

/**
 * What a first pass returns, and the built-in that gives it of all rows.
 * @typedef {{text: string, builtin: string | undefined, rewrite: Rewrite | undefined}} Meaning
 */

/** The members of what `_stats` answers (couch_query_servers.erl, 3.5.0). @type {Record<string, Figure['figure']>} */
const STATS = { sum: 'sum', count: 'count', min: 'min', max: 'max', sumsqr: 'sumsqr' };

/**
 * @param {Pass} first
 * @param {(answers: Form) => Pass | {bailout: string}} runSecond over answers of this form
 * @param {Emitted} emitted
 * @param {string} target CouchDB version
 * @returns {Claim | undefined} undefined where both passes do not plainly give the same figures
 */
export function claimOf(first, runSecond, emitted, target) {
  for (const reading of formsOf(first)) {
    const { form, assumed, names, texts } = reading;
    const second = runSecond(form);
    if ('bailout' in second || second.listed.length > 0 || !canBeUsed(form, second.used)) continue;
    const again = secondForm(second.value, form);
    if (!again || !isSameForm(form, again)) continue;
    const exact = texts.length > 0 ? undefined : equalTo(form, assumed, names, emitted, target);
    if (exact) return withPasses(form, exact);
    const match = rewriteFor(form, target);
    // What the map then tests are values that are not JSON yet.
    const isTested = assumed === 'any' && match?.rewrite?.emitted !== undefined;
    const condition = withTexts(conditionFor(isTested ? 'plain' : assumed, names, emitted, false), texts, emitted);
    // What a row needs and the map never emits: what then comes out is for trials to say.
    if (match && condition.holds.isNumber !== 'not') return withPasses(form, { ...match, ...condition });
  }
  return undefined;
}

/**
 * What a first pass returns, where both passes are not known to give the same.
 * @param {Pass} first
 * @param {Emitted} emitted
 * @param {string} target
 * @returns {Meaning | undefined}
 */
export function meaningOf(first, emitted, target) {
  for (const { form, assumed, names, texts } of formsOf(first)) {
    // A constant says nothing of what was meant.
    const isConstant = figuresIn(form).length === 0;
    const exact = isConstant || texts.length > 0 ? undefined : equalTo(form, assumed, names, emitted, target);
    const match = isConstant ? undefined : (exact ?? rewriteFor(form, target));
    return { text: describeForm(form), builtin: match?.builtin, rewrite: match?.rewrite };
  }
  return undefined;
}

/**
 * What a first pass returns: `names` of members that are numbers, and what of the values is compared with strings.
 * @typedef {{form: Form, assumed: Assumed, names: string[], texts: Text[]}} Reading
 */

/**
 * @param {Pass} first
 * @returns {Reading[]} the weakest assumption first
 */
function formsOf(first) {
  const names = membersRead(first.value);
  const texts = textsOf(first);
  if (!texts) return [];
  /** @type {[TypeOf, Assumed][]} */
  const assumptions = [
    [NOTHING_ASSUMED, 'any'],
    [NUMBERS, 'numbers'],
  ];
  if (names.length > 0 || texts.some(({ path }) => path.length > 0)) {
    assumptions.push([membersAreNumbers(names), 'members']);
  }
  return assumptions.flatMap(([typeOf, assumed]) => {
    const form = firstForm(first.value, typeOf);
    const isOfNumbers = assumed === 'numbers' && texts.length > 0;
    return form && !isOfNumbers && isWithin(first.used, form, assumed, names, texts)
      ? [{ form, assumed, names, texts }]
      : [];
  });
}

/**
 * @param {Pass} first
 * @returns {Text[] | undefined} undefined where what must be one of some strings is also computed with
 */
function textsOf({ value, listed }) {
  const compared = comparedIn(value);
  const texts = compared.map(({ path, with: names }) => {
    const only = listed.find((one) => isSamePath(one.path, path))?.names;
    return { path, names: only ?? names, isListed: only !== undefined };
  });
  const isRead = listed.every(
    ({ path, names }) => names.length > 0 && texts.some((text) => isSamePath(text.path, path)),
  );
  return isRead && texts.every(({ path }) => path.length <= 1) ? texts : undefined;
}

/** @param {readonly string[]} one @param {readonly string[]} other @returns {boolean} */
function isSamePath(one, other) {
  return one.length === other.length && one.every((name, at) => name === other[at]);
}

/**
 * @param {(readonly string[])[]} used by the first pass
 * @param {Form} form
 * @param {Assumed} assumed
 * @param {string[]} names
 * @param {Text[]} texts
 * @returns {boolean} whether it reads, and computes with, nothing but what is assumed to be there
 */
function isWithin(used, form, assumed, names, texts) {
  const figures = figuresIn(form).filter(({ figure }) => figure !== 'count' && figure !== 'sumOf');
  if (assumed === 'any') {
    return used.length === 0 && figures.length === 0 && texts.every(({ path }) => path.length === 0);
  }
  const isMember = (/** @type {readonly string[]} */ path) => path.length === 1 && names.includes(path[0] ?? '');
  if (assumed === 'numbers') return [...used, ...figures.map(({ path }) => path)].every((path) => path.length === 0);
  return used.every((path) => path.length === 0 || isMember(path)) && figures.every(({ path }) => isMember(path));
}

/**
 * @param {Form} form
 * @param {Match & Condition} match
 * @returns {Claim}
 */
function withPasses(form, match) {
  const figures = figuresIn(form);
  const steps = [
    `Over rows it returns ${describeForm(form)}.`,
    'In a rereduce, over such results, it returns the same for all rows behind them, however they are grouped.',
  ];
  if (figures.some(({ figure }) => figure !== 'count' && figure !== 'max' && figure !== 'min')) {
    steps.push(
      'Sums of fractions can differ in their last digits, depending on the order of the additions; so can sums beyond 2^53, which JavaScript rounds.',
    );
  }
  return { ...match, form, steps: [...steps, ...match.steps] };
}

/**
 * @param {Form} form
 * @param {Assumed} assumed
 * @param {string[]} names
 * @param {Emitted} emitted
 * @param {string} target
 * @returns {(Match & Condition) | undefined}
 */
function equalTo(form, assumed, names, emitted, target) {
  if ('figure' in form && form.figure === 'count') return equalToCount(assumed, names, emitted);
  const ofNumbers = conditionFor('numbers', [], emitted, false);
  /** @type {(builtin: string, ...steps: string[]) => Match & Condition} */
  const equal = (builtin, ...steps) => ({ verdict: 'equal', builtin, steps, ...ofNumbers });
  if ('figure' in form && form.figure === 'sum' && form.path.length === 0) {
    return equal('_sum', '`_sum` adds the values in both passes.');
  }
  if (isStats(form)) return equal('_stats', '`_stats` returns the same five members for numbers.');
  const extreme = onlyExtreme(form);
  const ranked = extreme === 'max' ? '_top_1' : '_bottom_1';
  if (extreme && builtinOf(ranked, target)) {
    return equal(ranked, `\`${ranked}\` returns an array of the ${extreme === 'max' ? 'greatest' : 'least'} value.`);
  }
  const sums = namesOfSums(form);
  if (!sums || !('shape' in form)) return undefined;
  const condition = conditionFor('members', sums, emitted, true);
  // The reduce leaves out what else a value has, and has members where none are emitted; `_sum` does neither.
  if (condition.holds.isNumber === 'not') return undefined;
  const step = `\`_sum\` adds ${form.shape === 'array' ? 'arrays element by element' : 'objects member by member'}.`;
  return { verdict: 'equal', builtin: '_sum', steps: [step], ...condition };
}

/**
 * @param {Assumed} assumed
 * @param {string[]} names
 * @param {Emitted} emitted
 * @returns {(Match & Condition) | undefined}
 */
function equalToCount(assumed, names, emitted) {
  const condition = conditionFor(assumed, names, emitted, false);
  // It leaves out rows whose values do not meet the condition, or fails for them; `_count` counts all.
  if (condition.holds.isNumber !== 'always') return undefined;
  return {
    verdict: 'equal',
    builtin: '_count',
    steps: ['`_count` counts rows and ignores their values.'],
    ...condition,
  };
}

/**
 * @param {Form} form
 * @returns {boolean}
 */
function isStats(form) {
  if (!('shape' in form) || form.shape !== 'object' || form.members.length !== Object.keys(STATS).length) return false;
  return form.members.every(([name, member]) => {
    return (
      'figure' in member && Object.hasOwn(STATS, name) && member.figure === STATS[name] && member.path.length === 0
    );
  });
}

/**
 * @param {Form} form
 * @returns {'max' | 'min' | undefined} what a list of one such figure of the values holds
 */
function onlyExtreme(form) {
  if (!('shape' in form) || form.shape !== 'array' || form.members.length !== 1) return undefined;
  const [, member] = form.members[0] ?? [];
  if (!member || !('figure' in member) || member.path.length > 0) return undefined;
  return member.figure === 'max' || member.figure === 'min' ? member.figure : undefined;
}

/**
 * @param {Form} form
 * @returns {string[] | undefined} its members, where each is the sum of that member of the values
 */
function namesOfSums(form) {
  if (!('shape' in form) || form.members.length === 0 || form.members.length > LONGEST) return undefined;
  const areSums = form.members.every(([name, member]) => {
    return 'figure' in member && member.figure === 'sum' && member.path.length === 1 && member.path[0] === name;
  });
  return areSums ? form.members.map(([name]) => name) : undefined;
}
