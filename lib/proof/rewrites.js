// Finds what the map could emit so that a built-in gives the figures of a reduce, and what is left to the clients that
// read the answer.

import { builtinOf } from './builtins.js';
import { describeAddend, valueAt, writeForm } from './describe-form.js';
import { figuresIn } from './forms.js';

/** @import { Match } from './claims.js' */
/** @import { Figure, Form } from './forms.js' */

/** More figures than these are no answer that people read. */
const MAX_FIGURES = 20;

/**
 * @param {Form} form the same in both passes
 * @param {string} target CouchDB version
 * @returns {Match | undefined}
 */
export function rewriteFor(form, target) {
  const figures = distinct(figuresIn(form));
  if (figures.length === 0) return forConstant(form);
  if (figures.length > MAX_FIGURES) return undefined;
  if (figures.every(({ figure }) => figure === 'count')) {
    return {
      ...rewrite('_count', { answer: writeForm(form, () => 'value') }),
      steps: ['`_count` counts rows and ignores their values.'],
    };
  }
  const [first, ...others] = figures;
  if (first && others.length === 0 && (first.figure === 'max' || first.figure === 'min')) {
    const ranked = first.figure === 'max' ? '_top_1' : '_bottom_1';
    if (builtinOf(ranked, target)) return forExtreme(form, first, ranked);
  }
  const isOfValues = figures.every(({ figure, path }) => figure !== 'sumOf' && path.length === 0);
  if (isOfValues) {
    const [only] = figures;
    if (figures.length === 1 && only?.figure === 'sum') {
      return {
        ...rewrite('_sum', { answer: writeForm(form, () => 'value') }),
        steps: ['`_sum` returns the sum of the values alone.'],
      };
    }
    return {
      ...rewrite('_stats', { answer: writeForm(form, ({ figure }) => `value.${figure}`) }),
      steps: ['`_stats` returns the sum, count, min, max and sumsqr of numbers.'],
    };
  }
  if (figures.every(({ figure }) => figure === 'sum' || figure === 'sumOf' || figure === 'count')) {
    return forSums(form, figures);
  }
  return forMembers(form, figures);
}

/**
 * @param {Form} form
 * @param {Figure} figure the only one
 * @param {string} ranked
 * @returns {Match}
 */
function forExtreme(form, figure, ranked) {
  const isWhole = figure.path.length === 0;
  const answer = writeForm(form, () => 'value[0]');
  const best = figure.figure === 'max' ? 'greatest' : 'least';
  return {
    ...rewrite(ranked, { ...(isWhole ? {} : { emitted: valueAt(figure.path) }), answer }),
    steps: [
      `\`${ranked}\` returns an array of the ${best} value; before CouchDB 3.5 \`_stats\` returns it as \`${figure.figure}\`.`,
    ],
  };
}

/**
 * @param {Form} form
 * @returns {Match}
 */
function forConstant(form) {
  const answer = writeForm(form, () => 'value');
  return {
    verdict: 'equalAfterRewrite',
    builtin: '_count',
    rewrite: {
      answer,
      text: `${COUNTED}, and clients query with \`group=true\` and read the keys: every value was \`${answer}\``,
      changesShape: true,
    },
    steps: [
      'Its result says nothing about the rows: a grouped query returns the distinct keys, as with every reduce.',
      'No reduce is needed unless distinct keys are queried.',
    ],
  };
}

/**
 * @param {Form} form
 * @param {Figure[]} figures sums of several members, or of what is computed from the values
 * @returns {Match}
 */
function forSums(form, figures) {
  const steps = ['`_sum` adds numbers, arrays element by element, and objects member by member.'];
  if ('figure' in form || isOfSums(form))
    return { ...rewrite('_sum', { emitted: writeForm(form, describeAddend) }), steps };
  const [only] = figures;
  const isOne = figures.length === 1 && only !== undefined;
  const emitted = isOne ? describeAddend(only) : `[${figures.map(describeAddend).join(', ')}]`;
  const answer = writeForm(form, (figure) => (isOne ? 'value' : `value[${placeOf(figure, figures)}]`));
  return { ...rewrite('_sum', { emitted, answer }), steps };
}

/**
 * @param {Form} form
 * @returns {boolean} whether `_sum` of such values answers it: a list of sums, or an object of these and of objects. It fails
 *   for an object with a member `error`, which it takes for a failure of its own (couch_query_servers.erl sum_values, 3.5.0)
 */
function isOfSums(form) {
  if (!('shape' in form) || form.members.length === 0) return false;
  const isList = form.shape === 'array';
  return form.members.every(([name, member]) => {
    if ('figure' in member) return isList || name !== 'error';
    return !isList && name !== 'error' && isOfSums(member);
  });
}

/**
 * @param {Form} form
 * @param {Figure[]} figures of members of the values
 * @returns {Match | undefined}
 */
function forMembers(form, figures) {
  if (figures.some(({ figure }) => figure === 'sumOf')) return undefined;
  const paths = [...new Set(figures.filter(({ figure }) => figure !== 'count').map(({ path }) => valueAt(path)))];
  const isOne = paths.length === 1;
  const answer = writeForm(form, ({ figure, path }) => {
    const at = figure === 'count' ? 0 : paths.indexOf(valueAt(path));
    return isOne ? `value.${figure}` : `value[${at}].${figure}`;
  });
  const emitted = isOne ? paths[0] : `[${paths.join(', ')}]`;
  return {
    ...rewrite('_stats', { ...(emitted === undefined ? {} : { emitted }), answer }),
    steps: [
      '`_stats` returns the sum, count, min, max and sumsqr of numbers, and of arrays of numbers element by element.',
    ],
  };
}

const COUNTED = 'the map emits `null`, or what it emits now';

/**
 * @param {string} builtin
 * @param {{emitted?: string, answer?: string}} parts
 * @returns {Omit<Match, 'steps'>}
 */
function rewrite(builtin, parts) {
  const { emitted, answer } = parts;
  const changes = [
    ...(builtin === '_count' ? [COUNTED] : []),
    ...(emitted === undefined ? [] : [`the map emits \`${emitted}\`, where \`value\` is what it emits now`]),
    ...(answer === undefined ? [] : [`clients read \`${answer}\` instead of \`value\``]),
  ];
  const text = changes.join(', and ');
  return { verdict: 'equalAfterRewrite', builtin, rewrite: { ...parts, text, changesShape: answer !== undefined } };
}

/**
 * @param {Figure[]} figures
 * @returns {Figure[]} each once
 */
function distinct(figures) {
  return [...new Map(figures.map((figure) => [JSON.stringify(figure), figure])).values()];
}

/**
 * @param {Figure} figure
 * @param {Figure[]} figures
 * @returns {number}
 */
function placeOf(figure, figures) {
  const text = JSON.stringify(figure);
  return figures.findIndex((other) => JSON.stringify(other) === text);
}
