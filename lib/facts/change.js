// Facts about a design document compared with its deployed version: which indexes a deploy discards.

import { parsed } from '../javascript/analyse.js';
import { remember } from '../shared/recent-memory.js';
import { factsOf } from './fact.js';
import { changedParts, compareIndexes } from './index-groups/compare-versions.js';
import { normalHash } from './javascript/normal-hash.js';
import { sameValue } from './javascript/same-node.js';

/** @import { ChangeSubject, DeclareFact, FactDeclaration, FunctionSubject, Item, ViewSubject } from './fact.js' */
/** @import { IndexChange } from './index-groups/compare-versions.js' */

/** 10 million documents take 4 hours in CouchDB's own example (best-practices/views.rst, 3.5.2): about 700 a second. */
const SMALL_DATABASE = 50_000;

/** The indexes that the change makes CouchDB rebuild. */
const rebuiltOf = remember((/** @type {ChangeSubject} */ { record }) =>
  compareIndexes(record.before, record.after).filter(({ fate }) => fate === 'rebuilt'),
);

/** @type {DeclareFact<ChangeSubject>} */
const changeFact = factsOf({ subject: 'change', sources: ['design-docs', 'deployed'], basis: 'declared' });

/** @type {FactDeclaration<ChangeSubject>[]} */
export const changeFacts = [
  changeFact('change.rebuilt', 'list', {
    meaning: 'The indexes of the document whose signature changes, so that CouchDB rebuilds them.',
    extract: (subject) => {
      const place = placeOfChange(subject);
      const value = rebuiltOf(subject).map((change) => ({ ...nameOf(change), ...(place ? { place } : {}) }));
      return { value, place };
    },
  }),
  changeFact('change.isSameCode', 'boolean', {
    meaning: 'Whether the two versions differ only in whitespace, comments or variable names.',
    phrases: ['only the spelling changes', 'the code changes'],
    extract: (subject) => {
      if (rebuiltOf(subject).some(({ after }) => after?.kind !== 'views')) return { value: false };
      const isSame = sameViews(subject);
      return typeof isSame === 'boolean' ? { value: isSame, place: placeOfChange(subject) } : isSame;
    },
    basis: 'inferred',
  }),
  changeFact('change.changedViews', 'list', {
    meaning: 'Views that were added, removed or changed.',
    extract: (subject) => ({ value: viewItems(subject) }),
  }),
  changeFact('change.unchangedViews', 'list', {
    meaning: 'Unchanged views whose index is rebuilt with the others.',
    extract: (subject) => {
      const views = rebuiltOf(subject).find(({ after }) => after?.kind === 'views');
      const changed = new Set(viewItems(subject).map(({ value }) => value));
      const others = views?.after?.views.filter((name) => !changed.has(name)) ?? [];
      return { value: others.map((value) => ({ value })), place: placeOfChange(subject) };
    },
  }),
  changeFact('change.isSmallDatabase', 'boolean', {
    sources: ['settings'],
    meaning:
      'Whether the database is known to have fewer than 50,000 documents, which CouchDB indexes in about a minute.',
    phrases: ['the database is small', 'the database is not small'],
    extract: ({ record: { documents } }) => ({ value: documents !== undefined && documents < SMALL_DATABASE }),
  }),
];

/** @param {IndexChange} change @returns {Item} */
function nameOf({ after }) {
  return after?.kind === 'views' ? { value: 'its views', isProse: true } : { value: after?.name ?? '' };
}

/** @param {ChangeSubject} subject @returns {Item[]} */
function viewItems({ record }) {
  return changedParts(record.before, record.after)
    .filter(({ path }) => path.startsWith('views.') && path !== 'views.lib')
    .map(({ path, change, place }) => ({
      value: path.slice('views.'.length),
      ...(change === 'removed' ? {} : { place }),
    }));
}

/** @param {ChangeSubject} subject @returns {import('../shared/source-file.js').Place | undefined} of the first part that an index depends on */
function placeOfChange({ record }) {
  const parts = changedParts(record.before, record.after).filter(({ change }) => change !== 'removed');
  return parts.find(({ path }) => /^(?:views|language|options|indexes|nouveau)\b/.test(path))?.place;
}

/**
 * @param {ChangeSubject} subject
 * @returns {boolean | {unknown: string}}
 */
function sameViews({ before, after }) {
  const [old, current] = [before.record.node, after.record.node];
  if (before.language !== after.language || !sameValue(old, current, 'options')) return false;
  if (before.views.length !== after.views.length || !sameLibraries(before, after)) return false;
  for (const view of after.views) {
    const earlier = before.views.find(({ name }) => name === view.name);
    if (!earlier) return false;
    const isSame = sameView(earlier, view);
    if (isSame !== true) return isSame;
  }
  return true;
}

/**
 * @param {ViewSubject} before
 * @param {ViewSubject} after
 * @returns {boolean | {unknown: string}}
 */
function sameView(before, after) {
  if (!sameValue(before.node, after.node, 'options')) return false;
  for (const role of /** @type {const} */ (['map', 'reduce'])) {
    if (sameValue(before.node, after.node, role)) continue;
    const [first, second] = [before[role], after[role]];
    if (!first || !second) return false;
    const [a, b] = [hashOf(first), hashOf(second)];
    if (a === undefined || b === undefined)
      return { unknown: `the ${role} of ${after.name} does not parse as a function` };
    if (a !== b) return false;
  }
  return true;
}

/** @param {ChangeSubject['before']} before @param {ChangeSubject['after']} after @returns {boolean} */
function sameLibraries(before, after) {
  const [old, current] = [before, after].map(({ functions }) =>
    functions
      .filter(({ role, name }) => role === 'library' && name.startsWith('views.lib'))
      .map(({ name, text }) => `${name}\n${text.text}`)
      .sort()
      .join('\n'),
  );
  return old === current;
}

/** @param {FunctionSubject} fn @returns {string | undefined} the same for functions that differ in spelling only */
function hashOf(fn) {
  const tree = parsed(fn);
  const isBare = tree.ok && tree.fn && (tree.shape === 'expression' || tree.shape === 'named');
  return isBare && tree.fn ? normalHash(tree.fn) : undefined;
}
