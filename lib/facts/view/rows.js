// Facts about maps that emit many rows for a document, or large ones: nested loops, words of texts, documents as keys.

import { namesOf } from '../../javascript/analyse.js';
import { hasWords } from '../../javascript/flow-loops.js';
import { isFunction } from '../../javascript/names.js';
import { memberName } from '../../javascript/parse.js';
import { isMethodOfLanguage } from '../../javascript/query-server.js';
import { alternatives } from '../../javascript/values.js';
import { someNode } from '../../javascript/walk.js';
import { mapFact, sourceItem } from '../function/flow.js';
import { isRunOnce } from '../javascript/loop-exits.js';
import { isInCatch } from '../javascript/required-values.js';

/** @import { AnyNode, Node } from 'acorn' */
/** @import { Followed } from '../function/flow.js' */
/** @import { EmitSite } from '../../javascript/flow.js' */
/** @import { Loop } from '../../javascript/flow-state.js' */
/** @import { Names } from '../../javascript/names.js' */
/** @import { Value } from '../../javascript/values.js' */
/** @import { Extracted, FactDeclaration, Item, ViewSubject } from '../fact.js' */

/** Methods of lists that look for something: their callbacks run until it is found. */
const SEARCHES = new Set(['some', 'every', 'find', 'findIndex', 'findLast', 'sort', 'filter']);

/** A key that is made of more than this is not looked through. */
const DEEPEST_KEY = 8;

/** @type {FactDeclaration<ViewSubject>[]} */
export const viewRowFacts = [
  mapFact('view.emitsInProduct', 'list', {
    meaning:
      'Calls of `emit` in nested loops over arrays of the document, which emit a row for every pair. Loops that search the other array, do not use its element or end after their first row do not count.',
    extract: (followed) => siteItems(followed, (site) => isProduct(loopsOf(site, followed), namesOf(followed.tree))),
  }),
  mapFact('view.emitsOfWords', 'list', {
    meaning:
      'Calls of `emit` in a loop over the words of a string; without loops that end after their first row, or that match each word with a pattern.',
    extract: (followed) => {
      const names = namesOf(followed.tree);
      return siteItems(followed, (site) =>
        loopsOf(site, followed).some((loop) => hasWords(loop.over) && !picksByPattern(loop, site, names)),
      );
    },
  }),
  mapFact('view.emitsDocInKey', 'list', {
    meaning:
      'Calls of `emit` whose key is the document, a copy or its JSON, or an array or object that contains one; not if something has to be thrown first.',
    extract: (followed) =>
      siteItems(followed, ({ node, key }) => {
        const isCaught = node !== undefined && isInCatch(/** @type {AnyNode} */ (node), namesOf(followed.tree));
        return !isCaught && holds(key, ({ kind }) => kind === 'document' || kind === 'copy');
      }),
  }),
  mapFact('view.keyObjects', 'list', {
    meaning: 'Document fields that are part of a key and are objects, as tests of their members before it show.',
    extract: ({ flow, text }) => {
      /** @type {Map<string, Item>} */
      const items = new Map();
      for (const { key, keyNode, pathFacts } of flow.emits) {
        if (!keyNode) continue;
        holds(key, (value) => {
          if (value.kind !== 'path' || !isObject(value.path, pathFacts.present)) return false;
          const { start, end } = keyNode;
          items.set(`${value.path} ${start}`, { value: value.path, place: text.place(start, end), start, end });
          return false;
        });
      }
      return { value: [...items.values()] };
    },
  }),
];

/**
 * @param {Followed} followed
 * @param {(site: EmitSite) => boolean} counts
 * @returns {Extracted} the calls, each once
 */
function siteItems({ flow, text }, counts) {
  /** @type {Set<Node>} */
  const nodes = new Set();
  for (const site of flow.emits) if (site.node && counts(site)) nodes.add(site.node);
  const value = [...nodes].map(({ start, end }) => sourceItem(text, start, end));
  return { value, place: value[0]?.place };
}

/**
 * @param {EmitSite} site
 * @param {Followed} followed
 * @returns {Loop[]} the loops that may give more than one row
 */
function loopsOf({ node, loops }, { tree }) {
  if (!node) return [...loops];
  const names = namesOf(tree);
  return loops.filter((loop) => !isRunOnce(/** @type {AnyNode} */ (loop.node), /** @type {AnyNode} */ (node), names));
}

/**
 * @param {readonly Loop[]} loops the outermost first
 * @param {Names} names
 * @returns {boolean} whether one goes through a whole list of the document for each element of another
 */
