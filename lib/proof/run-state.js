// Holds the state of a symbolic run of a reduce: the values of its variables, and the objects and arrays it made.

import { choose } from './operate.js';
import { isSame, opaque, UNDEFINED } from './symbols.js';

/** @import { Symbol_ } from './symbols.js' */

/** @typedef {{kind: 'object' | 'array', members: Map<string, Symbol_>}} Made */

/** Thrown where a function does something that is not followed. */
export class EvaluationBailout extends Error {}

export class RunState {
  /** @param {Map<symbol, Symbol_>} [variables] @param {Map<number, Made>} [heap] */
  constructor(variables = new Map(), heap = new Map()) {
    this.variables = variables;
    this.heap = heap;
  }

  /** @returns {RunState} */
  copy() {
    const heap = new Map([...this.heap].map(([id, made]) => [id, { ...made, members: new Map(made.members) }]));
    return new RunState(new Map(this.variables), heap);
  }

  /**
   * @param {symbol} variable
   * @returns {RunState} itself, with nothing known of the variable
   */
  withOpaque(variable) {
    this.variables.set(variable, opaque('it uses the counter of a loop'));
    return this;
  }

  /** @param {RunState} other takes its place */
  become(other) {
    this.variables = other.variables;
    this.heap = other.heap;
  }

  /**
   * @returns {Map<string, Symbol_>} everything it holds, by place
   */
  places() {
    /** @type {Map<string, Symbol_>} */
    const places = new Map();
    for (const [variable, value] of this.variables) places.set(placeOfVariable(variable), value);
    for (const [id, { members }] of this.heap) {
      for (const [name, value] of members) places.set(placeOfMember(id, name), value);
    }
    return places;
  }

  /**
   * @param {string} place
   * @param {Symbol_} value
   */
  put(place, value) {
    for (const variable of this.variables.keys()) {
      if (placeOfVariable(variable) === place) this.variables.set(variable, value);
    }
    for (const [id, { members }] of this.heap) {
      for (const name of members.keys()) if (placeOfMember(id, name) === place) members.set(name, value);
    }
  }
}

/**
 * @param {Symbol_} test
 * @param {RunState} yes
 * @param {RunState} no
 * @returns {RunState} what holds after either
 */
export function mergeStates(test, yes, no) {
  const merged = yes.copy();
  for (const [variable, value] of no.variables) {
    merged.variables.set(variable, either(test, yes.variables.get(variable), value));
  }
  for (const [variable, value] of yes.variables) {
    if (!no.variables.has(variable)) merged.variables.set(variable, either(test, value, undefined));
  }
  for (const [id, made] of no.heap) {
    const known = merged.heap.get(id);
    if (!known) {
      merged.heap.set(id, made);
      continue;
    }
    const names = new Set([...known.members.keys(), ...made.members.keys()]);
    for (const name of names) known.members.set(name, either(test, known.members.get(name), made.members.get(name)));
  }
  return merged;
}

/**
 * @param {Symbol_} test
 * @param {Symbol_ | undefined} yes
 * @param {Symbol_ | undefined} no
 * @returns {Symbol_}
 */
function either(test, yes = UNDEFINED, no = UNDEFINED) {
  return isSame(yes, no) ? yes : choose(test, yes, no);
}

/** @type {Map<symbol, string>} */
const names = new Map();

/**
 * @param {symbol} variable
 * @returns {string}
 */
function placeOfVariable(variable) {
  const known = names.get(variable);
  if (known !== undefined) return known;
  const name = `${variable.description} ${names.size}`;
  names.set(variable, name);
  return name;
}

/**
 * @param {number} id
 * @param {string} name
 * @returns {string}
 */
function placeOfMember(id, name) {
  return `#${id}.${name}`;
}
