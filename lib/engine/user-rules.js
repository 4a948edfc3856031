// Rules that users bring: validated against the schema and checked like the bundled ones, with errors that say where.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { factCatalog } from '../facts/catalog.js';
import { nearest } from '../shared/nearest.js';
import { SourceFile } from '../shared/source-file.js';
import { ruleFaults } from './check-rule.js';
import { BUNDLED_RULES, ruleFiles } from './rule-files.js';

/** @import { ErrorObject, ValidateFunction } from 'ajv' */
/** @import { ReadError } from '../sources/record.js' */
/** @import { RuleFault } from './check-rule.js' */
/** @import { Rule } from './rule.js' */

/** What people call the types of JSON. @type {Record<string, string>} */
const KINDS = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

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
      const message = `the rule folder cannot be read (${code})`;
      errors.push(errorAt(folder, message, 'check `ruleFolders` in the configuration'));
      continue;
    }
    if (files.length === 0) {
      errors.push(errorAt(folder, 'the rule folder holds no rule', 'each rule is <folder>/<family>/<name>/rule.json'));
    }
    for (const { id, file } of files) {
      const found = readOne(file, id, validate, seen);
      if ('errors' in found) errors.push(...found.errors);
      else {
        rules.push(found.rule);
        seen.add(id);
      }
    }
  }
  return { rules, errors };
}

/**
 * @param {string} file
 * @param {string} id
 * @param {ValidateFunction} validate
 * @param {ReadonlySet<string>} taken
 * @returns {{rule: Rule} | {errors: ReadError[]}}
 */
function readOne(file, id, validate, taken) {
  let text;
  try {
    text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    const hint = code === 'ENOENT' ? 'each folder of a family holds one rule' : undefined;
    return { errors: [errorAt(file, `the rule cannot be read (${code})`, hint)] };
  }
  const source = new SourceFile(file, text);
  let rule;
  try {
    rule = JSON.parse(text);
  } catch {
    return { errors: [notJson(source)] };
  }
  if (!validate(rule)) return { errors: errorsOf(source, (validate.errors ?? []).flatMap(describe)) };
  if (taken.has(id)) {
    const fault = { message: `a rule \`${id}\` exists already`, pointer: ['id'], hint: 'give it another name' };
    return { errors: errorsOf(source, [fault]) };
  }
  // Fixes belong to the bundled rules: each is written for the facts of theirs.
  const faults = ruleFaults(rule, id, { facts: factCatalog, fixes: new Set() });
  return faults.length === 0 ? { rule: { ...rule, folder: path.dirname(file) } } : { errors: errorsOf(source, faults) };
}

/**
 * @param {ErrorObject} error
 * @returns {RuleFault[]} none for an error that only repeats another
 */
function describe({ keyword, instancePath, params, data, parentSchema }) {
  const pointer = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const name = pointer.length > 0 ? `\`${pointer.join('.')}\`` : 'the rule';
  const wanted = parentSchema?.['description'] ? `it is ${parentSchema['description']}` : undefined;
  if (keyword === 'additionalProperties') {
    const key = String(params['additionalProperty']);
    const known = Object.keys(parentSchema?.['properties'] ?? {});
    const guess = nearest(key, known);
    const hint = guess ? `did you mean \`${guess}\`?` : `known here: ${known.join(', ')}`;
    return [{ message: `${name} has the key \`${key}\`, which is not known`, pointer: [...pointer, key], hint }];
  }
  if (keyword === 'enum') {
    const allowed = /** @type {string[]} */ (params['allowedValues']);
    const guess = typeof data === 'string' ? nearest(data, allowed) : undefined;
    const hint = `${guess ? `did you mean \`${guess}\`? ` : ''}possible: ${allowed.join(', ')}`;
    return [{ message: `${name} is ${JSON.stringify(data)}, which is not possible`, pointer, hint }];
  }
  if (keyword === 'required') {
    return [{ message: `${name} lacks the key \`${params['missingProperty']}\``, pointer, hint: 'add it' }];
  }
  if (keyword === 'pattern') {
    return [{ message: `${name} is ${JSON.stringify(data)}, which has another form`, pointer, hint: wanted }];
  }
  if (keyword === 'propertyNames') {
    const key = String(params['propertyName']);
    const hint = 'small letters, digits and hyphens, beginning with a letter';
    return [{ message: `${name} has the name \`${key}\`, which is not possible`, pointer: [...pointer, key], hint }];
  }
  if (keyword === 'type') {
    const types = [params['type']].flat().map((type) => KINDS[type]);
    const found = KINDS[kindOf(data)];
    return [{ message: `${name} is ${found} and must be ${types.join(' or ')}`, pointer, hint: wanted }];
  }
  if (keyword.startsWith('min')) {
    const least = params['limit'];
    const unit = keyword === 'minLength' ? 'characters' : keyword === 'minItems' ? 'items' : 'members';
    return [{ message: `${name} has fewer than ${least} ${unit}`, pointer, hint: wanted }];
  }
  return [];
}

/**
 * @param {unknown} data
 * @returns {string}
 */
function kindOf(data) {
  if (data === null) return 'null';
  return Array.isArray(data) ? 'array' : typeof data;
}

/**
 * @param {SourceFile} source
 * @param {RuleFault[]} faults
 * @returns {ReadError[]}
 */
function errorsOf(source, faults) {
  const root = parseTree(source.text);
  return faults.map(({ message, pointer, hint }) => {
    // Pointers of the validator have texts for the places in lists.
    const asNumbers = pointer.map((part) => (/^\d+$/.test(String(part)) ? Number(part) : part));
    const node = root && (findNodeAtLocation(root, pointer) ?? findNodeAtLocation(root, asNumbers));
    const key = node?.parent?.type === 'property' ? node.parent.children?.[0] : node;
    const place = key ? source.place(key.offset, key.offset + key.length) : source.place(0);
    return { code: 'bad-rule', message, place, hint };
  });
}

/**
 * @param {SourceFile} source
 * @returns {ReadError}
 */
function notJson(source) {
  /** @type {import('jsonc-parser').ParseError[]} */
  const errors = [];
  parseTree(source.text, errors, { disallowComments: true });
  const place = source.place(errors[0]?.offset ?? 0);
  return {
    code: 'bad-rule',
    message: 'the rule is not JSON',
    place,
    hint: 'comments and trailing commas are not allowed in it',
  };
}

/**
 * @param {string} file
 * @param {string} message
 * @param {string} [hint]
 * @returns {ReadError}
 */
function errorAt(file, message, hint) {
  return { code: 'bad-rule', message, hint, place: { file, line: 1, column: 1 } };
}
