// Determines which of CouchDB's JavaScript engines run a function, from what it needs. Knows the engines, not the
// rules.

import { compareVersions, NEWEST_COUCHDB } from '../shared/version.js';
import { FEATURES } from './features.js';

/** @import { QuickjsSupport } from './api-support.js' */
/** @import { ApiUse } from './apis.js' */
/** @import { Feature } from './features.js' */
/** @import { LegacyUse } from './legacy.js' */
/** @import { ShapeFault } from './shape.js' */
/** @import { FeatureUse } from './syntax.js' */

/** @typedef {'spidermonkey-1.8.5' | 'spidermonkey-60' | 'spidermonkey-78' | 'spidermonkey-91' | 'quickjs'} EngineName `spidermonkey-91` means 91 and later */
/** What CouchDB runs a function as. @typedef {'map' | 'reduce' | 'filter' | 'validate' | 'update' | 'show' | 'list' | 'rewrite' | 'library' | 'search'} FunctionRole */
/** What comes of it: views are compiled when the document is saved, all other functions when they are first used
 *  (couch_mrview.erl validate, 1.1 to 3.5.2). @typedef {'rejected at save' | 'throws when run' | 'reads undefined'} Effect */
/** @typedef {{feature: string, start: number, end: number, effect: Effect}} Failure */
/** @typedef {{accepted: boolean, failures: Failure[]}} Judgement `accepted` where it compiles */

/**
 * @typedef {object} Needs What a function needs of the engine.
 * @property {FeatureUse[]} features
 * @property {ApiUse[]} apis
 * @property {ShapeFault[]} shapeFaults
 * @property {LegacyUse | undefined} legacy the construct of SpiderMonkey 1.8.5 that the parser stopped at
 */

/** @type {readonly EngineName[]} oldest first */
export const ENGINES = ['spidermonkey-1.8.5', 'spidermonkey-60', 'spidermonkey-78', 'spidermonkey-91', 'quickjs'];

/** The Firefox version each SpiderMonkey is of. `spidermonkey-91` means all from there to 128: what only some of
 *  them lack is not held against it. @type {Map<EngineName, number>} */
const FIREFOX_VERSIONS = new Map([
  ['spidermonkey-1.8.5', 4],
  ['spidermonkey-60', 60],
  ['spidermonkey-78', 78],
  ['spidermonkey-91', 128],
]);

/** @type {Map<EngineName, string>} */
const LABELS = new Map([
  ['spidermonkey-1.8.5', '1.8.5'],
  ['spidermonkey-60', '60'],
  ['spidermonkey-78', '78'],
  ['spidermonkey-91', '91+'],
]);

/** Engines by the CouchDB version that brought them; of each row those of the greatest version not above the target hold.
 *  SM_VSN of src/couch/rebar.config.script and configure, by tag. @type {[string, EngineName[]][]} */
const ENGINES_SINCE = [
  // whatsnew/1.1.rst and 2.3.rst. 1.x could be built with 1.7 and 1.8.0 too, which take no more than 1.8.5.
  ['0', ['spidermonkey-1.8.5']],
  // whatsnew/3.0.rst: "SpiderMonkey 60 or SpiderMonkey 1.8.5". 3.1.0 adds 68.
  ['3.0', ['spidermonkey-1.8.5', 'spidermonkey-60']],
  // whatsnew/3.2.rst: 78 and 86.
  ['3.2', ['spidermonkey-1.8.5', 'spidermonkey-60', 'spidermonkey-78']],
  // whatsnew/3.2.rst: 91, from 3.2.2 on.
  ['3.2.2', ['spidermonkey-1.8.5', 'spidermonkey-60', 'spidermonkey-78', 'spidermonkey-91']],
  // 3.4.0 brings QuickJS, and its configure builds with 91 where nothing is said, no longer with 1.8.5, which only an own
  // build still has. 3.4.3 adds 102, 115 and 128; 3.5.2 builds with 128.
  ['3.4', ['spidermonkey-60', 'spidermonkey-78', 'spidermonkey-91', 'quickjs']],
];

