// Access paths: determines which of the indexes of a database CouchDB uses for a Mango query.

import { columnsOf } from '../facts/mango/index-rows.js';
import { chooseIndex } from '../facts/mango/planner.js';
import { plainValue } from '../sources/record.js';
import { selectorOf, sortOfBody } from './find.js';

/** @import { knownIndexes } from '../facts/mango/choice.js' */
/** @import { MangoIndex } from '../facts/mango/planner.js' */
/** @import { Place } from '../shared/source-file.js' */
/** @import { ParameterBindings } from './parameter-bindings.js' */
/** @import { Find } from './find.js' */
/** @import { PlanChange } from './plan.js' */
/** @import { ServingIndex } from './reads.js' */

/** An index of the database. @typedef {ServingIndex & {label: string, ddoc: string | null, name: string | null, place?: Place, database?: string | undefined}} ExistingIndex `ddoc` without `_design/`; `database` of a server */

/**
 * @param {Exclude<ReturnType<typeof knownIndexes>, {unknown: string}>} known
 * @returns {ExistingIndex[]} with filters as plain values
 */
export function existingIndexes(known) {
  return known.map(({ filter, ...index }) => ({
    ...index,
    filter: filter && /** @type {Record<string, unknown>} */ (plainValue(filter)),
  }));
}

/** An index that is tried alone. */
const ALONE = { ddoc: 'alone', name: 'alone' };

/**
 * @param {Find} find
 * @param {ParameterBindings[]} bindings
 * @param {ExistingIndex[]} indexes
 * @param {string} version of CouchDB
 * @returns {ExistingIndex | undefined} undefined where it reads all documents, or refuses the query
 */
export function indexFor(find, bindings, indexes, version) {
  const named = namedAll(indexes);
  const choice = chooseIndex(queryOf(find, bindings, namesOf(find.hint)), named.map(asMangoIndex), version);
  if (!('index' in choice)) return undefined;
  const { ddoc, name } = choice.index;
  const at = named.findIndex((index) => `_design/${index.ddoc}` === ddoc && index.name === name);
  return indexes[at];
}

/**
 * CouchDB sorts by an index only, and says in its answer where it did not take the one that a query names.
 * @param {Find} find of a query that was answered
 * @param {ParameterBindings[]} bindings
 * @param {ExistingIndex[]} indexes
 * @param {string} version of CouchDB
 * @returns {boolean} whether an index that was not read must have served it
 */
export function isServedByUnread(find, bindings, indexes, version) {
  const named = namedAll(indexes);
  const choice = chooseIndex(queryOf(find, bindings, namesOf(find.hint)), named.map(asMangoIndex), version);
  if ('status' in choice) return choice.error === 'no_usable_index';
  const { hint } = find;
  return (
    hint?.isTaken === true &&
    !named.some(({ ddoc, name }) => ddoc === hint.ddoc && (hint.name === undefined || hint.name === name))
  );
}

/** @param {Find['hint']} hint @returns {string[] | undefined} as `use_index` has it */
function namesOf(hint) {
  return hint && [hint.ddoc, ...(hint.name === undefined ? [] : [hint.name])];
}

/** @param {ExistingIndex[]} indexes @returns {(ExistingIndex & {ddoc: string, name: string})[]} those that the server names have a name too */
function namedAll(indexes) {
  return indexes.map((index, at) => ({
    ...index,
    ddoc: index.ddoc ?? `unnamed-${at}`,
    name: index.name ?? `unnamed-${at}`,
  }));
}

/**
 * @param {Find} find
 * @param {ParameterBindings[]} bindings
 * @param {ServingIndex} index
 * @param {string} version of CouchDB
 * @returns {boolean} whether it can serve the query where the query names it
 */
export function canUse(find, bindings, index, version) {
  const query = queryOf(find, bindings, [ALONE.ddoc, ALONE.name]);
  const choice = chooseIndex(query, [asMangoIndex({ ...index, ...ALONE })], version);
  return 'index' in choice && choice.index.name === ALONE.name;
}

/**
 * From 3.4 on, one JSON index makes the server fail on each query of its database whose selector has a value of certain forms
 * (`chooseIndex` gives status 500 as the server does).
 * @param {Find} find
 * @param {ParameterBindings[]} bindings
 * @param {ServingIndex} index a new one
 * @param {string} version of CouchDB
 * @returns {boolean} whether the query would fail as soon as the database has the index
 */
export function isBrokenBy(find, bindings, index, version) {
  // What a log asks for breaks it too where no sample document has such a value.
  const logged = find.examples.map((clauses) => ({ clauses, from: undefined }));
  return [...bindings, ...logged].some((binding) => {
    const choice = chooseIndex(queryOf(find, [binding], undefined), [asMangoIndex({ ...index, ...ALONE })], version);
    return 'status' in choice && choice.status === 500;
  });
}

/**
 * @param {Find} find
 * @param {ParameterBindings[]} bindings
 * @param {string[] | undefined} useIndex
 */
function queryOf({ clauses, sort, fields }, [first], useIndex) {
  return {
    selector: selectorOf(first?.clauses ?? clauses),
    ...sortOfBody(sort),
    ...(fields ? { fields } : {}),
    ...(useIndex ? { useIndex } : {}),
  };
}

/**
 * @param {{ddoc: string | null, name: string | null, columns: string[], filter?: unknown}} index
 * @returns {MangoIndex}
 */
function asMangoIndex({ ddoc, name, columns, filter }) {
  return {
    ddoc: `_design/${ddoc}`,
    name: name ?? '',
    type: 'json',
    def: {
      fields: columns.map((column) => ({ [column]: 'asc' })),
      ...(filter === undefined ? {} : { partial_filter_selector: filter }),
    },
  };
}

/**
 * @param {PlanChange[]} changes
 * @param {string | null} database
 * @returns {ExistingIndex[]} that they create in it
 */
export function indexesMade(changes, database) {
  return changes.flatMap(({ kind, index, designDoc, name, database: own }) => {
    if (kind !== 'create-index' || !index || own !== database) return [];
    const columns = columnsOf(index);
    return [
      { label: name, ddoc: designDoc.slice('_design/'.length), name, columns, filter: index.partial_filter_selector },
    ];
  });
}
