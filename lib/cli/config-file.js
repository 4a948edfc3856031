// Reads one configuration file and checks it against the schema. Errors have their place and the nearest name.

import path from 'node:path';
import { findNodeAtLocation, parseTree, printParseErrorCode } from 'jsonc-parser';
import { readFile, reasonOf } from '../files/open-file.js';
import { PACKAGE_FOLDER } from '../package-folder.js';
import { findFaults } from '../shared/schema/find-faults.js';
import { shellWord } from '../shared/shell-word.js';
import { SourceFile } from '../shared/source-file.js';
import { UserError } from '../shared/user-error.js';
import { runConfig } from './config-modules.js';
import { PACKAGE_KEY } from './find-config.js';

/** @import { Node, ParseError } from 'jsonc-parser' */
/** @import { Place } from '../shared/source-file.js' */
/** @import { ConfigLayer } from './config.js' */

/** What one file says; `value` fits the schema. @typedef {{source: SourceFile, value: any, placeOf: ConfigLayer['placeOf']}} ConfigText */
/** `folder`: of the configuration of the run; `place`: of the entry of `extends` that names the file; `name`: by which the user gives the configuration of the run. @typedef {{cwd: string, folder: string, mayRun: boolean, name: string, place: Place | undefined}} Reading */

/** The folder of the presets. */
export const PRESET_FOLDER = path.join(PACKAGE_FOLDER, 'share/presets');

/** As a tree, JSON takes up to 80 times as much memory. */
const MAX_CONFIG_BYTES = 1024 * 1024;

/** Files that are run to be read. */
const CODE = /\.[cm]?[jt]s$/;

/**
 * @param {string} file absolute
 * @param {Reading} reading
 * @returns {Promise<ConfigText>}
 * @throws {UserError} where it cannot be read or says something that is not understood
 */
export async function readConfigFile(file, reading) {
  const source = new SourceFile(showConfig(reading.cwd, file), readText(file, reading));
  const read = CODE.test(file) ? await readCode(file, source, reading) : readJson(file, source);
  validate(read.value, read.placeOf);
  return read;
}

/**
 * @param {string} file
 * @param {SourceFile} source
 * @param {Reading} reading
 * @returns {Promise<ConfigText>}
 */
async function readCode(file, source, { mayRun, name, place }) {
  // A checkout that somebody else wrote runs nothing by being linted.
  if (!mayRun) {
    throw new UserError('config-not-run', `${source.path} is code and is only run with an explicit --config`, {
      place,
      hint: `--config ${shellWord(name)}`,
    });
  }
  // Where in the code a value comes from is unknown.
  return { source, value: await runConfig(file, source.path), placeOf: () => source.place(0) };
}

/**
 * @param {string} file
 * @param {SourceFile} source
 * @returns {ConfigText}
 */
function readJson(file, source) {
  try {
    return readTree(file, source);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const hint = 'no setting is nested that deep';
    throw new UserError('config-not-json', 'the configuration file is nested too deep', { hint });
  }
}

/**
 * @param {string} file
 * @param {SourceFile} source
 * @returns {ConfigText}
 */
function readTree(file, source) {
  const isPackage = path.basename(file) === 'package.json';
  const prefix = isPackage ? [PACKAGE_KEY] : [];
  const root = parse(source, isPackage);
  const node = findNodeAtLocation(root, prefix);
  if (node === undefined) {
    const hint = `add the key \`${PACKAGE_KEY}\`, or use another file`;
    throw new UserError('config-missing-key', `${source.path} has no key \`${PACKAGE_KEY}\``, { hint });
  }
  refuseDuplicates(source, node);
  return {
    source,
    value: plainValueOf(node),
    placeOf: (pointer) => {
      const found = findNode(root, [...prefix, ...pointer]);
      return found && placeOfNode(source, found);
    },
  };
}

/**
 * @param {Node} node
 * @returns {unknown} its value; members of any name are members, `__proto__` too
 */