/**
 * @param {string} version of CouchDB
 * @returns {EngineName[]} the engines its builds may have, oldest first
 */
export function enginesOfVersion(version) {
  const row = ENGINES_SINCE.findLast(([since]) => compareVersions(version, since) >= 0);
  return [...(row ? row[1] : [])];
}

/**
 * @param {EngineName[]} engines oldest first
 * @returns {string} `SpiderMonkey 60, 78, 91+ and QuickJS`
 */
export function engineNames(engines) {
  const versions = engines.flatMap((engine) => LABELS.get(engine) ?? []);
  const names = versions.length > 0 ? [`SpiderMonkey ${versions.join(', ')}`] : [];
  if (engines.includes('quickjs')) names.push('QuickJS');
  return names.join(' and ');
}

/**
 * @param {EngineName} engine
 * @param {Needs} needs
 * @param {FunctionRole} role modules are `library`: they are not rewritten by esprima (share/server/util.js `require`)
 * @param {string} [version] of CouchDB: QuickJS is not the same in each
 * @returns {Judgement}
 */
export function judgeEngine(engine, needs, role, version = NEWEST_COUCHDB) {
  const atSave = role === 'map' || role === 'reduce';
  /** @type {Effect} */
  const refused = atSave ? 'rejected at save' : 'throws when run';
  /** @type {Failure[]} */
  const failures = [];
  const { legacy } = needs;
  if (legacy && engine !== 'spidermonkey-1.8.5') {
    failures.push({ feature: legacy.name, start: legacy.start, end: legacy.end, effect: refused });
  }
  for (const { feature, start, end } of needs.features) {
    const outcome = outcomeOf(FEATURES[feature], { engine, version, isModule: role === 'library' });
    if (outcome === 'taken') continue;
    failures.push({ feature, start, end, effect: outcome === 'null' ? 'throws when run' : refused });
  }
  for (const { feature, start, end, engines } of needs.shapeFaults) {
    if (engines.includes(engine)) failures.push({ feature, start, end, effect: refused });
  }
  const compiles = failures.every(({ effect }) => effect !== refused);
  for (const { api, start, end, isMissing, effect } of needs.apis) {
    if (isMissing(engine, version)) failures.push({ feature: api, start, end, effect });
  }
  return { accepted: compiles, failures };
}

/**
 * @param {Feature} feature
 * @param {{engine: EngineName, version: string, isModule: boolean}} where
 * @returns {'taken' | 'refused' | 'null'} `null` where the engine gets null instead of a regular expression
 */
function outcomeOf({ since, esprima, quickjs, becomesNull }, { engine, version, isModule }) {
  if (engine === 'quickjs') return isInQuickjs(quickjs, version) ? 'taken' : 'refused';
  if (engine !== 'spidermonkey-1.8.5' && !isModule && !esprima) return 'refused';
  if (!isNewerThan(since, engine)) return 'taken';
  return becomesNull && engine !== 'spidermonkey-1.8.5' && !isModule ? 'null' : 'refused';
}

/**
 * @param {QuickjsSupport | undefined} support undefined where it always had it
 * @param {string} version of CouchDB
 * @returns {boolean} whether the QuickJS of that version has it
 */
export function isInQuickjs(support = true, version) {
  if (typeof support === 'boolean') return support;
  if ('from' in support) return compareVersions(version, support.from) >= 0;
  return compareVersions(version, support.before) < 0;
}

/**
 * @param {number} since a Firefox version
 * @param {EngineName} engine a SpiderMonkey
 * @returns {boolean} whether the engine is older
 */
export function isNewerThan(since, engine) {
  const version = FIREFOX_VERSIONS.get(engine);
  return version !== undefined && since > version;
}
