// Names that a function of a design document can use without declaring them: those of the language and of CouchDB, and
// those that macros of couchapp tools paste into it. Where the reader expands macros none are left; the functions of a
// program keep theirs until they are pushed.

import { namesOf, parsed } from '../../javascript/analyse.js';
import { rememberRecent } from '../../shared/recent-memory.js';

/** @import { FunctionRole } from '../../javascript/engines.js' */
/** @import { Reference } from '../../javascript/names.js' */
/** @import { FunctionSubject } from '../fact.js' */
/** @import { ParsedFunction } from '../../javascript/parse.js' */

/**
 * Globals of the language, those included that only some engines have: a name that is there on one engine is not made up
 * (tried on CouchDB 3.5.0, both engines; the last line is of SpiderMonkey 1.8.5).
 */
const LANGUAGE_NAMES = `
undefined NaN Infinity globalThis eval isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI
encodeURIComponent escape unescape Object Function Boolean Symbol Error AggregateError EvalError RangeError ReferenceError
SyntaxError TypeError URIError InternalError Number BigInt Math Date String RegExp Array Map Set WeakMap WeakSet WeakRef
FinalizationRegistry ArrayBuffer SharedArrayBuffer DataView Atomics JSON Promise Proxy Reflect Intl WebAssembly Iterator
Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float16Array Float32Array Float64Array
BigInt64Array BigUint64Array hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf constructor
__proto__ __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ toSource
uneval StopIteration XML XMLList QName Namespace isXMLName watch unwatch`;

/** What CouchDB puts into the sandbox of every function (create_sandbox in share/server/loop.js, 1.1 to 3.5.2).
 *  `require`, which a reduce does not have, is a matter of another fact. */
const SANDBOX_NAMES = 'emit sum log toJSON JSON provides registerType start send getRow isArray require';

/** What maps and search indexes get besides (State.addFun in share/server/state.js, 3.0 to 3.5.2), and modules of theirs. */
const INDEXING_NAMES = ['index'];

/** What couchdb-lucene gives to an index function. */
const LUCENE_NAMES = ['Document'];

/** What a module is called with (compileFunction in share/server/util.js, 3.5.2). */
const MODULE_NAMES = ['module', 'exports'];

/** @type {Map<FunctionRole, string[]>} */
const NAMES_OF_ROLE = new Map([
  ['map', INDEXING_NAMES],
  ['search', [...INDEXING_NAMES, ...LUCENE_NAMES]],
  ['library', [...INDEXING_NAMES, ...LUCENE_NAMES, ...MODULE_NAMES]],
]);

const COMMON = new Set(`${LANGUAGE_NAMES} ${SANDBOX_NAMES}`.trim().split(/\s+/));

/**
 * @param {string} name
 * @param {FunctionRole} role
 * @returns {boolean} whether a function of that role finds it on some engine of CouchDB
 */
export function isKnownName(name, role) {
  return COMMON.has(name) || (NAMES_OF_ROLE.get(role)?.includes(name) ?? false);
}

/** By these a text can make a global of any name. */
const GLOBAL_MAKERS = new Set(['Function', 'eval', 'globalThis']);

/**
 * The functions of a design document run in one sandbox (share/server/loop.js, 3.5.2): what one of them leaves there, the others see.
 * @param {FunctionSubject} subject
 * @returns {ReadonlySet<string> | {unknown: string}} names that they define there, by an assignment or as a declaration outside of functions
 */
export const sharedGlobals = rememberRecent((/** @type {FunctionSubject} */ { parent }) => {
  /** @type {Set<string>} */
  const found = new Set();
  for (const subject of parent.functions) {
    const tree = parsed(subject);
    if (!tree.ok) return { unknown: `\`${subject.name}\` may define names, and was not read` };
    const { nodes, references, top } = namesOf(tree);
    const isMaker = (/** @type {Reference} */ { name, binding }) => !binding && GLOBAL_MAKERS.has(name);
    if (nodes.some(({ type }) => type === 'ThisExpression') || references.some(isMaker))
      return { unknown: `\`${subject.name}\` may define names through the global object` };
    for (const { name, binding, writes } of references) if (!binding && writes) found.add(name);
    if (!subject.isModule) for (const name of top.bindings.keys()) found.add(name);
  }
  return found;
});

/** What stands behind `//` or `#` (couchapp 1.0.2, macros.py run_code_macros and run_json_macros). */
const MACRO = /^ ?!(code|json) +([\w$]*)/;

/**
 * @param {ParsedFunction} tree
 * @param {FunctionSubject} subject
 * @returns {string[] | 'unknown'} unknown where code is pasted in, which may declare any name
 */
export function pastedNames({ comments }, { parent }) {
  // What CouchDB keeps, it runs as it is.
  const { origin } = parent.record;
  if (origin === 'json' || origin === 'dump') return [];
  /** @type {string[]} */
  const names = [];
  for (const { value } of comments) {
    const [, kind, name] = MACRO.exec(value) ?? [];
    if (kind === 'code') return 'unknown';
    // `!json templates.header` makes a variable `templates`.
    if (name) names.push(name);
  }
  return names;
}
