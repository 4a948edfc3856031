// Reads the settings of a scenario from the command line: defaults, limits, lists. Pure.

import { nearest } from '../../shared/nearest.js';
import { formatCount } from '../../shared/units.js';
import { UserError } from '../../shared/user-error.js';
import { SCENARIOS } from './list.js';

/** @import { ScenarioSpec, Settings } from './scenario.js' */

/** The least and the most of each; of lists, of each number. @type {Record<string, [number, number]>} */
const LIMITS = {
  size: [1, 10_000_000],
  'large-size': [1, 1_000_000],
  rounds: [1, 200],
  requests: [1, 100_000],
  batch: [1, 100_000],
  batches: [1, 100_000],
  pages: [1, 100_000],
  shards: [1, 64],
  'shard-count': [1, 64],
  'document-bytes': [100, 8_000_000],
  connections: [1, 1000],
  pause: [0, 3600],
  timeout: [1, 3600],
};

/** A round has no more requests than this: each is kept with its time. */
const MAX_REQUESTS = 1_000_000;

/** The options that set something, by their names. */
export const SETTING_NAMES = Object.keys(LIMITS);

/**
 * @param {string} name
 * @returns {ScenarioSpec}
 * @throws {UserError} where there is none
 */
export function findScenario(name) {
  const found = SCENARIOS.find((scenario) => scenario.name === name);
  if (found) return found;
  const names = SCENARIOS.map((scenario) => scenario.name);
  const guess = nearest(name, names);
  throw new UserError('no-scenario', `unknown scenario \`${name}\``, {
    hint: `${guess ? `did you mean \`${guess}\`? ` : ''}scenarios: ${names.join(', ')}`,
  });
}

/**
 * @param {ScenarioSpec} scenario
 * @param {ReadonlyMap<string, string | number>} given by the name of the option; lists as texts
 * @param {{isFull?: boolean}} [options] `isFull`: sizes as published where nothing is given
 * @returns {Settings}
 * @throws {UserError} where it is no setting of this scenario, or beyond its limits
 */
export function readSettings(scenario, given, { isFull = false } = {}) {
  const settings = { ...(isFull ? scenario.full : scenario.defaults) };
  for (const [name, value] of given) {
    const known = Object.hasOwn(settings, name) ? settings[name] : undefined;
    if (known === undefined) {
      throw new UserError('unused-option', `${scenario.name} has no option --${name}`, {
        hint: `its options: ${Object.keys(settings)
          .map((one) => `--${one}`)
          .join(', ')}`,
      });
    }
    const numbers = Array.isArray(known) ? readList(name, String(value)) : [readNumber(name, String(value))];
    if (name === 'document-bytes' && numbers.length !== 2) {
      throw new UserError('bad-list', '--document-bytes requires two sizes', {
        hint: 'for example: --document-bytes 1000,300000',
      });
    }
    settings[name] = Array.isArray(known) ? numbers : (numbers[0] ?? 0);
  }
  const { connections, requests } = settings;
  if (typeof connections === 'number' && typeof requests === 'number' && connections * requests > MAX_REQUESTS) {
    throw new UserError('bad-number', `--connections times --requests exceeds ${formatCount(MAX_REQUESTS)}`, {
      hint: `for example: --requests ${Math.floor(MAX_REQUESTS / connections)}`,
    });
  }
  return settings;
}

/** @param {string} name @param {string} text @returns {number[]} in order, each once */
function readList(name, text) {
  const numbers = text.split(',').map((part) => readNumber(name, part.trim()));
  return [...new Set(numbers)].sort((first, second) => first - second);
}

/** @param {string} name @param {string} text @returns {number} */
function readNumber(name, text) {
  const [least, most] = LIMITS[name] ?? [0, 0];
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UserError(
    'bad-number',
    `invalid --${name}${text === '' ? '' : ` ${text}`}: must be between ${least} and ${most}`,
    {
      hint: `for example: --${name} ${least}`,
    },
  );
}
