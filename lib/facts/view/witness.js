// Facts about maps that are shown by documents made to fit them: one on which the map throws, and whether rows depend on the clock or the time zone
// of the server. The documents are tried before facts are computed, and the observations are stored at the function.

import { namesOf, parsed } from '../../javascript/analyse.js';
import { zoneCauses } from '../../javascript/dates.js';
import { onlyValueOf } from '../../javascript/names.js';
import { bare, memberName } from '../../javascript/parse.js';
import { factsOf } from '../fact.js';
import { MACRO, seenBy } from '../function/evidence.js';
import { sourceItem } from '../function/flow.js';
import { describeFault } from '../javascript/describe-fault.js';

/** @import { Change, Thrown, WitnessQuestion } from '../../proof/evidence/find-witness.js' */
/** @import { Document } from '../../proof/evidence/run-function.js' */
/** @import { DeclareFact, Extracted, FactDeclaration, FunctionSubject, RunSubject, ViewSubject } from '../fact.js' */
/** @import { AnyNode } from 'acorn' */
/** @import { Names } from '../../javascript/names.js' */

/** Documents of the user from which on made-up ones say nothing more. */
const ENOUGH = 100;
const NOT_TRIED = 'no documents were generated for the map in this run';
const NONE_FIT = 'no document could be generated that the map emits for';

/**
 * @param {RunSubject} run
 * @returns {{subject: FunctionSubject, question: WitnessQuestion}[]}
 */
export function witnessQuestions({ subjects }) {
  return subjects.flatMap((subject) => {
    if (subject.kind !== 'function' || subject.role !== 'map' || MACRO.test(subject.text.text)) return [];
    const seen = parsed(subject).ok ? seenBy(subject) : undefined;
    if (!seen) return [];
    const libraries = /** @type {{lib?: Record<string, unknown>} | undefined} */ (seen['views'])?.lib ?? {};
    return [{ subject, question: { map: subject.text.text, libraries } }];
  });
}

/** @typedef {{member: string, change: Change, reason: string, document: Document, place: Extracted['place']}} Shown */

/**
 * @param {ViewSubject} view
 * @returns {Shown | {unknown: string} | undefined} undefined where no change makes the map throw
 */
function shownBy({ map }) {
  const { witness } = map ?? {};
  if (!map || !witness) return { unknown: NOT_TRIED };
  if (witness.verdict === 'not tried') return { unknown: NONE_FIT };
  if ((map.evidence?.documents ?? 0) >= ENOUGH) return { unknown: 'documents of `--docs` show whether it throws' };
  return witness.thrown && describe(map, witness.thrown);
}

/**
 * @param {FunctionSubject} map
 * @param {Thrown} thrown
 * @returns {Shown | undefined}
 */
function describe(map, thrown) {
  const tree = parsed(map);
  const described = tree.ok ? describeFault(tree, thrown.fault) : undefined;
  if (!described) return undefined;
  const { reason, start, end } = described;
  const place = start === undefined || end === undefined ? map.place : (map.text.place(start, end) ?? map.place);
  return { ...thrown, reason, place };
}

/**
 * @param {ViewSubject} view
 * @returns {Shown | {unknown: string} | undefined} what makes the map throw by being null, where a test of its type lets null through
 */
function nullBehindTypeof({ map }) {
  const tree = map && parsed(map);
  if (!map?.witness || !tree?.ok) return { unknown: NOT_TRIED };
  if (map.witness.verdict === 'not tried') return { unknown: NONE_FIT };
  const tested = typeofObjectMembers(namesOf(tree));
  // A damaged answer of the cache has none.
  const thrown = map.witness.nulls?.find(({ member }) => tested.has(member.split('.').at(-1) ?? ''));
  return thrown && describe(map, thrown);
}

/**
 * @param {string} id
 * @param {string} meaning
 * @param {(shown: Shown) => string} take
 * @returns {FactDeclaration<ViewSubject>}
 */
function witnessFact(id, meaning, take) {
  return viewFact(id, 'text', {
    sources: ['design-docs', 'documents', 'witnesses'],
    meaning,
    extract: (view) => {
      const shown = shownBy(view);
      if (!shown) return { unknown: 'the map throws on none of the documents generated for it' };
      return 'unknown' in shown ? shown : { value: take(shown), place: shown.place };
    },
  });
}

/** @type {DeclareFact<ViewSubject>} */
const viewFact = factsOf({ subject: 'view', sources: ['design-docs', 'witnesses'] });

/** @type {DeclareFact<FunctionSubject>} */
const functionFact = factsOf({ subject: 'function', sources: ['design-docs', 'witnesses'] });

