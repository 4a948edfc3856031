// Finds the names of views in the text of an application, without parsing it and whatever the receiver is: evidence that a view is used, never a call.

import { CLIENT_WORDS } from '../../clients/index.js';

/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { ViewMention } from './record.js' */

/** A part of a URL, as people write names of views and design documents. */
const NAME = String.raw`[\w.~%:@-]+`;

/** `/shop/_design/orders/_view/by_status?limit=10`. What stands behind the name shows whether more is appended to it. */
const URL_OF_VIEW = new RegExp(String.raw`(?:_design\/(${NAME})\/)?_view\/(${NAME})?(\$\{|['"\`]\s*\+)?`, 'g');

/** `_design/orders/_list/table/by_status`, and with the design document of the view before its name. */
const URL_OF_LIST = new RegExp(String.raw`(?:_design\/(${NAME})\/)?_list\/${NAME}\/(${NAME})(?:\/(${NAME}))?`, 'g');

/** `'orders/by_status'` */
const PATH = new RegExp(String.raw`(['"\`])(?:_design\/)?(${NAME})\/(${NAME})\1`, 'g');

/** `'orders', 'by_status'`: the second string may be the first of another pair. */
const PAIR = new RegExp(String.raw`(['"\`])(?:_design\/)?(${NAME})\1\s*,\s*(?=(['"\`])(${NAME})\3)`, 'g');

const CALL = /\.\s*(view|viewAsStream|viewWithList|partitionedView|query)\s*(?:<[^()<>]*>\s*)?\(/g;

/** Files without any of these have other things that can be viewed and queried. */
const COUCHDB = /couch|ddoc|designDoc/i;

/** Characters of the arguments that are looked at. */
const MAX_ARGUMENTS = 400;

/**
 * @param {Iterable<SourceFile>} files
 * @returns {ViewMention[]} each name once, with the first place that has it in front
 */
export function findMentions(files) {
  /** @type {Map<string, ViewMention>} */
  const found = new Map();
  for (const file of files) {
    for (const mention of mentionsIn(file)) {
      const key = JSON.stringify([mention.designDoc, mention.view]);
      const known = found.get(key);
      if (known) known.again.push(mention);
      else found.set(key, { ...mention, again: [] });
    }
  }
  return [...found.values()];
}

/**
 * @param {SourceFile} file
 * @returns {Generator<Omit<ViewMention, 'again'>>}
 */
function* mentionsIn(file) {
  const { text } = file;
  const at = (/** @type {RegExpExecArray} */ { index, 0: whole }) => ({
    file,
    start: index,
    end: index + whole.length,
  });
  for (const match of text.matchAll(URL_OF_VIEW)) {
    const [, designDoc = '*', view = '', more] = match;
    yield { designDoc, view: more || view === '' ? `${view}*` : view, ...at(match) };
  }
  for (const match of text.matchAll(URL_OF_LIST)) {
    const [, own = '*', first = '', second] = match;
    yield {
      ...(second === undefined ? { designDoc: own, view: first } : { designDoc: first, view: second }),
      ...at(match),
    };
  }
  for (const match of text.matchAll(PATH)) {
    yield { designDoc: match[2] ?? '', view: match[3] ?? '', ...at(match) };
  }
  for (const match of text.matchAll(PAIR)) {
    yield { designDoc: match[2] ?? '', view: match[4] ?? '', ...at(match) };
  }
  if (!COUCHDB.test(text) && !CLIENT_WORDS.test(text)) return;
  for (const match of text.matchAll(CALL)) {
    const written = argumentsFrom(text, match.index + match[0].length);
    const queried = queriedBy(match[1] ?? '', written.map(patternOf), written);
    if (queried) yield { ...queried, ...at(match) };
  }
}

/**
 * @param {string} method
 * @param {string[]} patterns of its arguments
 * @param {string[]} written
 * @returns {Pick<ViewMention, 'designDoc' | 'view'> | undefined}
 */
function queriedBy(method, patterns, written) {
  const [first, second] = method === 'partitionedView' ? patterns.slice(1) : patterns;
  if (first === undefined || first === '' || /^[{[(]|^(?:async|function)\b|=>/.test(written[0] ?? '')) return undefined;
  const isPath =
    method === 'query' || first.includes('/') || second === undefined || /^(?:[{(]|function\b)/.test(written[1] ?? '');
  if (!isPath) return { designDoc: first.replace(/^_design\//, ''), view: second };
  // Of one name alone it is not known what it is for.
  if (first === '*') return method === 'query' || second === undefined ? undefined : { designDoc: '*', view: '*' };
  const [designDoc = '', view] = first.replace(/^_design\//, '').split('/');
  // PouchDB and cradle take `orders` for `orders/orders`.
  return { designDoc, view: view ?? (designDoc.includes('*') ? '*' : designDoc) };
}

/**
 * @param {string} text
 * @param {number} start behind the parenthesis
 * @returns {string[]} the first arguments as they are written, none longer than what is looked at
 */
function argumentsFrom(text, start) {
  const found = [];
  let depth = 0;
  let from = start;
  const end = Math.min(text.length, start + MAX_ARGUMENTS);
  for (let at = start; at < end && found.length < 3; at += 1) {
    const letter = text[at];
    if (letter === "'" || letter === '"' || letter === '`') {
      const close = text.indexOf(letter, at + 1);
      if (close === -1) return found;
      at = close;
    } else if (letter === '(' || letter === '[' || letter === '{') depth += 1;
    else if (depth === 0 && (letter === ',' || letter === ')')) {
      found.push(text.slice(from, at).trim());
      from = at + 1;
      if (letter === ')') return found;
    } else if (letter === ')' || letter === ']' || letter === '}') depth -= 1;
  }
  return found;
}

/**
 * @param {string} expression
 * @returns {string} the strings in it, with `*` for what only running would show: `'by_' + field` is `by_*`
 */
function patternOf(expression) {
  let pattern = '';
  for (const [token] of expression.matchAll(/'[^'\n]*'|"[^"\n]*"|`[^`]*`|[^'"`]+/g)) {
    if (/^['"`]/.test(token)) pattern += token.slice(1, -1).replace(/\$\{[^}]*\}/g, '*');
    else if (!/^\s*\+?\s*$/.test(token)) pattern += '*';
  }
  return pattern.replace(/\*+/g, '*');
}
