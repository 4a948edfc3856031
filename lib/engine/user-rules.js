// Reads rules that users bring: validated against the schema and checked like the bundled ones, with errors that name
// the place.

import path from 'node:path';
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { factCatalog } from '../facts/catalog.js';
import { readTextFile, reasonOf } from '../files/open-file.js';
import { findFaults } from '../shared/schema/find-faults.js';
import { SourceFile } from '../shared/source-file.js';
import { ruleFaults } from './check-rule.js';
import { ruleFiles } from './rule-files.js';

/** @import { ReadError } from '../sources/record.js' */
/** @import { RuleFault } from './check-rule.js' */
/** @import { Rule } from './rule.js' */

/** Of a rule. */
const MAX_BYTES = 1024 * 1024;

/**
 * @param {string[]} folders absolute
 * @param {ReadonlySet<string>} taken ids of the bundled rules
 * @returns {{rules: Rule[], errors: ReadError[]}}
 */
export function readUserRules(folders, taken) {
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
      const message = `cannot read the rule folder (${code})`;
      errors.push(errorAt(folder, message, 'check `ruleFolders` in the configuration'));
      continue;
    }
    if (files.length === 0) {
      errors.push(
        errorAt(folder, 'the rule folder contains no rules', 'rules are stored as <folder>/<family>/<name>/rule.json'),
      );
    }
    for (const { id, file } of files) {
      const found = readOne(file, id, seen);
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
 * @param {ReadonlySet<string>} taken
 * @returns {{rule: Rule} | {errors: ReadError[]}}
 */
function readOne(file, id, taken) {
  let text;
  try {
    text = readTextFile(file, { within: path.dirname(file), maxBytes: MAX_BYTES });
  } catch (error) {
    const reason = reasonOf(error);
    const hint = reason === 'ENOENT' ? 'each folder below a family must contain a rule.json' : undefined;
    return { errors: [errorAt(file, `cannot read the rule (${reason})`, hint)] };
  }
  const source = new SourceFile(file, text);
  let rule;
  try {
    rule = JSON.parse(text);
  } catch {
    return { errors: [notJson(source)] };
  }
  const misfits = findFaults('rule', rule, 'the rule');
  if (misfits.length > 0) return { errors: errorsOf(source, misfits) };
  if (taken.has(id)) {
    const fault = { message: `rule \`${id}\` already exists`, pointer: ['id'], hint: 'rename it' };
    return { errors: errorsOf(source, [fault]) };
  }
  // Fixes belong to the bundled rules: each is written for the facts of theirs.
  const faults = ruleFaults(rule, id, { facts: factCatalog, fixes: new Set() });
  return faults.length === 0 ? { rule: { ...rule, folder: path.dirname(file) } } : { errors: errorsOf(source, faults) };
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
    message: 'the rule is not valid JSON',
    place,
    hint: 'comments and trailing commas are not allowed',
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