/** @type {FactDeclaration<ViewSubject>[]} */
export const viewWitnessFacts = [
  viewFact('view.witnessChange', 'text', {
    sources: ['design-docs', 'documents', 'witnesses'],
    meaning:
      'What makes the map throw on a generated document that differs in one member from a document it emits for. The member is `missing`, `null`, `an empty array` or `of another type`; or `nothing` makes it throw.',
    phrases: {
      missing: 'throws where a member is missing',
      nothing: 'no change makes it throw',
      '*': 'throws where a member is {value}',
    },
    extract: (view) => {
      const shown = shownBy(view);
      if (!shown) return { value: 'nothing' };
      return 'unknown' in shown ? shown : { value: shown.change, place: shown.place };
    },
  }),
  viewFact('view.nullMember', 'text', {
    meaning:
      "A member that makes the map throw on a generated document if it is null, although the map compares its type: `typeof null` is `'object'`. Or `none`.",
    phrases: { none: 'no null passes the check of a type', '*': '`{value}` may be null here' },
    extract: (view) => {
      const shown = nullBehindTypeof(view);
      if (!shown) return { value: 'none' };
      return 'unknown' in shown ? shown : { value: shown.member, place: shown.place };
    },
  }),
  viewFact('view.nullReason', 'text', {
    meaning: 'Why the map throws then, for example `doc.address` is null.',
    extract: (view) => {
      const shown = nullBehindTypeof(view);
      if (!shown) return { unknown: 'no such member was found' };
      return 'unknown' in shown ? shown : { value: shown.reason, place: shown.place };
    },
  }),
  witnessFact(
    'view.witnessMember',
    'The member that was changed, for example `items[].price`.',
    ({ member }) => member,
  ),
  witnessFact(
    'view.witnessReason',
    'Why the map throws then, for example `doc.items` is missing.',
    ({ reason }) => reason,
  ),
  witnessFact('view.witness', 'The document on which it throws, as JSON, without `_rev`.', ({ document }) => {
    const { _rev, ...shown } = document;
    return JSON.stringify(shown);
  }),
];

/**
 * @param {string} id
 * @param {'clock' | 'zone'} part
 * @param {Pick<FactDeclaration, 'meaning' | 'phrases'>} about
 * @returns {FactDeclaration<FunctionSubject>}
 */
function influenceFact(id, part, about) {
  return functionFact(id, 'boolean', {
    ...about,
    extract: ({ role, witness, place }) => {
      if (role !== 'map') return { unknown: 'only maps are run on generated documents' };
      if (!witness) return { unknown: NOT_TRIED };
      if (witness.verdict === 'not tried') return { unknown: NONE_FIT };
      return { value: witness[part] === 'changes', place };
    },
  });
}

/** @type {FactDeclaration<FunctionSubject>[]} */
export const functionWitnessFacts = [
  functionFact('function.zoneCauses', 'list', {
    meaning:
      'Dates that make rows of generated documents depend on the time zone: made of local parts or of strings; none if a local date method may be the reason.',
    extract: (subject) => {
      const tree = parsed(subject);
      if (subject.witness?.zone !== 'changes' || !tree.ok)
        return { unknown: 'no rows were seen to depend on the time zone' };
      return { value: zoneCauses(namesOf(tree)).map(({ start, end }) => sourceItem(subject.text, start, end)) };
    },
  }),
  influenceFact('function.changesWithClock', 'clock', {
    meaning: 'Whether a map emits other rows for generated documents when the server clock shows another time.',
    phrases: ['rows depend on the clock', 'rows do not depend on the clock'],
  }),
  influenceFact('function.changesWithZone', 'zone', {
    meaning: 'Whether a map emits other rows for generated documents when the server is in another time zone.',
    phrases: ['rows depend on the time zone', 'rows do not depend on the time zone'],
  }),
];

// Lists the members whose type is compared with 'object', which null has too (ECMA-262, 13.5.3).

/**
 * @param {Names} names
 * @returns {Set<string>} their names, without what they are members of
 */
export function typeofObjectMembers(names) {
  const found = names.nodes.flatMap((node) => {
    if (node.type !== 'BinaryExpression' || !/^[=!]==?$/.test(node.operator)) return [];
    const sides = [node.left, node.right].map((side) => bare(/** @type {AnyNode} */ (side)));
    const test = sides.find((side) => side.type === 'UnaryExpression' && side.operator === 'typeof');
    const isObject = sides.some((side) => side.type === 'Literal' && side.value === 'object');
    if (!isObject || test?.type !== 'UnaryExpression') return [];
    return nameOf(bare(test.argument), names) ?? [];
  });
  return new Set(found);
}

/**
 * @param {AnyNode} node
 * @param {Names} names
 * @returns {string | undefined} of the member that it is, also by a variable that holds nothing else
 */
function nameOf(node, names) {
  if (node.type === 'MemberExpression') return memberName(node);
  const binding = node.type === 'Identifier' ? names.byNode.get(node)?.binding : undefined;
  const value = binding && onlyValueOf(binding, names);
  return value && bare(value).type === 'MemberExpression' ? nameOf(bare(value), names) : undefined;
}