function plainValueOf({ type, children = [], value }) {
  if (type === 'array') return children.map(plainValueOf);
  if (type !== 'object') return value;
  const members = children.flatMap((property) => {
    const [key, member] = property.children ?? [];
    return key && member ? [[key.value, plainValueOf(member)]] : [];
  });
  return Object.fromEntries(members);
}

/**
 * @param {string} file
 * @param {Reading} reading
 * @returns {string}
 */
function readText(file, { cwd, folder, mayRun, place }) {
  try {
    return readFile(file, { isNamed: mayRun && !place, within: folder, maxBytes: MAX_CONFIG_BYTES }).toString('utf8');
  } catch (error) {
    const shown = showConfig(cwd, file);
    throw new UserError('config-unreadable', `cannot read the configuration file ${shown} (${reasonOf(error)})`, {
      place,
      hint: place ? 'check the path, which is relative to the file that extends it' : 'check the path in --config',
    });
  }
}

/**
 * @param {SourceFile} source
 * @param {boolean} isStrict whether it is read by others, which take no comments
 * @returns {Node}
 */
function parse(source, isStrict) {
  const { text } = source;
  const offset = text.startsWith('\uFEFF') ? 1 : 0;
  /** @type {ParseError[]} */
  const errors = [];
  // The byte order mark is white space here, so that offsets stay those of the file.
  const root = parseTree(text.replace(/^\uFEFF/, ' '), errors, {
    disallowComments: isStrict,
    allowTrailingComma: !isStrict,
  });
  const [first] = errors;
  if (!first && root) return root;
  const at = first?.offset ?? offset;
  const found = first ? printParseErrorCode(first.error).replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ') : 'Value expected';
  throw new UserError('config-not-json', `the configuration file is not valid JSON (${found.toLowerCase()})`, {
    place: source.place(at),
    hint: `comments and trailing commas are ${isStrict ? 'not allowed' : 'allowed'}`,
  });
}

/**
 * @param {SourceFile} source
 * @param {Node | undefined} node
 * @throws {UserError} where a key stands twice in one object: only one of the two would count
 */
function refuseDuplicates(source, node) {
  const seen = new Set();
  for (const child of node?.children ?? []) {
    const [key] = child.type === 'property' ? (child.children ?? []) : [];
    if (key && seen.has(key.value)) {
      throw new UserError('config-duplicate-key', `duplicate key \`${key.value}\``, {
        place: source.place(key.offset, key.offset + key.length),
        hint: 'keep one of them',
      });
    }
    if (key) seen.add(key.value);
    refuseDuplicates(source, child);
  }
}

/**
 * @param {unknown} value
 * @param {ConfigLayer['placeOf']} placeOf
 */
function validate(value, placeOf) {
  const [fault] = findFaults('config', value, 'the configuration');
  if (!fault) return;
  const { message, pointer, hint } = fault;
  throw new UserError('config-bad-value', message, { place: placeOf(pointer) ?? placeOf(pointer.slice(0, -1)), hint });
}

/**
 * @param {SourceFile} source
 * @param {Node} node
 * @returns {Place} of the key where the node is a member's value
 */
function placeOfNode(source, node) {
  const key = node.parent?.type === 'property' ? node.parent.children?.[0] : undefined;
  const shown = key ?? node;
  return source.place(shown.offset, shown.offset + shown.length);
}

/**
 * @param {Node} root
 * @param {(string | number)[]} pointer whose numbers may be texts
 * @returns {Node | undefined}
 */
function findNode(root, pointer) {
  const isIndex = (/** @type {string | number} */ part) => typeof part === 'string' && /^\d+$/.test(part);
  const asNumbers = pointer.map((part) => (isIndex(part) ? Number(part) : part));
  return findNodeAtLocation(root, pointer) ?? findNodeAtLocation(root, asNumbers);
}

/**
 * @param {string} cwd
 * @param {string} file
 * @returns {string} the path relative to the working directory, as those of findings are; of a preset that in the package
 */
export function showConfig(cwd, file) {
  if (path.dirname(file) === PRESET_FOLDER) return `couch-advisor/presets/${path.basename(file)}`;
  return path.relative(cwd, file).replaceAll(path.sep, '/');
}
