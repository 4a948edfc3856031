// Facts about misspelled members of a design document and of its views: CouchDB ignores them, and their names are close
// to one that it reads.

import { nearest } from '../../shared/nearest.js';
import { DESIGN_DOC_MEMBERS, entryPlace, member } from '../../sources/record.js';
import { factsOf } from '../fact.js';
import { entries } from '../subjects.js';

/** @import { Entry, ObjectNode, ValueNode } from '../../sources/record.js' */
/** @import { DeclareFact, DesignDocSubject, FactDeclaration, Item } from '../fact.js' */

const KNOWN_MEMBERS = [...DESIGN_DOC_MEMBERS, '_rev', '_attachments'];

/**
 * Members whose misspelling silently takes a feature away, with the types that they hold (couch_mrview.erl validate_ddoc_fields, 3.5.2); a
 * project's own key near any other name means nothing.
 * @type {Map<string, ValueNode['type'][]>}
 */
const TYPES = new Map([
  ['filters', ['object']],
  ['language', ['string']],
  ['lists', ['object']],
  ['options', ['object']],
  ['rewrites', ['string', 'array']],
  ['shows', ['object']],
  ['updates', ['object']],
  ['validate_doc_update', ['string']],
  ['views', ['object']],
]);

/** Members of a view that CouchDB reads. */
const VIEW_MEMBERS = ['map', 'reduce', 'options'];

/** What the text of each function has in it. */
const FUNCTION = /\bfunction\b|=>/;

/** @type {DeclareFact<DesignDocSubject>} */
const designDocFact = factsOf({ subject: 'design-doc', sources: ['design-docs'], basis: 'inferred' });

/** @type {FactDeclaration<DesignDocSubject>[]} */
export const designDocSpellingFacts = [
  designDocFact('ddoc.misspeltMembers', 'list', {
    meaning:
      'Members of the document or of a view that CouchDB ignores, with a name one or two letters off a known one and a value that fits it.',
    extract: (subject) => ({ value: misspeltMembers(subject) }),
  }),
];

/**
 * @param {DesignDocSubject} subject
 * @returns {Item[]}
 */
function misspeltMembers({ record: { node } }) {
  const ofDocument = misspeltIn(node, KNOWN_MEMBERS, fitsDocument).map(({ item, expected }) =>
    toItem(item, item.key, expected),
  );
  const ofViews = entries(member(node, 'views')).flatMap(({ key, node: view }) => {
    if (key === 'lib' || view.type !== 'object') return [];
    // A view without a map is refused, and that says what is meant.
    const found = misspeltInView(view).filter(({ expected }) => expected !== 'map');
    return found.map(({ item, expected }) => toItem(item, `views.${key}.${item.key}`, expected));
  });
  return [...ofDocument, ...ofViews];
}

/**
 * @param {Entry} item
 * @param {string} value
 * @param {string} expected the name that is meant
 * @returns {Item}
 */
function toItem(item, value, expected) {
  const { keyStart, keyEnd, node } = item;
  const detail = { expected, fileStart: keyStart, fileEnd: keyEnd, file: node.file.path };
  return { value, place: entryPlace(item), detail };
}

/** @typedef {{item: Entry, expected: string}} Misspelt */

/**
 * @param {ObjectNode} view
 * @returns {Misspelt[]}
 */
export function misspeltInView(view) {
  return misspeltIn(view, VIEW_MEMBERS, fitsView);
}

/**
 * @param {ObjectNode} node
 * @param {string[]} known names
 * @param {(item: Entry, expected: string) => boolean} fits whether the member is what that name is for
 * @returns {Misspelt[]}
 */
function misspeltIn(node, known, fits) {
  const members = entries(node);
  const present = new Set(members.map(({ key }) => key));
  return members.flatMap((item) => {
    const expected = known.includes(item.key) ? undefined : nearest(item.key, known);
    // Where the right name is there too, the other is the project's own.
    if (!expected || present.has(expected) || !fits(item, expected)) return [];
    return [{ item, expected }];
  });
}

/**
 * @param {Entry} item
 * @param {string} expected
 * @returns {boolean}
 */
function fitsDocument({ key, node }, expected) {
  return key.length >= 4 && (TYPES.get(expected)?.includes(node.type) ?? false);
}

/**
 * @param {Entry} item
 * @param {string} expected
 * @returns {boolean}
 */
function fitsView({ key, node }, expected) {
  if (expected === 'options') return node.type === 'object';
  if (node.type !== 'string') return false;
  if (expected === 'map') return FUNCTION.test(node.value);
  // `_reduce` and `reduce2` are how people put one aside.
  const isPutAside = key !== expected && (key.startsWith(expected) || key.endsWith(expected));
  return !isPutAside && (FUNCTION.test(node.value) || /^_[a-z]/.test(node.value));
}
