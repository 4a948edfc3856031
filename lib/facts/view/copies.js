// Facts about views that keep copies of documents: which of their rows do, and which other views of the design document
// may keep copies of the same documents.

import { namesOf } from '../../javascript/analyse.js';
import { bindingAt } from '../../javascript/names.js';
import { alternatives } from '../../javascript/values.js';
import { remember } from '../../shared/recent-memory.js';
import { factsOf } from '../fact.js';
import { follow, mapFact } from '../function/flow.js';
import { treeOf } from '../index-groups/index-groups.js';
import { excludeEachOther, ID, isInCatch, NOTHING_REQUIRED, requiredValues } from '../javascript/required-values.js';
import { testedNames } from '../javascript/tested-names.js';
import { basisOf, isDocument, placeOfValue, unknownValue } from './map.js';

/** @import { AnyNode } from 'acorn' */
/** @import { Followed } from '../function/flow.js' */
/** @import { EmitSite } from '../../javascript/flow.js' */
/** @import { Required } from '../javascript/required-values.js' */
/** @import { DeclareFact, DesignDocSubject, FactDeclaration, ViewSubject } from '../fact.js' */

/** @typedef {{site: EmitSite, required: Required, tested: ReadonlySet<string>}} Copying an `emit` with the document as value, what it requires
 *  of the document, and which fields it tests */

/** @type {DeclareFact<ViewSubject>} */
const viewFact = factsOf({ subject: 'view', sources: ['design-docs'] });

/** @type {FactDeclaration<ViewSubject>[]} */
export const viewCopyFacts = [
  mapFact('view.copiesDocs', 'boolean', {
    meaning:
      'Whether the map emits documents as values; not if it does so only for one id, or only after something was thrown.',
    phrases: ['the whole document is emitted here', 'no whole document is emitted'],
    extract: (followed) => {
      const [first] = copyingSites(followed);
      if (first) return { value: true, place: placeOfValue(first.site, followed.text), basis: basisOf(first.site) };
      return unknownValue(followed.flow) ?? { value: false };
    },
  }),
  viewFact('view.otherCopies', 'list', {
    meaning:
      'Other views of the design document that emit documents as values and seem to emit the same ones: both test the same field, or one of them tests nothing. Without views that share the B-tree of this one, and views whose tests no document of this one passes.',
    phrases: '{value} emits the same documents',
    extract: (view) => {
      const copies = copiesIn(view.parent);
      const own = copies.get(view) ?? [];
      const trees = new Set([treeOf(view)]);
      /** @type {ViewSubject[]} */
      const others = [];
      for (const [other, sites] of copies) {
        const mayShare = sites.some((site) => own.some((one) => seemToShare(one, site)));
        if (!mayShare || trees.has(treeOf(other))) continue;
        trees.add(treeOf(other));
        others.push(other);
      }
      return { value: others.map(({ name, place }) => ({ value: name, place })) };
    },
  }),
];

/** @type {ReadonlySet<string>} */
const NOTHING_TESTED = new Set();

/**
 * @param {Copying} one
 * @param {Copying} other
 * @returns {boolean} whether the code gives reason to think that both emit the same documents
 */
function seemToShare(one, other) {
  if (excludeEachOther(one.required, other.required)) return false;
  if (one.tested.size === 0 || other.tested.size === 0) return true;
  return [...one.tested].some((name) => other.tested.has(name));
}

/** Views that copy documents. */
const copiesIn = remember((/** @type {DesignDocSubject} */ designDoc) => {
  /** @type {Map<ViewSubject, Copying[]>} */
  const copies = new Map();
  for (const view of designDoc.views) {
    const followed = view.map && follow(view.map, ['doc']);
    const sites = followed && !('unknown' in followed) ? copyingSites(followed) : [];
    if (sites.length > 0) copies.set(view, sites);
  }
  return copies;
});

/**
 * @param {Followed} followed
 * @returns {Copying[]}
 */
function copyingSites({ tree, fn, flow }) {
  const names = namesOf(tree);
  const [parameter] = fn.params;
  const doc = parameter?.type === 'Identifier' ? bindingAt(parameter, names) : undefined;
  const isKept = doc?.references.every(({ writes }) => !writes);
  return flow.emits.flatMap((site) => {
    if (!alternatives(site.value).some(isDocument)) return [];
    const node = /** @type {AnyNode | undefined} */ (site.node);
    if (!node || !doc || !isKept) return [{ site, required: NOTHING_REQUIRED, tested: NOTHING_TESTED }];
    if (isInCatch(node, names)) return [];
    const required = requiredValues(node, { names, doc });
    if (required.get(ID)?.size === 1) return [];
    return [{ site, required, tested: testedNames(node, { names, doc }) }];
  });
}
