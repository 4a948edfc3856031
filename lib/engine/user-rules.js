// Rules that users bring: validated against the schema and checked like the bundled ones, with errors that say where.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { factCatalog } from '../facts/catalog.js';
import { nearest } from '../shared/nearest.js';
import { ruleFaults } from './check-rule.js';
import { BUNDLED_RULES, ruleFiles } from './load.js';

/** @import { ErrorObject } from 'ajv' */
/** @import { ReadError } from '../sources/record.js' */
/** @import { Rule } from './rule.js' */

/**
 * @param {string[]} folders absolute
 * @param {ReadonlySet<string>} taken ids of the bundled rules
 * @returns {{rules: Rule[], errors: ReadError[]}}
 */
export function readUserRules(folders, taken) {
  const schema = JSON.parse(readFileSync(path.join(BUNDLED_RULES, 'rule.schema.json'), 'utf8'));
  const validate = new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true }).compile(schema);
  /** @type {Rule[]} */
  const rules = [];
  /** @type {ReadError[]} */
  const errors = [];
  const seen = new Set(taken);
  for (const folder of folders) {
    let files;
    try {
      files = ruleFiles(folder);
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      errors.push(
        fault(folder, `the rule folder cannot be read (${code})`, 'check `ruleFolders` in the configuration'),
      );
      continue;
    }
    if (files.length === 0) {
      const hint = 'each rule is <folder>/<family>/<name>/rule.json';
      errors.push(fault(folder, 'the rule folder holds no rule', hint));
    }
    for (const { id, file } of files) {
      const found = readOne(file, id, validate, seen);
      if ('rule' in found) {
        rules.push(found.rule);
        seen.add(id);
      } else errors.push(...found.faults.map(({ message, hint }) => fault(file, message, hint)));
    }
  }
  return { rules, errors };
}

/** @typedef {{message: string, hint?: string}} Fault */

/**
 * @param {string} file
 * @param {string} id
 * @param {import('ajv').ValidateFunction} validate
 * @param {ReadonlySet<string>} taken
 * @returns {{rule: Rule} | {faults: Fault[]}}
 */
function readOne(file, id, validate, taken) {
  let rule;
  try {
    rule = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    return { faults: [{ message: `it is not JSON: ${/** @type {Error} */ (error).message}` }] };
  }
  if (!validate(rule)) return { faults: (validate.errors ?? []).map(describe) };
  if (taken.has(id)) return { faults: [{ message: `a rule \`${id}\` exists already`, hint: 'give it another name' }] };
  // Fixes are code of this package; rules of users may name facts, which all are in the catalog, and no fixes.
  const faults = ruleFaults(rule, id, { facts: factCatalog, fixes: new Set() });
  if (faults.length === 0) return { rule: { ...rule, folder: path.dirname(file) } };
  return { faults: faults.map((message) => ({ message, hint: hintFor(message) })) };
}

/**
 * @param {string} message
 * @returns {string | undefined} the fact that may have been meant
 */
function hintFor(message) {
  const name = /`([^`]+)`, and no fact is called so/.exec(message)?.[1];
  const guess = name && nearest(name, factCatalog.keys());
  return guess ? `did you mean \`${guess}\`?` : undefined;
}

/**
 * @param {ErrorObject} error
 * @returns {Fault}
 */
function describe(error) {
  const where = error.instancePath.slice(1).replaceAll('/', '.') || 'the rule';
  if (error.keyword === 'additionalProperties') {
    const key = String(error.params['additionalProperty']);
    const known = Object.keys(/** @type {Record<string, unknown>} */ (error.parentSchema?.['properties'] ?? {}));
    const guess = nearest(key, known);
    return {
      message: `\`${where}\` has the key \`${key}\`, which is not known`,
      hint: guess ? `did you mean \`${guess}\`?` : `known here: ${known.join(', ')}`,
    };
  }
  if (error.keyword === 'enum') {
    const allowed = /** @type {string[]} */ (error.params['allowedValues']);
    const message = `\`${where}\` is ${JSON.stringify(error.data)}, which is not possible`;
    return { message, hint: `possible: ${allowed.join(', ')}` };
  }
  if (error.keyword === 'required')
    return { message: `\`${where}\` lacks the key \`${error.params['missingProperty']}\`` };
  return { message: `\`${where}\` ${error.message}` };
}

/**
 * @param {string} file
 * @param {string} message
 * @param {string} [hint]
 * @returns {ReadError}
 */
function fault(file, message, hint) {
  return { code: 'bad-rule', message, hint, place: { file, line: 1, column: 1 } };
}
