// Facts about a view's reduce: which built-in it is, and for a custom one what its structure shows. Whether a custom
// function equals a built-in is a matter of proof.js.

import { BUILTIN_REDUCES, MAX_RANK, RANKED_SINCE } from '../../shared/reduce-builtins.js';
import { compareVersions } from '../../shared/version.js';
import { nodePlace } from '../../sources/record.js';
import { factsOf } from '../fact.js';
import { reduceStructure } from '../javascript/reduce-structure.js';

/** @import { DeclareFact, Extracted, FactDeclaration, ViewSubject } from '../fact.js' */

const RANKS = ['_top_', '_bottom_'];

/**
 * What a reduce is: `none`, a `builtin` by its exact name, `prefix` a built-in with something behind its name,
 * `padded` one with spaces before it, `bad-rank`, `unknown-builtin`, `custom`, or `other` where it is no text.
 * @typedef {{kind: 'none' | 'builtin' | 'prefix' | 'padded' | 'bad-rank' | 'unknown-builtin' | 'custom' | 'other', name?: string, since?: string}} ReduceKind
 */

/**
 * @param {ViewSubject} view
 * @returns {ReduceKind}
 */
function reduceKind(view) {
  const node = view.reduceNode;
  if (!node) return { kind: 'none' };
  if (node.type !== 'string') return { kind: 'other' };
  const written = node.value;
  const trimmed = written.trim();
  if (trimmed === '') return { kind: 'other' };
  if (!trimmed.startsWith('_')) return { kind: 'custom' };
  const rank = RANKS.find((prefix) => trimmed.startsWith(prefix));
  if (rank) {
    const number = trimmed.slice(rank.length);
    const isValid = /^\d+$/.test(number) && Number(number) >= 1 && Number(number) <= MAX_RANK;
    if (!isValid) return { kind: 'bad-rank', since: RANKED_SINCE };
    return { kind: trimmed === written ? 'builtin' : 'padded', name: trimmed, since: RANKED_SINCE };
  }
  const builtin = BUILTIN_REDUCES.find(([name]) => trimmed.startsWith(name));
  if (!builtin) return { kind: 'unknown-builtin' };
  const [name, since] = builtin;
  if (trimmed === written && written === name) return { kind: 'builtin', name, since };
  return { kind: written.startsWith('_') ? 'prefix' : 'padded', name, since };
}

/** @type {DeclareFact<ViewSubject>} */
const viewFact = factsOf({ subject: 'view', sources: ['design-docs'], basis: 'declared' });

