// Expands the `!code` and `!json` macros of couchapp and erica: pastes the named files and members into functions, each
// character with its place in its own file.

import { posix } from 'node:path';
import { MappedText } from '../../shared/mapped-text.js';
import { UserError } from '../../shared/user-error.js';
import { matchesWildcards } from '../../shared/wildcards.js';
import { member } from '../record.js';
import { jsonText } from './couchapp-json-text.js';
import { joinPath, listSorted } from './couchapp-tree.js';
import { parseJsonTree } from './value-tree.js';

/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { Entry, ObjectNode, ReadError, StringNode, ValueNode } from '../record.js' */
/** @import { Branch } from './couchapp-json-text.js' */
/** @import { FileTree } from './couchapp-tree.js' */

/** Members whose functions the tools expand (couchapp 1.0.2, localdoc.py doc). */
const FUNCTION_GROUPS = ['shows', 'lists', 'updates', 'filters', 'spatial'];
/** Members whose members hold functions. */
const VIEW_GROUPS = ['views', 'fulltext'];

/** couchapp 1.0.2, macros.py run_code_macros and run_json_macros. */
const CODE_MACRO = /(?:\/\/|#) ?!code ([^\n]*)/g;
const JSON_MACRO = /(?:\/\/|#) ?!json ([^\n]*)/g;

/** A macro may paste in files with macros: these limits end what doubles at each step. */
const MAX_LENGTH = 8_000_000;
const MAX_PASTED_FILES = 2000;

/** @typedef {{tree: FileTree, folder: string, designDoc: ObjectNode, pastedCount: number}} Expansion */

/** A macro that cannot be expanded; caught for each function. */
class MacroError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {MappedText} macro
   */
  constructor(code, message, macro) {
    super(message);
    this.code = code;
    this.place = macro.wholePlace;
  }
}

/**
 * @param {ObjectNode} designDoc changed in place: a function gets its full text; where a macro cannot be expanded it becomes
 *   unknown, for half of it would be judged wrongly
 * @param {FileTree} tree
 * @param {string} folder of the couchapp: `!code` paths begin there
 * @returns {Promise<ReadError[]>}
 */
export async function expandMacros(designDoc, tree, folder) {
  /** @type {ReadError[]} */
  const errors = [];
  for (const item of listFunctions(designDoc)) {
    const { node } = item;
    if (node.type !== 'string' || !/!(?:code|json) /.test(node.value)) continue;
    try {
      const expansion = { tree, folder, designDoc, pastedCount: 0 };
      const text = await expandJson(expansion, await expandCode(expansion, node.text, []));
      item.node = { ...node, value: text.text, text };
    } catch (error) {
      if (!(error instanceof MacroError)) throw error;
      const { code, message, place } = error;
      errors.push({ code, message, place, hint: 'use a path below the folder of the design document' });
      const { file, start, end } = node;
      item.node = { type: 'unknown', file, start, end, reason: `cannot expand a macro: ${message}` };
    }
  }
  return errors;
}

/**
 * @param {ObjectNode} designDoc
 * @returns {Entry[]} the members that the tools expand
 */
function listFunctions(designDoc) {
  const groups = FUNCTION_GROUPS.flatMap((group) => entriesOf(member(designDoc, group)));
  const views = VIEW_GROUPS.flatMap((group) => entriesOf(member(designDoc, group))).flatMap(({ node }) =>
    entriesOf(node),
  );
  return [...designDoc.entries.filter(({ key }) => key === 'validate_doc_update'), ...groups, ...views];
}

/** @param {ValueNode | undefined} node @returns {Entry[]} */
function entriesOf(node) {
  return node?.type === 'object' ? node.entries : [];
}

/**
 * @param {Expansion} expansion
 * @param {MappedText} text
 * @param {string[]} above the files that this text is pasted in by
 * @returns {Promise<MappedText>}
 */
async function expandCode(expansion, text, above) {
  return replaceMacros(text, CODE_MACRO, async (target, macro) => {
    const paths = await findFiles(expansion, target);
    if (paths.length === 0) throw new MacroError('macro-target-missing', `\`!code ${target}\`: no such file`, macro);
    /** @type {MappedText[]} */
    const parts = [];
    for (const path of paths) {
      if (above.includes(path)) throw new MacroError('macro-loop', `\`!code ${target}\` includes itself`, macro);
      expansion.pastedCount += 1;
      if (expansion.pastedCount > MAX_PASTED_FILES) throw tooLarge(macro);
      const file = await readFile(expansion, path, macro);
      parts.push(await expandCode(expansion, MappedText.raw(file, startOf(file)), [...above, path]));
    }
    return MappedText.concat(parts);
  });
}

/**
 * All `!json` macros of a function together make one set of variables, written at each of them.
 * @param {Expansion} expansion
 * @param {MappedText} text
 * @returns {Promise<MappedText>}
 */
async function expandJson(expansion, text) {
  /** @type {Branch} */
  const variables = new Map();
  for (const match of text.text.matchAll(JSON_MACRO)) {
    const macro = text.slice(match.index, match.index + match[0].length);
    const target = (match[1] ?? '').trim();
    if (target.startsWith('_attachments')) await addAttachments(expansion, variables, target, macro);
    else addMember(expansion, variables, target, macro);
  }
  if (variables.size === 0) return text;
  return replaceMacros(text, JSON_MACRO, async (_target, macro) => {
    const result = jsonText(variables, macro);
    if (!result) throw new MacroError('macro-target-missing', 'a `!json` macro refers to an unknown value', macro);
    return result;
  });
}

/**
 * @param {Expansion} expansion
 * @param {Branch} variables changed in place
 * @param {string} target `templates.header`
 * @param {MappedText} macro
 */
function addMember({ designDoc }, variables, target, macro) {
  const steps = target.split('.');
  /** @type {ValueNode | undefined} */
  let node = designDoc;
  for (const step of steps) node = member(node, step);
  if (!node) throw new MacroError('macro-target-missing', `\`!json ${target}\`: no such member in the document`, macro);
  const last = steps.pop() ?? '';
  let branch = variables;
  for (const step of steps) {
    const inner = branch.get(step) ?? new Map();
    // A member above it is there already, with all that it holds.
    if (!(inner instanceof Map)) return;
    branch.set(step, inner);
    branch = inner;
  }
  branch.set(last, node);
}

/**
 * `!json _attachments/…` makes an object of files by their names (erica, erica_macros.erl obj_from_dir).
 * @param {Expansion} expansion
 * @param {Branch} variables changed in place
 * @param {string} target
 * @param {MappedText} macro
 */
async function addAttachments(expansion, variables, target, macro) {
  const paths = await findFiles(expansion, target);
  if (paths.length === 0) throw new MacroError('macro-target-missing', `\`!json ${target}\`: no such file`, macro);
  /** @type {Map<string, ValueNode>} */
  const files = new Map();
  for (const path of paths) {
    const file = await readFile(expansion, path, macro);
    const node = path.endsWith('.json') ? parseJsonTree(file).node : fileNode(file);
    if (!node) throw new MacroError('macro-target-missing', `\`!json ${target}\`: the file is not valid JSON`, macro);
    files.set(posix.basename(path), node);
  }
  const known = variables.get('_attachments');
  variables.set('_attachments', known instanceof Map ? new Map([...known, ...files]) : files);
}

/**
 * @param {MappedText} text
 * @param {RegExp} pattern
 * @param {(target: string, macro: MappedText) => Promise<MappedText>} expand
 * @returns {Promise<MappedText>}
 */
async function replaceMacros(text, pattern, expand) {
  /** @type {MappedText[]} */
  const parts = [];
  let at = 0;
  let length = 0;
  for (const match of text.text.matchAll(pattern)) {
    const end = match.index + match[0].length;
    const macro = text.slice(match.index, end);
    const pasted = await expand((match[1] ?? '').trim(), macro);
    length += pasted.text.length;
    if (length > MAX_LENGTH) throw tooLarge(macro);
    parts.push(text.slice(at, match.index), pasted);
    at = end;
  }
  if (parts.length === 0) return text;
  parts.push(text.slice(at, text.text.length));
  return MappedText.concat(parts);
}

/**
 * @param {MappedText} macro
 * @returns {MacroError}
 */
function tooLarge(macro) {
  return new MacroError('macro-too-large', `macros expand to more than ${MAX_LENGTH} characters`, macro);
}

/**
 * @param {Expansion} expansion
 * @param {string} target a path below the couchapp, `*` and `?` allowed
 * @returns {Promise<string[]>} the files it names
 */
async function findFiles({ tree, folder }, target) {
  const steps = posix.normalize(joinPath(folder, target)).split('/');
  // Only the last step, and those behind a wildcard, are looked for.
  const wildAt = steps.findIndex((step) => /[*?]/.test(step));
  const knownCount = wildAt === -1 ? steps.length - 1 : wildAt;
  let paths = [steps.splice(0, knownCount).join('/') || '.'];
  for (const [index, step] of steps.entries()) {
    const isLast = index === steps.length - 1;
    /** @type {string[]} */
    const next = [];
    // Of the wildcards of `matchesWildcards` couchapp knows two.
    const pattern = step.replace(/[\\|]/g, '\\$&');
    for (const path of paths) {
      for (const { name, isFolder } of await listSorted(tree, path)) {
        const isWanted = isFolder !== isLast && matchesWildcards(pattern, name);
        if (isWanted && next.length < MAX_PASTED_FILES) next.push(joinPath(path, name));
      }
    }
    paths = next;
  }
  return paths;
}

/**
 * @param {Expansion} expansion
 * @param {string} path
 * @param {MappedText} macro
 * @returns {Promise<SourceFile>}
 */
async function readFile({ tree }, path, macro) {
  try {
    return await tree.read(path);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new MacroError('macro-target-missing', error.message, macro);
  }
}

/**
 * @param {SourceFile} file
 * @returns {StringNode}
 */
function fileNode(file) {
  const start = startOf(file);
  const text = MappedText.raw(file, start);
  return { type: 'string', file, start, end: file.text.length, value: text.text, text };
}

/** @param {SourceFile} file @returns {number} offset behind the byte order mark */
function startOf(file) {
  return file.text.startsWith('\ufeff') ? 1 : 0;
}