function isProduct(loops, names) {
  const lists = loops.map(({ over }) => listPath(over));
  return loops.some(({ node }, at) => {
    const inner = lists[at];
    if (inner === undefined || looksFor(node)) return false;
    const outer = lists.slice(0, at);
    // `doc.lines[i]` with an `i` from elsewhere is another list each time.
    if (containersOf(inner).some((path) => !outer.includes(path))) return false;
    return outer.some(
      (path, position) =>
        path !== undefined &&
        !inner.startsWith(`${path}[]`) &&
        usesElement(/** @type {Loop} */ (loops[position + 1]).node, /** @type {Loop} */ (loops[position]).node, names),
    );
  });
}

/**
 * @param {Node} inner
 * @param {Node} outer
 * @param {Names} names
 * @returns {boolean} whether a loop uses a variable that each turn of the loop around it sets: without one it emits the same rows each time, so
 *   something else picks the element for which it runs
 */
function usesElement(inner, outer, { references }) {
  if (!isIn(inner, outer)) return true;
  const isSetByTurn = (/** @type {Node} */ node) => isIn(node, outer) && !isIn(node, inner);
  return references.some(
    ({ node, binding }) =>
      binding !== undefined &&
      isIn(node, inner) &&
      (binding.declarations.some(isSetByTurn) ||
        binding.references.some((other) => other.writes && isSetByTurn(other.node))),
  );
}

/** @param {Node} node @param {Node} other @returns {boolean} */
function isIn(node, other) {
  return node.start >= other.start && node.end <= other.end;
}

/**
 * @param {Loop} loop
 * @param {EmitSite} site in it
 * @param {Names} names
 * @returns {boolean} whether what it does with a word matches it with a pattern: then it looks for a few words, or for parts of them
 */
function picksByPattern({ node: loop }, { node }, { parents }) {
  let at = /** @type {AnyNode | undefined} */ (node);
  while (at && at !== loop && !isFunction(at)) at = parents.get(at);
  // The body of the loop, its callback, or a function that either calls.
  const body = at === loop ? /** @type {{body?: AnyNode}} */ (loop).body : at;
  if (!body || isIn(loop, body)) return false;
  return someNode(body, (part) => {
    if (part.type !== 'CallExpression' || part.callee.type !== 'MemberExpression') return false;
    return /^(?:match|exec)$/.test(memberName(part.callee) ?? '');
  });
}

/**
 * @param {Value} over
 * @returns {string | undefined} `doc.lines` for that list and for what was picked out of it
 */
function listPath(over) {
  const [only, ...others] = alternatives(over).filter(
    (value) => !(value.kind === 'array' && value.items.length === 0) && value.kind !== 'constant',
  );
  if (!only || others.length > 0) return undefined;
  if (only.kind === 'path') return only.path.startsWith('doc.') ? only.path : undefined;
  const [item] = only.kind === 'array' && only.items.length === 1 ? only.items : [];
  return item?.kind === 'path' && /^doc\..*\[\]$/.test(item.path) ? item.path.slice(0, -2) : undefined;
}

/**
 * @param {string} path `doc.orders[].lines`
 * @returns {string[]} `doc.orders`
 */
function containersOf(path) {
  const parts = path.split('[]');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('[]'));
}

/**
 * @param {Node} loop
 * @returns {boolean} whether it may look for the elements that fit: it compares things, looks up a position, or breaks off
 */
function looksFor(loop) {
  return someNode(/** @type {AnyNode} */ (loop), (node) => {
    if (node.type === 'BreakStatement') return true;
    if (node.type === 'BinaryExpression')
      return /^===?$/.test(node.operator) && node.left.type !== 'Literal' && node.right.type !== 'Literal';
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
    const { property } = node.callee;
    return (
      property.type === 'Identifier' &&
      (SEARCHES.has(property.name) || /^(?:indexOf|includes|has)$/.test(property.name))
    );
  });
}

/**
 * @param {Value} value
 * @param {(value: Value) => boolean} fits
 * @param {number} [depth]
 * @returns {boolean} whether it, or something in it, fits for certain: of several values it may be, none counts
 */
function holds(value, fits, depth = 0) {
  if (fits(value)) return true;
  if (depth >= DEEPEST_KEY) return false;
  if (value.kind === 'array') return value.items.some((item) => holds(item, fits, depth + 1));
  return value.kind === 'object' && [...value.members.values()].some((item) => holds(item, fits, depth + 1));
}

/**
 * @param {string} path
 * @param {ReadonlySet<string>} present paths that are there
 * @returns {boolean} whether one of them is a member of the path that neither texts nor lists have
 */
function isObject(path, present) {
  const start = `${path}.`;
  for (const other of present) {
    if (!other.startsWith(start)) continue;
    const [name = ''] = other.slice(start.length).split(/[.[]/);
    if (name !== '' && name !== 'length' && !/^\d+$/.test(name) && !isMethodOfLanguage(name)) return true;
  }
  return false;
}
