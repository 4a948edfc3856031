// Table of built-in objects and methods that some engine of CouchDB lacks. What a function uses is determined in
// apis.js.

/**
 * The Firefox version a name came with (MDN browser compatibility data), and for old names the one it left with.
 * QuickJS has what has no mark: every row was tried with SpiderMonkey 78 and QuickJS of 3.4.3 and 3.5.0, and with SpiderMonkey 102.
 * @typedef {{since: number, until?: number, quickjs?: QuickjsSupport}} Support
 */
/** Whether QuickJS has it, or from which CouchDB version on, or up to which. @typedef {boolean | {from: string} | {before: string}} QuickjsSupport */

/** @type {Support} */
export const SPIDERMONKEY_ONLY = { since: 0, quickjs: false };
/** No build of CouchDB has it. @type {Support} */
const NOWHERE = { since: Number.POSITIVE_INFINITY, quickjs: false };
/** Extensions of SpiderMonkey 1.8.5. @type {Support} */
export const XML = { since: 0, until: 21, quickjs: false };

/** @type {Map<string, Support>} */
export const GLOBALS = new Map([
  ['Map', { since: 13 }],
  ['Set', { since: 13 }],
  ['WeakSet', { since: 34 }],
  ['Symbol', { since: 36 }],
  ['Reflect', { since: 42 }],
  ['globalThis', { since: 65 }],
  ['BigInt', { since: 68, quickjs: { from: '3.5' } }],
  ['AggregateError', { since: 79 }],
  ['Promise', { since: 29, quickjs: false }],
  ['Proxy', { since: 18, quickjs: false }],
  ['Intl', { since: 29, quickjs: false }],
  ['DataView', { since: 15, quickjs: false }],
  ['BigInt64Array', { since: 68, quickjs: false }],
  ['BigUint64Array', { since: 68, quickjs: false }],
  ['SharedArrayBuffer', { since: 46, quickjs: false }],
  ['Atomics', { since: 46, quickjs: false }],
  ['WebAssembly', { since: 52, quickjs: false }],
  ...[
    'ArrayBuffer',
    'Int8Array',
    'Uint8Array',
    'Uint8ClampedArray',
    'Int16Array',
    'Uint16Array',
    'Int32Array',
    'Uint32Array',
    'Float32Array',
    'Float64Array',
    'uneval',
  ].map((name) => /** @type {[string, Support]} */ ([name, SPIDERMONKEY_ONLY])),
  ...['WeakRef', 'FinalizationRegistry', 'Float16Array'].map(
    (name) => /** @type {[string, Support]} */ ([name, NOWHERE]),
  ),
  // The `Iterator` of old: the one of today came with Firefox 131.
  ['Iterator', { since: 0, until: 57, quickjs: false }],
  ...['XML', 'XMLList', 'QName', 'Namespace', 'isXMLName', 'StopIteration'].map(
    (name) => /** @type {[string, Support]} */ ([name, XML]),
  ),
]);

/** Functions of built-in objects, by the version that brought them. @type {[string, number, string[]][]} */
const STATICS = [
  ['Object', 22, ['is']],
  ['Object', 31, ['setPrototypeOf']],
  ['Object', 34, ['assign']],
  ['Object', 36, ['getOwnPropertySymbols']],
  ['Object', 47, ['entries', 'values']],
  ['Object', 50, ['getOwnPropertyDescriptors']],
  ['Object', 63, ['fromEntries']],
  ['Object', 92, ['hasOwn']],
  ['Object', 119, ['groupBy']],
  ['Array', 25, ['of']],
  ['Array', 32, ['from']],
  ['Number', 16, ['isInteger', 'isFinite', 'isNaN']],
  ['Number', 25, ['parseFloat', 'parseInt']],
  ['Number', 32, ['isSafeInteger']],
  ['Math', 20, ['imul']],
  ['Math', 25, ['trunc', 'sign', 'cbrt', 'log2', 'log10', 'log1p', 'expm1', 'sinh', 'cosh', 'tanh']],
  ['Math', 27, ['hypot', 'fround']],
  ['Math', 31, ['clz32']],
  ['String', 29, ['fromCodePoint']],
  ['String', 34, ['raw']],
];

/** Methods of prototypes doubled on the constructor, gone with Firefox 68 and 71, never in QuickJS (jsdevel.rst 8). */
export const GENERICS = new Map([
  ['Array', { until: 71, names: new Set(['slice', 'forEach', 'map', 'filter', 'indexOf', 'join', 'concat', 'some']) }],
  [
    'String',
    { until: 68, names: new Set(['substring', 'trim', 'slice', 'replace', 'split', 'indexOf', 'toLowerCase']) },
  ],
]);

/** Methods, of whatever object: where several have the name, that of the earliest. @type {Map<string, Support>} */
export const METHODS = new Map([
  ['startsWith', { since: 17 }],
  ['endsWith', { since: 17 }],
  ['repeat', { since: 24 }],
  ['find', { since: 25 }],
  ['findIndex', { since: 25 }],
  ['codePointAt', { since: 29 }],
  ['normalize', { since: 31, quickjs: false }],
  ['copyWithin', { since: 32 }],
  ['includes', { since: 40 }],
  ['padStart', { since: 48 }],
  ['padEnd', { since: 48 }],
  ['trimStart', { since: 61 }],
  ['trimEnd', { since: 61 }],
  ['flat', { since: 62 }],
  ['flatMap', { since: 62 }],
  ['matchAll', { since: 67 }],
  ['replaceAll', { since: 77 }],
  ['at', { since: 90 }],
  ['findLast', { since: 104 }],
  ['findLastIndex', { since: 104 }],
  ['toSorted', { since: 115 }],
  ['toReversed', { since: 115 }],
  ['toSpliced', { since: 115 }],
  // The QuickJS of 3.4 has it; from 3.5 on it comes with the tables of Unicode, which CouchDB leaves out.
  ['localeCompare', { since: 0, quickjs: { before: '3.5' } }],
  ['toSource', SPIDERMONKEY_ONLY],
  // jsdevel.rst 3.
  ['toLocaleFormat', { since: 0, until: 58, quickjs: false }],
]);

/** What SpiderMonkey keeps of the last match, and QuickJS does not (jsdevel.rst, QuickJS 1). */
export const LAST_MATCH = new Set([
  '$1',
  '$2',
  '$3',
  '$4',
  '$5',
  '$6',
  '$7',
  '$8',
  '$9',
  'lastMatch',
  'leftContext',
  'rightContext',
]);

/** Built-in names whose functions give plain values. */
export const PLAIN_SOURCES = new Set(['Array', 'Date', 'JSON', 'Object', 'String', 'toJSON']);

/** @type {Map<string, Support>} */
export const STATIC_SUPPORT = new Map(
  STATICS.flatMap(([object, since, names]) =>
    names.map((name) => /** @type {[string, Support]} */ ([`${object}.${name}`, { since }])),
  ),
);
