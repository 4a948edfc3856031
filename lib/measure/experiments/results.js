// Writes and reads the result file of a run: one JSON value per line, so that a round is kept by appending a line.
// Lines that are cut off or not recognized are skipped. Pure.

import { hashText } from '../../shared/hash-text.js';
import { parseJson } from '../../shared/parse-json.js';

/** @import { Environment } from './environment.js' */
/** @import { Experiment, Result, Sample, Verdict } from './experiment.js' */

/**
 * @typedef {object} RunLine The head of a file.
 * @property {'run'} type
 * @property {1} version of this shape
 * @property {string} at ISO 8601
 * @property {string} seed
 * @property {number | null} connections null where each experiment has its own
 * @property {number} budgetMs
 * @property {number} pairs the most
 * @property {Environment} environment
 */

/** @typedef {{type: 'sample', experiment: string} & Sample} SampleLine */
/** @typedef {{type: 'result'} & Result} ResultLine */
/** @typedef {{type: 'verdict', experiment: string} & Verdict} VerdictLine */
/** @typedef {{type: 'start', experiment: string, fingerprint: string}} StartLine what the samples behind it belong to */
/** @typedef {RunLine | StartLine | SampleLine | ResultLine | VerdictLine} Line */

/**
 * @param {Line} line
 * @returns {string} ends in a line feed
 */
export function writeLine(line) {
  // Microseconds are below what is measured.
  const text = JSON.stringify(line, (_, value) => (typeof value === 'number' ? Number(value.toPrecision(9)) : value));
  return `${text}\n`;
}

/**
 * @param {string} text of a result file
 * @returns {Map<string, Result>} finished experiments by fingerprint, the last of each
 */
export function readFinished(text) {
  /** @type {Map<string, Result>} */
  const finished = new Map();
  for (const line of text.split('\n')) {
    const value = parseJson(line);
    if (isFinished(value)) {
      const { type: _, ...result } = value;
      finished.set(value.fingerprint, result);
    }
  }
  return finished;
}

/**
 * @param {string} text of a result file
 * @returns {Map<string, Sample[]>} rounds of experiments by fingerprint, as far as pairs are whole: where one that was cut short goes on
 */
export function readUnfinished(text) {
  /** @type {Map<string, string>} */
  const fingerprints = new Map();
  /** @type {Map<string, Map<number, Sample[]>>} */
  const pairs = new Map();
  for (const line of text.split('\n')) {
    const value = parseJson(line);
    if (isStart(value)) fingerprints.set(value.experiment, value.fingerprint);
    else if (isSample(value) && value.connections === undefined) {
      const { type: _, experiment, ...sample } = value;
      const fingerprint = fingerprints.get(experiment);
      if (fingerprint === undefined) continue;
      const known = pairs.get(fingerprint) ?? new Map();
      pairs.set(fingerprint, known.set(sample.pair, [...(known.get(sample.pair) ?? []), sample]));
    }
  }
  return new Map([...pairs].map(([fingerprint, found]) => [fingerprint, wholePairs(found)]));
}

/**
 * @param {Map<number, Sample[]>} pairs
 * @returns {Sample[]} up to the first pair that has fewer rounds than the first one, or is not there
 */
function wholePairs(pairs) {
  const arms = new Set(pairs.get(0)?.map(({ arm }) => arm)).size;
  /** @type {Sample[]} */
  const samples = [];
  for (let pair = 0; ; pair += 1) {
    const rounds = pairs.get(pair) ?? [];
    if (rounds.length === 0 || rounds.length !== arms) return samples;
    samples.push(...rounds);
  }
}

/** @param {unknown} value @returns {value is StartLine} */
function isStart(value) {
  const { type, experiment, fingerprint } = /** @type {Record<string, unknown>} */ (value ?? {});
  return type === 'start' && typeof experiment === 'string' && typeof fingerprint === 'string';
}

/** @param {unknown} value @returns {value is SampleLine} */
function isSample(value) {
  const { type, experiment, arm, pair, ms, latencies, counters } = /** @type {Record<string, unknown>} */ (value ?? {});
  const isWhole = type === 'sample' && typeof experiment === 'string' && typeof arm === 'string';
  const isCounted = Number.isInteger(pair) && typeof ms === 'number' && Array.isArray(latencies);
  return isWhole && isCounted && typeof counters === 'object' && counters !== null;
}

/**
 * @param {Experiment} experiment
 * @param {{server: string, seed: string, documents: number, connections: number, tool: string}} settings
 * @returns {string} another one where anything differs that the result depends on
 */
export function fingerprintOf(experiment, { server, seed, documents, connections, tool }) {
  return hashText(JSON.stringify([experiment, server, seed, documents, connections, tool]));
}

/**
 * @param {unknown} value
 * @returns {value is ResultLine}
 */
function isFinished(value) {
  if (typeof value !== 'object' || value === null) return false;
  const { type, state, fingerprint, logRatios, arms, warnings, margin } = /** @type {Record<string, unknown>} */ (
    value
  );
  const isWhole =
    type === 'result' && state === 'done' && typeof fingerprint === 'string' && typeof margin === 'number';
  const isNumber = (/** @type {unknown} */ ratio) => typeof ratio === 'number';
  return (
    isWhole && Array.isArray(logRatios) && logRatios.every(isNumber) && Array.isArray(arms) && Array.isArray(warnings)
  );
}