/** @type {FactDeclaration<ViewSubject>[]} */
export const reduceFacts = [
  viewFact('reduce.kind', 'text', {
    meaning:
      'The kind of reduce: `none`, `builtin`, `prefix` (works only because CouchDB matches names by prefix), `padded` (spaces before the name), `bad-rank`, `unknown-builtin`, `custom` or `other`.',
    phrases: {
      none: 'the view has no reduce',
      builtin: 'the reduce is a built-in',
      prefix: 'the name only begins like a built-in',
      padded: 'there are spaces before the name',
      'bad-rank': 'the number behind the name is not valid',
      'unknown-builtin': 'no built-in has this name',
      custom: 'the reduce is written in JavaScript',
      other: 'the reduce is of another kind',
    },
    extract: (view) => ({ value: reduceKind(view).kind, place: placeOf(view) }),
  }),
  viewFact('reduce.writtenName', 'text', {
    meaning: 'The name of the built-in, as written.',
    extract: (view) =>
      view.reduceNode?.type === 'string' && !view.reduce
        ? { value: view.reduceNode.value, place: placeOf(view) }
        : { unknown: 'the reduce is not a built-in' },
  }),
  viewFact('reduce.runsBuiltin', 'text', {
    meaning: 'The exact name of the built-in that CouchDB runs; `none` where it runs none.',
    phrases: { none: 'the reduce runs no built-in', '*': 'the reduce is `{value}`' },
    extract: (view) => {
      const { kind, name } = reduceKind(view);
      // A name behind spaces does not begin with `_` and is compiled as JavaScript, which fails.
      return { value: kind === 'padded' ? 'none' : (name ?? 'none'), place: placeOf(view) };
    },
  }),
  viewFact('reduce.intendedBuiltin', 'text', {
    basis: 'inferred',
    meaning: 'The built-in that was meant by a name with something before or after it.',
    extract: (view) => {
      const { name } = reduceKind(view);
      return name ? { value: name, place: placeOf(view) } : { unknown: 'no built-in starts like this name' };
    },
  }),
  viewFact('reduce.builtinSince', 'version', {
    meaning: 'The first CouchDB version that has the named built-in.',
    extract: (view) => {
      const { since } = reduceKind(view);
      return since ? { value: since, place: placeOf(view) } : { unknown: 'the reduce names no built-in' };
    },
  }),
  viewFact('reduce.builtinIsAvailable', 'boolean', {
    sources: ['design-docs', 'settings'],
    meaning: 'Whether the target version has the named built-in.',
    phrases: ['this version has the built-in', 'this version does not have the built-in'],
    extract: (view) => {
      const { since } = reduceKind(view);
      if (!since) return { unknown: 'the reduce names no built-in' };
      return { value: compareVersions(view.parent.parent.target.version, since) >= 0, place: placeOf(view) };
    },
  }),
  viewFact('reduce.usesRereduce', 'boolean', {
    meaning: 'Whether a custom reduce checks `rereduce`, its third parameter, or whether `keys` is null.',
    phrases: ['the reduce checks `rereduce`', 'the reduce never checks `rereduce`'],
    extract: (view) => structureFact(view, ({ usesRereduce }) => ({ value: usesRereduce })),
  }),
  viewFact('reduce.rereduceFaults', 'list', {
    meaning: 'Expressions that are wrong in a rereduce, in a function that never checks whether it is one.',
    phrases: '{value} is wrong in a rereduce',
    extract: (view) => structureFact(view, ({ rereduceFaults }) => ({ value: rereduceFaults })),
  }),
  viewFact('reduce.growth', 'list', {
    meaning: 'Places where the result of a custom reduce grows with every value.',
    extract: (view) => structureFact(view, ({ growth }) => ({ value: growth })),
  }),
  viewFact('reduce.addsDataKeys', 'boolean', {
    meaning: 'Whether a custom reduce creates members named after the data.',
    phrases: ['keys come from the data here', 'no keys come from the data'],
    extract: (view) => structureFact(view, ({ dataKey }) => ({ value: dataKey !== undefined, place: dataKey })),
  }),
  viewFact('reduce.limitCharacters', 'count', {
    sources: ['settings'],
    meaning:
      'How large the result of a reduce may be on the target version before `reduce_limit` compares it with its input, by default.',
    extract: (view) => ({ value: reduceLimit(view.parent.parent.target.version), place: placeOf(view) }),
  }),
  viewFact('reduce.isEmpty', 'boolean', {
    meaning: 'Whether the body of a custom reduce is empty.',
    phrases: ['the reduce is empty', 'the reduce is not empty'],
    extract: (view) => structureFact(view, ({ isEmpty }) => ({ value: isEmpty })),
  }),
];

/**
 * @param {ViewSubject} view
 * @param {(structure: import('../javascript/reduce-structure.js').ReduceStructure) => Extracted} take
 * @returns {Extracted}
 */
function structureFact(view, take) {
  if (!view.reduce) return { unknown: 'the view has no reduce function in JavaScript' };
  const structure = reduceStructure(view.reduce.text);
  return 'unknown' in structure ? structure : { place: view.reduce.place, ...take(structure) };
}

/**
 * @param {ViewSubject} view
 * @returns {import('../../shared/source-file.js').Place | undefined}
 */
function placeOf(view) {
  return view.reduceNode && nodePlace(view.reduceNode);
}

/**
 * runReduce of share/server/views.js: an answer that is longer, and longer than half of its input, is refused. 200 up to 2.0; 4096
 * from 2.1 to 3.5.0; since 3.5.1 `reduce_limit_threshold` sets it, 5000 if nothing does.
 * @param {string} version of CouchDB
 * @returns {number} characters
 */
function reduceLimit(version) {
  if (compareVersions(version, '2.1') < 0) return 200;
  return compareVersions(version, '3.5.1') < 0 ? 4096 : 5000;
}
