// Table of the names that a function of a design document can use without declaring them. Data only.

/** @import { FunctionRole } from '../../javascript/engines.js' */

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
