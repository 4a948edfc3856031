// Table of the language features newer than ES5, and since when engines have them. Which engine fails on a function is
// determined in engines.js.

/**
 * What CouchDB's engines make of a feature:
 * - `since`: the Firefox version whose SpiderMonkey takes it (MDN browser compatibility data);
 * - `esprima`: whether the parser that CouchDB 3.0 and later run before SpiderMonkey 60 and newer takes it
 *   (share/server/60/esprima.js and escodegen.js, the same from 3.0.0 to 3.5.2; every row was tried on couchjs of 3.5.0
 *   with SpiderMonkey 78 and 102);
 * - `becomesNull`: esprima makes `null` of a regular expression that the engine does not know the flags of;
 * - `quickjs`: whether QuickJS as CouchDB builds it takes it, or from which CouchDB version on (tried on couchjs_mainjs of 3.4.3 and 3.5.0).
 * @typedef {{edition: number, since: number, esprima: boolean, quickjs: QuickjsSupport, becomesNull?: boolean}} Feature
 */

/** @import { QuickjsSupport } from './api-support.js' */

/** @type {(edition: number, since: number, more?: Partial<Feature>) => Feature} */
const feature = (edition, since, more) => ({ edition, since, esprima: true, quickjs: true, ...more });

const NOT_IN_ESPRIMA = { esprima: false };

/** Never: no engine that CouchDB is built with. */
const NEVER = Number.POSITIVE_INFINITY;

export const FEATURES = {
  // SpiderMonkey 1.8.5 has `const` and destructuring as extensions of its own. It takes `let` where it is given a version
  // of JavaScript, which couchjs does not do (tried with couchjs and main.js of 2.3.1).
  let: feature(2015, 44),
  const: feature(2015, 1),
  destructuring: feature(2015, 2),
  'arrow function': feature(2015, 22),
  class: feature(2015, 45),
  'template literal': feature(2015, 34),
  'for-of loop': feature(2015, 13),
  'default parameter': feature(2015, 15),
  'rest parameter': feature(2015, 15),
  'default value in a pattern': feature(2015, 41),
  'rest in a pattern': feature(2015, 34),
  spread: feature(2015, 27),
  'shorthand property': feature(2015, 33),
  'method shorthand': feature(2015, 34),
  'computed property name': feature(2015, 34),
  'generator function': feature(2015, 26),
  'octal or binary number': feature(2015, 25),
  'code point escape': feature(2015, 40),
  'new.target': feature(2015, 41, NOT_IN_ESPRIMA),
  'regular expression flag u': feature(2015, 46),
  'regular expression flag y': feature(2015, 3),
  'exponent operator': feature(2016, 52),
  // esprima 4.0.1 takes `(-2) ** 2` for `-2 ** 2`, which is not allowed.
  'exponent of a signed number': feature(2016, 52, NOT_IN_ESPRIMA),
  'async function': feature(2017, 52),
  'trailing comma in a call or in parameters': feature(2017, 52),
  'object spread': feature(2018, 55, NOT_IN_ESPRIMA),
  'object rest': feature(2018, 55, NOT_IN_ESPRIMA),
  'async iteration': feature(2018, 57, NOT_IN_ESPRIMA),
  'regular expression flag s': feature(2018, 78, { becomesNull: true }),
  'Unicode property escape': feature(2018, 78, { becomesNull: true }),
  lookbehind: feature(2018, 78),
  'named group': feature(2018, 78),
  'catch without a parameter': feature(2019, 58, NOT_IN_ESPRIMA),
  'line separator in a string': feature(2019, 62, NOT_IN_ESPRIMA),
  'optional chaining': feature(2020, 74, NOT_IN_ESPRIMA),
  'nullish coalescing': feature(2020, 72, NOT_IN_ESPRIMA),
  BigInt: feature(2020, 68, { esprima: false, quickjs: { from: '3.5' } }),
  'dynamic import': feature(2020, NEVER, NOT_IN_ESPRIMA),
  'logical assignment': feature(2021, 79, NOT_IN_ESPRIMA),
  'numeric separator': feature(2021, 70, NOT_IN_ESPRIMA),
  'class field': feature(2022, 69, NOT_IN_ESPRIMA),
  'private name': feature(2022, 90, NOT_IN_ESPRIMA),
  'static block': feature(2022, 93, NOT_IN_ESPRIMA),
  'regular expression flag d': feature(2022, 88, { becomesNull: true }),
  'regular expression flag v': feature(2024, 116, { becomesNull: true }),
  'regular expression modifiers': feature(2025, 132),
  'using declaration': feature(2026, NEVER, { esprima: false, quickjs: false }),
};

/** @typedef {keyof typeof FEATURES} FeatureName */
