// Facts about views whose maps are the same: in one design document, and in several.

import { namesOf, parsed } from '../../javascript/analyse.js';
import { factsOf } from '../fact.js';
import { normalHash, quickHash } from '../javascript/normal-hash.js';
import { sameValue } from '../javascript/same-node.js';

/** @import { DeclareFact, FactDeclaration, ViewSubject } from '../fact.js' */
/** @import { FunctionNode, ParsedFunction } from '../../javascript/parse.js' */

/** @type {DeclareFact<ViewSubject>} */
const viewFact = factsOf({ subject: 'view', sources: ['design-docs'] });

/** @type {FactDeclaration<ViewSubject>[]} */
export const viewDuplicateFacts = [
  viewFact('view.duplicateInDocument', 'list', {
    meaning:
      'Earlier views of the design document whose maps differ from this one only in whitespace, comments or variable names.',
    phrases: '{value} has the same map',
    extract: (view) => {
      const unread = readMap(view.map);
      if ('unknown' in unread) return unread;
      const { views } = view.parent;
      const twins = views
        .slice(0, views.indexOf(view))
        .filter((other) => other.map?.text.text !== view.map?.text.text && areTwins(view, other));
      return { value: twins.map((other) => ({ value: other.name, place: other.place })) };
    },
  }),
  viewFact('view.duplicateElsewhere', 'list', {
    meaning:
      'Views of earlier design documents of the same dump or folder whose maps differ only in whitespace, comments or variable names.',
    phrases: '{value} has the same map',
    extract: (view) => {
      const unread = readMap(view.map);
      if ('unknown' in unread) return unread;
      const alike = viewsLike(view);
      const earlier = alike.slice(0, alike.indexOf(view)).filter((other) => {
        const areApart = other.parent !== view.parent && other.parent.record.group === view.parent.record.group;
        return (
          areApart &&
          other.parent.record.id !== view.parent.record.id &&
          areTwins(view, other) &&
          sameSurroundings(other, view)
        );
      });
      return { value: earlier.map((other) => ({ value: `${other.parent.name}/${other.name}`, place: other.place })) };
    },
  }),
  viewFact('view.duplicateIsSameDatabase', 'boolean', {
    basis: 'declared',
    meaning: 'Whether the design documents are known to be in one database, like those of one dump.',
    phrases: ['both are in one database', 'they may be in different databases'],
    extract: (view) => ({ value: view.parent.record.sameDatabase }),
  }),
];

/**
 * @param {ViewSubject['map']} map
 * @returns {ParsedFunction & {fn: FunctionNode} | {unknown: string}}
 */
function readMap(map) {
  const tree = map && parsed(map);
  if (!tree?.ok || !tree.fn) return { unknown: 'the view has no map that parses as a function' };
  // What stands beside the function is not compared.
  if (tree.shape !== 'expression' && tree.shape !== 'named')
    return { unknown: 'the text has other code beside the map' };
  return { ...tree, fn: tree.fn };
}

/** Maps of one quick look are compared again and again. @type {WeakMap<object, string | {unknown: string}>} */
const hashes = new WeakMap();

/**
 * @param {ViewSubject['map']} map
 * @returns {string | {unknown: string}}
 */
function hashOf(map) {
  const known = map && hashes.get(map);
  if (known !== undefined) return known;
  const tree = readMap(map);
  const hash = 'unknown' in tree ? tree : (normalHash(tree.fn) ?? { unknown: 'the map is nested too deeply' });
  if (map) hashes.set(map, hash);
  return hash;
}

/** What was looked at so far. @type {WeakMap<ViewSubject, number | undefined>} */
const quickHashes = new WeakMap();

/**
 * @param {ViewSubject} view
 * @returns {number | undefined} the same for views whose maps are the same; undefined where there is nothing to compare
 */
function quickHashOf(view) {
  if (quickHashes.has(view)) return quickHashes.get(view);
  const tree = view.map && parsed(view.map);
  const hash = tree?.ok && tree.fn ? quickHash(tree.fn, namesOf(tree).nodes) : undefined;
  quickHashes.set(view, hash);
  return hash;
}

/** Views of a run by their quick hashes, as far as was looked. @type {WeakMap<object, {views: Map<number, ViewSubject[]>, next: number}>} */
const viewsOfRuns = new WeakMap();

/**
 * @param {ViewSubject} view
 * @returns {ViewSubject[]} the views of the run up to this one, and perhaps later ones, that may be its twins, in order
 */
function viewsLike(view) {
  const run = view.parent.parent;
  const known = viewsOfRuns.get(run) ?? { views: new Map(), next: 0 };
  viewsOfRuns.set(run, known);
  // Only earlier views are compared: going along with the run, each map is parsed once.
  for (let isReached = false; !isReached && known.next < run.subjects.length; known.next += 1) {
    const subject = run.subjects[known.next];
    isReached = subject === view;
    const hash = subject?.kind === 'view' ? quickHashOf(subject) : undefined;
    if (subject?.kind !== 'view' || hash === undefined) continue;
    const alike = known.views.get(hash);
    if (alike) alike.push(subject);
    else known.views.set(hash, [subject]);
  }
  return known.views.get(quickHashOf(view) ?? Number.NaN) ?? [];
}

/**
 * @param {ViewSubject} first
 * @param {ViewSubject} second
 * @returns {boolean} whether their maps and options, which make the index, are the same
 */
function areTwins(first, second) {
  if (quickHashOf(first) !== quickHashOf(second) || !sameOptions(first, second)) return false;
  const hash = hashOf(first.map);
  return typeof hash === 'string' && hash === hashOf(second.map);
}

/**
 * @param {ViewSubject} first
 * @param {ViewSubject} second
 * @returns {boolean} whether their `options`, which belong to the index, are equal
 */
function sameOptions(first, second) {
  return sameValue(first.node, second.node, 'options');
}

/**
 * @param {ViewSubject} first
 * @param {ViewSubject} second
 * @returns {boolean} whether their documents have the same language, options and modules
 */
function sameSurroundings(first, second) {
  if (first.parent.language !== second.parent.language) return false;
  const [one, two] = [first.parent.record.node, second.parent.record.node];
  const views = /** @param {typeof one} node */ (node) =>
    node.entries.findLast((entry) => entry.key === 'views')?.node ?? node;
  return sameValue(one, two, 'options') && sameValue(views(one), views(two), 'lib');
}
