// The figures that a reduce gives of its rows in, what the map could emit so that a built-in gives them out, with what is
// left to who reads the answer.

import { figuresIn } from './forms.js';
import { tellAddend, tellForm, valueAt, writeForm } from './tell-form.js';

/** @import { Match } from './claims.js' */
/** @import { Figure, Form } from './forms.js' */

/** More figures than these are no answer that people read. */
const MOST_FIGURES = 20;

const SAME = 'what it emits now';

/**
 * @param {Form} form the same in both passes
 * @returns {Match | undefined}
 */
export function rewriteFor(form) {
  const figures = distinct(figuresIn(form));
  if (figures.length === 0) return forConstant(form);
  if (figures.length > MOST_FIGURES) return undefined;
  if (figures.every(({ figure }) => figure === 'count')) {
    return {
      ...rewrite(
        '_count',
        'null, or what it emits now',
        readAs(form, () => 'value'),
      ),
      steps: ['`_count` counts rows and looks at no value.'],
    };
  }
  const isOfValues = figures.every(({ figure, path }) => figure !== 'sumOf' && path.length === 0);
  if (isOfValues) {
    const [only] = figures;
    if (figures.length === 1 && only?.figure === 'sum') {
      return {
        ...rewrite(
          '_sum',
          SAME,
          readAs(form, () => 'value'),
        ),
        steps: ['`_sum` answers the sum of the values alone.'],
      };
    }
    const client = readAs(form, ({ figure }) => `value.${figure}`);
    return {
      ...rewrite('_stats', SAME, client),
      steps: ['`_stats` answers the sum, count, min, max and sumsqr of numbers.'],
    };
  }
  if (figures.every(({ figure }) => figure === 'sum' || figure === 'sumOf' || figure === 'count')) {
    return forSums(form, figures);
  }
  return forMembers(form, figures);
}

/**
 * @param {Form} form
 * @returns {Match}
 */
function forConstant(form) {
  return {
    verdict: 'equalAfterRewrite',
    builtin: '_count',
    rewrite: {
      map: 'null, or what it emits now',
      client: `the client asks with group=true, reads the keys and passes over the values, which were ${tellForm(form)} in every row`,
      changesShape: true,
    },
    steps: [
      'It says nothing of the rows: it lists the distinct keys of a grouped query, as every reduce does.',
      'Where nobody asks for distinct keys no reduce is needed.',
    ],
  };
}

/**
 * @param {Form} form
 * @param {Figure[]} figures sums of several members, or of what is worked out of the values
 * @returns {Match}
 */
function forSums(form, figures) {
  const steps = ['`_sum` adds numbers, lists place by place and objects member by member.'];
  const isOfSums = 'shape' in form && form.members.length > 0 && form.members.every(([, member]) => 'figure' in member);
  if ('figure' in form || isOfSums) {
    return { ...rewrite('_sum', `\`${writeForm(form, tellAddend)}\` of its \`value\``, ''), steps };
  }
  const list = `\`[${figures.map(tellAddend).join(', ')}]\` of its \`value\``;
  const client = readAs(form, (figure) => (figures.length === 1 ? 'value' : `value[${placeOf(figure, figures)}]`));
  const [only] = figures;
  return {
    ...rewrite('_sum', figures.length === 1 && only ? `\`${tellAddend(only)}\` of its \`value\`` : list, client),
    steps,
  };
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
  const client = readAs(form, ({ figure, path }) => {
    const at = figure === 'count' ? 0 : paths.indexOf(valueAt(path));
    return isOne ? `value.${figure}` : `value[${at}].${figure}`;
  });
  const map = `\`${isOne ? paths[0] : `[${paths.join(', ')}]`}\` of its \`value\``;
  return {
    ...rewrite('_stats', map, client),
    steps: ['`_stats` answers the sum, count, min, max and sumsqr of numbers, and of lists of numbers place by place.'],
  };
}

/**
 * @param {string} builtin
 * @param {string} map
 * @param {string} client empty where answers stay as they are
 * @returns {Omit<Match, 'steps'>}
 */
function rewrite(builtin, map, client) {
  return { verdict: 'equalAfterRewrite', builtin, rewrite: { map, client, changesShape: client !== '' } };
}

/**
 * @param {Form} form
 * @param {(figure: Figure) => string} read
 * @returns {string}
 */
function readAs(form, read) {
  return `the client reads \`${writeForm(form, read)}\` where it reads \`value\` now`;
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
