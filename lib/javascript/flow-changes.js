// Applies changes of the objects and arrays that a function makes: they show under every name that holds them, and in
// rows that hold them.

import { countStep, countValues, VALUES_PER_STEP } from './flow-state.js';
import { bounded, opened, sizeOf, UNDEFINED, unionOf } from './values.js';

/** @import { State, FlowWalk } from './flow-state.js' */
/** @import { Value } from './values.js' */

/**
 * @param {import('./values.js').ObjectValue | import('./values.js').ArrayValue} object
 * @param {string | undefined} name
 * @param {Value | undefined} value
 * @returns {Value}
 */
export function changedMember(object, name, value) {
  // What is written behind the end, or deleted, leaves holes.
  if (object.kind === 'array')
    return { kind: 'array', items: [...object.items, value ?? UNDEFINED, UNDEFINED], open: true };
  if (name === undefined) return opened(object);
  const members = new Map(object.members);
  if (value) members.set(name, value);
  else members.delete(name);
  return { ...object, members };
}

/**
 * Replaces one object or array by another, wherever it is held: under other names, and inside other objects.
 * @param {FlowWalk} walk
 * @param {State} state changed
 * @param {Value} from
 * @param {Value} to
 */
export function replaceValue(walk, state, from, to) {
  countValues(walk, state);
  /** @param {Value} value @returns {Value} */
  const replace = (value) => {
    if (value === from) return to;
    if (value.kind === 'object') {
      const members = new Map([...value.members].map(([name, member]) => [name, replace(member)]));
      const isSame = [...members].every(([name, member]) => value.members.get(name) === member);
      return isSame ? value : { ...value, members };
    }
    if (value.kind === 'array') {
      const items = value.items.map(replace);
      return items.every((item, index) => item === value.items[index]) ? value : { ...value, items };
    }
    if (value.kind !== 'union') return value;
    const of = value.of.map(replace);
    return of.every((item, index) => item === value.of[index]) ? value : unionOf(of);
  };
  for (const [variable, value] of state.values) {
    if (!mayHold(value)) continue;
    countStep(walk, sizeOf(value) / VALUES_PER_STEP);
    const changed = replace(value);
    if (changed !== value) state.values.set(variable, bounded(changed));
  }
  // Rows are written when the map is done (share/server/views.js map_doc, 3.4.3): what is changed behind `emit` changes the row.
  for (const site of walk.emits) {
    if (mayHold(site.key)) site.key = unionOf([site.key, replace(site.key)]);
    if (mayHold(site.value)) site.value = unionOf([site.value, replace(site.value)]);
  }
}

/**
 * @param {Value} value
 * @returns {boolean} whether it may hold an object or a list of the function's own
 */
function mayHold({ kind }) {
  return kind === 'object' || kind === 'array' || kind === 'union';
}

/**
 * Forgets the members of the objects and lists of all variables: one of them is changed under a name that is not known.
 * @param {FlowWalk} walk
 * @param {State} state changed
 */
export function openState(walk, state) {
  for (const value of new Set(state.values.values())) openAll(walk, state, value);
}

/**
 * Forgets the members of objects and lists, under whatever names they are held.
 * @param {FlowWalk} walk
 * @param {State} state changed
 * @param {Value} value
 */
export function openAll(walk, state, value) {
  if (value.kind === 'union') for (const item of value.of) openAll(walk, state, item);
  if (value.kind !== 'object' && value.kind !== 'array') return;
  for (const part of value.kind === 'object' ? value.members.values() : value.items) openAll(walk, state, part);
  replaceValue(walk, state, value, opened(value));
}

/**
 * @param {FlowWalk} walk
 * @param {string} name of a method that changes its list
 * @param {Value} list one alternative
 * @param {Value[]} values what the method is given
 * @param {State} state changed
 * @returns {Value} the list as it is afterwards
 */
export function changeList(walk, name, list, values, state) {
  if (list.kind === 'unknown') openState(walk, state);
  if (list.kind !== 'array') return list.kind === 'path' ? { ...list, place: undefined } : list;
  const added = name === 'splice' ? values.slice(2) : /^(?:push|unshift|fill)$/.test(name) ? values : [];
  /** @type {Value} */
  const changed = { kind: 'array', items: [...list.items, ...added], open: true };
  replaceValue(walk, state, list, changed);
  return changed;
}
