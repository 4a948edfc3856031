// Runs random maps in the sandbox, and checks what reading claims of them against what they emit.

import { findContradiction } from './claims-of-maps.js';
import { randomOf } from './random-functions.js';
import { GuardedMapWriter, guardedDocument } from './random-guarded-maps.js';

/** @import { Flow } from '../../lib/javascript/flow.js' */
/** @import { parseFunction } from '../../lib/javascript/parse.js' */
/** @import { ParsedFunction } from '../../lib/javascript/parse.js' */
/** @import { Emitted } from '../../lib/proof/emitted-values.js' */
/** @import { Sandbox } from '../../lib/sandbox/sandbox.js' */
/** @import { Row } from './claims-of-maps.js' */

/**
 * @typedef {object} Analysis what is under test, or a mutant of it
 * @property {typeof parseFunction} parseFunction
 * @property {(parsed: ParsedFunction, parameters: string[]) => Flow | {unknown: string}} followFlow
 * @property {(source: string) => Emitted} emittedValues
 */

/** @typedef {{source: string, documents: unknown[]}} MapCase a map that begins `function (doc) {`, whose emits have literal keys of their own */
/** @typedef {{source: string, rows: (Row & {document: unknown})[]}} RunMap a map, and what it emitted */
/** @typedef {{claim: 'always' | 'unknown' | 'some', contradiction: (Row & {document: unknown}) | undefined}} Judged `always`: its values are claimed to
 *  be numbers whatever the document; `unknown`: reading gave up */

/** Documents that each random map is run with. */
const DOCUMENTS_EACH = 12;

/** Ends a map that does not end by itself. */
const CLOCK = 'var ticks_ = 0; function tick() { if (++ticks_ > 150) throw 0; }';

/**
 * @param {number} seed
 * @returns {MapCase}
 */
export function randomMapCase(seed) {
  const random = randomOf(seed);
  const source = new GuardedMapWriter(random).map();
  return { source, documents: Array.from({ length: DOCUMENTS_EACH }, () => guardedDocument(random)) };
}

/**
 * Runs maps in one job of the sandbox, which makes a realm for each job.
 * @param {Sandbox} sandbox
 * @param {MapCase[]} cases
 * @returns {Promise<RunMap[]>}
 */
export async function runMaps(sandbox, cases) {
  const functions = cases.map(({ source }) => source.replace('{', `{ ${CLOCK}\n`).replaceAll('/*tick*/', 'tick();'));
  const answers = await sandbox.map({
    source: `(function (maps) { return function (input) { maps[input.at](input.doc); }; })([${functions.join(',\n')}])`,
    docs: cases.flatMap(({ documents }, at) => documents.map((doc) => ({ at, doc }))),
  });
  let next = 0;
  return cases.map(({ source, documents }) => ({
    source,
    rows: documents.flatMap((document) => {
      const answer = answers[next++];
      return answer && 'emits' in answer ? answer.emits.map((row) => ({ ...row, document })) : [];
    }),
  }));
}

/**
 * @param {Analysis} analysis
 * @param {RunMap} ran
 * @returns {Judged}
 */
export function judgeMap({ parseFunction, followFlow, emittedValues }, { source, rows }) {
  const tree = parseFunction(source);
  if (!tree.ok) throw new Error(`the map does not parse: ${source}`);
  const flow = followFlow(tree, ['doc']);
  if ('unknown' in flow) return { claim: 'unknown', contradiction: undefined };
  const isAlways = emittedValues(source).number.isNumber === 'always';
  const contradiction =
    findContradiction(flow, rows) ?? (isAlways ? rows.find(({ value }) => typeof value !== 'number') : undefined);
  return { claim: isAlways ? 'always' : 'some', contradiction };
}
