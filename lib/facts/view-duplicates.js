// Facts about views whose maps are the same: in one design document, and in several.

import { isKnown } from './fact.js';
import { parsed } from './javascript/analyse.js';
import { normalHash } from './javascript/normal-hash.js';
import { sameValue } from './javascript/same-node.js';

/** @import { FactDeclaration, ViewSubject } from './fact.js' */

/** @type {FactDeclaration<ViewSubject>[]} */
export const viewDuplicateFacts = [
  {
    id: 'view.mapHash',
    type: 'text',
    subject: 'view',
    sources: ['design-docs'],
    meaning: 'The same for maps that differ only in spelling.',
    extract: ({ map }) => {
      const tree = map && parsed(map);
      if (!tree?.ok || !tree.fn) return { unknown: 'the view has no map that parses as a function' };
      // What stands beside the function is not compared.
      if (tree.shape !== 'expression' && tree.shape !== 'named') return { unknown: 'other code stands beside the map' };
      const hash = normalHash(tree.fn);
      return hash === undefined ? { unknown: 'the map is nested too deeply' } : { value: hash };
    },
  },
  {
    id: 'view.duplicateInDocument',
    type: 'list',
    subject: 'view',
    sources: ['design-docs'],
    meaning:
      'Earlier views of the design document whose maps differ from this one only in spelling, and so get an index of their own.',
    extract: (view, ask) => {
      const hash = ask(view, 'view.mapHash');
      if (!isKnown(hash)) return { unknown: hash.unknown };
      const { views } = view.parent;
      const twins = views.slice(0, views.indexOf(view)).filter((other) => {
        if (other.map?.text.text === view.map?.text.text || !sameOptions(other, view)) return false;
        const otherHash = ask(other, 'view.mapHash');
        return isKnown(otherHash) && otherHash.value === hash.value;
      });
      return { value: twins.map((other) => ({ value: other.name, place: other.place })) };
    },
  },
  {
    id: 'view.duplicateElsewhere',
    type: 'list',
    subject: 'view',
    sources: ['design-docs'],
    meaning: 'Views of earlier design documents of the same dump or folder whose maps are the same but for spelling.',
    extract: (view, ask) => {
      const hash = ask(view, 'view.mapHash');
      if (!isKnown(hash)) return { unknown: hash.unknown };
      const twins = viewsByHash(view, ask).get(String(hash.value)) ?? [];
      const earlier = twins.slice(0, twins.indexOf(view)).filter((other) => {
        const areApart = other.parent !== view.parent && other.parent.record.group === view.parent.record.group;
        return (
          areApart &&
          other.parent.record.id !== view.parent.record.id &&
          sameOptions(other, view) &&
          sameSurroundings(other, view)
        );
      });
      return { value: earlier.map((other) => ({ value: `${other.parent.name}/${other.name}`, place: other.place })) };
    },
  },
  {
    id: 'view.duplicateIsSameDatabase',
    type: 'boolean',
    subject: 'view',
    sources: ['design-docs'],
    basis: 'declared',
    meaning: 'Whether the documents of the same group are known to live in one database, as those of one dump are.',
    extract: (view) => ({ value: view.parent.record.sameDatabase }),
  },
];

/** What was hashed of a run so far, in the order of its subjects. @type {WeakMap<object, {hashes: Map<string, ViewSubject[]>, next: number}>} */
const hashesOfRuns = new WeakMap();

/**
 * @param {ViewSubject} view
 * @param {import('./fact.js').Ask} ask
 * @returns {Map<string, ViewSubject[]>} the views of the run up to this one, and perhaps later ones, by the hash of their
 *   maps, in order
 */
function viewsByHash(view, ask) {
  const run = view.parent.parent;
  const known = hashesOfRuns.get(run) ?? { hashes: new Map(), next: 0 };
  hashesOfRuns.set(run, known);
  const { hashes } = known;
  // Only earlier views are asked for: going along with the run, each map is parsed once.
  for (; known.next < run.subjects.length; known.next += 1) {
    const subject = run.subjects[known.next];
    if (subject?.kind === 'view') {
      const hash = ask(subject, 'view.mapHash');
      const list = isKnown(hash) ? (hashes.get(String(hash.value)) ?? []) : undefined;
      list?.push(subject);
      if (list && isKnown(hash)) hashes.set(String(hash.value), list);
    }
    if (subject === view) {
      known.next += 1;
      break;
    }
  }
  return hashes;
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
