// Names a query pattern: in one word for tables, and as a phrase for reports.

import { joinWords } from './join-words.js';

/**
 * @typedef {object} NamedQuery
 * @property {string} method
 * @property {string | null} database
 * @property {string} endpoint
 * @property {string} [designDoc]
 * @property {string} [view]
 * @property {string} [function]
 * @property {string[]} parameters
 * @property {boolean} [replication]
 */

/**
 * @param {NamedQuery} shape
 * @returns {string} `GET shop/_design/orders/_view/by_status?include_docs=true&key`; raw, to be escaped by the caller that shows it
 */
export function nameOf({ method, database, endpoint, designDoc, view, function: name, parameters, replication }) {
  const places = [database ?? '', designDoc ?? ''].filter((part) => part !== '');
  if (!(endpoint === 'database' || endpoint === '_design'))
    places.push(endpoint === 'document' ? '{document}' : endpoint === 'attachment' ? '{attachment}' : endpoint);
  places.push(...[name ?? '', view ?? ''].filter((part) => part !== ''));
  const query = parameters.length > 0 ? `?${parameters.join('&')}` : '';
  return `${method} ${places.join('/')}${query}${replication ? ' (replication)' : ''}`;
}

/** How operators of Mango stand between a field and its value; others stand there under their own name. @type {Record<string, string>} */
const COMPARISONS = {
  eq: '= …',
  ne: '!= …',
  gt: '> …',
  gte: '>= …',
  lt: '< …',
  lte: '<= …',
  in: 'in […]',
  nin: 'not in […]',
  exists: 'exists',
  missing: 'is missing',
  regex: 'matches …',
  beginsWith: 'begins with …',
};

/**
 * @param {string} name as {@link nameOf} gives it
 * @returns {string} `POST shop/_find with customer = … and total > …, sort by date desc, limit`; raw, and nothing in it is long without a space but
 *   what is long in the name
 */
export function wordQuery(name) {
  const [, target = name, list, end = ''] = /^([^?]*)\?(.*?)( \(replication\))?$/.exec(name) ?? [];
  const parts = (list ?? '').split('&').flatMap((pair) => (pair === '' ? [] : wordParameter(pair)));
  // The conditions come first, whatever the order of their names is.
  const [first, ...rest] = [...parts.filter(({ isFirst }) => isFirst), ...parts.filter(({ isFirst }) => !isFirst)];
  return first ? `${target} with ${[first, ...rest].map(({ text }) => text).join(', ')}${end}` : name;
}

/**
 * @param {string} pair `find.sort=-date`, `limit`
 * @returns {{text: string, isFirst?: boolean}[]} none where it is no part of the query
 */
function wordParameter(pair) {
  const at = pair.indexOf('=');
  const [key, value] = at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
  const names = value.split(',');
  switch (key) {
    case 'find.selector':
      return [{ text: wordSelector(value), isFirst: true }];
    case 'find.sort':
      return [
        {
          text: `sort by ${joinWords(names.map((one) => (one.startsWith('-') ? `${one.slice(1)} desc` : one)))}`,
        },
      ];
    case 'find.fields':
      return [{ text: value === '?' ? 'many fields' : `fields ${joinWords(names)}` }];
    case 'find.use_index':
      return [{ text: `use_index ${value}` }];
    case 'find.no_fallback':
      return [{ text: 'allow_fallback=false' }];
    case 'find.hint_taken':
      return [];
    default:
      return [{ text: pair.replace(/^find\./, '') }];
  }
}

/**
 * @param {string} selector `customer:eq,date:gte`, `*:or` for what joins others
 * @returns {string}
 */
function wordSelector(selector) {
  if (selector === 'none') return 'an empty selector';
  if (selector === '?') return 'a large selector';
  const conditions = selector.split(',').map((condition) => {
    const colon = condition.lastIndexOf(':');
    const [field, operator] = [condition.slice(0, colon), condition.slice(colon + 1)];
    const comparison = Object.hasOwn(COMPARISONS, operator) ? COMPARISONS[operator] : `$${operator}`;
    return field === '*' ? `$${operator}` : `${field} ${comparison}`;
  });
  return joinWords(conditions);
}
