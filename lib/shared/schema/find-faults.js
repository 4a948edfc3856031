// Describes what is wrong with a value that does not fit its schema: each fault as a sentence, with where it is and
// what to do.

import { nearest } from '../nearest.js';
import { jsonTypeOf } from '../values.js';
import { checkOf } from './checks.js';

/** @import { ErrorObject } from 'ajv' */
/** @import { SchemaName } from './compile.js' */

/**
 * @typedef {object} SchemaFault
 * @property {string} message
 * @property {string[]} pointer keys that lead to the part that it is about; indexes of lists as strings
 * @property {string | undefined} hint the change to make, or what is expected there
 */

/** What the types of JSON are called. @type {Record<string, string>} */
const TYPES = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

/** What the lengths of values are counted in, by keyword. @type {Record<string, string>} */
const UNITS = { minLength: 'character', minItems: 'item', minProperties: 'member' };

/** Characters of a value in a message. */
const MAX_SHOWN = 80;

/** They fail because of others, which say more. */
const COMBINING = new Set(['anyOf', 'oneOf', 'if', 'not']);

/**
 * @param {SchemaName | object} schema one of the package by its name, or itself
 * @param {unknown} value
 * @param {string} whole what the value is called in messages: `the configuration`
 * @returns {SchemaFault[]} the most specific first; none where the value fits
 */
export function findFaults(schema, value, whole) {
  const check = checkOf(schema);
  if (check(value)) return [];
  const errors = check.errors ?? [];
  const telling = errors.filter(({ keyword, propertyName }) => !COMBINING.has(keyword) && propertyName === undefined);
  return (telling.length > 0 ? telling : errors)
    .toSorted((first, second) => weight(second) - weight(first))
    .map((error) => describe(error, whole));
}

/**
 * @param {ErrorObject} error
 * @returns {number} how specific it is
 */
function weight({ instancePath, keyword, data }) {
  const depth = instancePath.split('/').length;
  // A misspelt key says more than a type that does not fit beside it.
  if (keyword === 'additionalProperties') return depth + 0.5;
  // Of `"warn"` for a rule it is reported which words are possible, not that an object could stand there too.
  if (keyword === 'enum' && typeof data === 'string') return depth + 0.25;
  return depth;
}

/**
 * @param {ErrorObject} error
 * @param {string} whole
 * @returns {SchemaFault}
 */
function describe({ keyword, instancePath, params, data, parentSchema, message }, whole) {
  const pointer = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const name = pointer.length > 0 ? `\`${pointer.join('.')}\`` : whole;
  const meaning = parentSchema?.['description'] ? `meaning: ${parentSchema['description']}` : undefined;
  switch (keyword) {
    case 'additionalProperties': {
      const key = String(params['additionalProperty']);
      const known = Object.keys(parentSchema?.['properties'] ?? {});
      const guess = nearest(key, known);
      const hint = guess ? `did you mean \`${guess}\`?` : `known keys: ${known.join(', ')}`;
      return { message: `unknown key \`${key}\` in ${name}`, pointer: [...pointer, key], hint };
    }
    case 'enum': {
      const allowed = /** @type {unknown[]} */ (params['allowedValues']).map(String);
      const guess = typeof data === 'string' ? nearest(data, allowed) : undefined;
      const hint = `${guess ? `did you mean \`${guess}\`? ` : ''}must be one of ${allowed.join(', ')}`;
      return { message: `invalid value ${shown(data)} for ${name}`, pointer, hint };
    }
    case 'const':
      return {
        message: `invalid value ${shown(data)} for ${name}: must be ${shown(params['allowedValue'])}`,
        pointer,
        hint: meaning,
      };
    case 'required':
      return { message: `missing key \`${params['missingProperty']}\` in ${name}`, pointer, hint: 'add it' };
    case 'pattern':
      return { message: `invalid value ${shown(data)} for ${name}`, pointer, hint: meaning };
    case 'propertyNames': {
      const key = String(params['propertyName']);
      const hint = 'use lowercase letters, digits and hyphens, starting with a letter';
      return { message: `invalid name \`${key}\` in ${name}`, pointer: [...pointer, key], hint };
    }
    case 'type': {
      const wanted = [params['type']].flat().map((type) => TYPES[type]);
      return {
        message: `${name} must be ${wanted.join(' or ')}, not ${TYPES[jsonTypeOf(data)]}`,
        pointer,
        hint: meaning,
      };
    }
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return {
        message: `${name} must have at least ${params['limit']} ${UNITS[keyword]}${params['limit'] === 1 ? '' : 's'}`,
        pointer,
        hint: meaning,
      };
    default:
      return { message: `${name} ${message}`, pointer, hint: meaning };
  }
}

/**
 * @param {unknown} data
 * @returns {string} as JSON, cut where it is long
 */
function shown(data) {
  const text = JSON.stringify(data);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
