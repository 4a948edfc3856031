// The configuration file: found, checked, and turned into settings. Its faults are told with place and nearest name.

import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { lilconfig } from 'lilconfig';
import { nearest } from '../shared/nearest.js';
import { SourceFile } from '../shared/source-file.js';
import { UserError } from '../shared/user-error.js';

/** @import { ErrorObject } from 'ajv' */
/** @import { Node } from 'jsonc-parser' */
/** @import { Rule } from '../engine/rule.js' */
/** @import { EngineName } from '../facts/fact.js' */
/** @import { Place } from '../shared/source-file.js' */

/** @typedef {'off' | 'error' | 'warning' | 'info'} RuleSeverity */
/** @typedef {Record<string, RuleSeverity | {severity?: RuleSeverity, thresholds?: Record<string, number>}>} RuleSettings */
/** @typedef {{rule: string, reason: string, designDoc?: string, view?: string, file?: string, key?: string, place: Place}} ConfigIgnore */

/**
 * @typedef {object} Config
 * @property {string | undefined} file absolute path; undefined where there is none
 * @property {string} folder what relative paths start from
 * @property {{version?: string, engine?: EngineName}} target
 * @property {string[]} paths
 * @property {string[]} exclude
 * @property {RuleSettings} rules
 * @property {{files: string[], rules: RuleSettings}[]} overrides
 * @property {ConfigIgnore[]} ignore
 * @property {string[]} ruleFolders absolute
 * @property {string | undefined} baseline absolute
 * @property {'error' | 'warning' | 'info' | 'never' | undefined} failOn
 * @property {number | undefined} maxWarnings
 * @property {(pointer: (string | number)[]) => Place | undefined} placeOf where a part of it stands
 */

const FILE_NAME = 'couch-advisor.config.json';
const PACKAGE_KEY = 'couch-advisor';

/**
 * @param {object} options
 * @param {string} options.cwd
 * @param {string | boolean | undefined} options.config a path; false for none; otherwise it is looked for upwards
 * @returns {Promise<Config>}
 * @throws {UserError} where it cannot be read or says something that is not understood
 */
export async function loadConfig({ cwd, config }) {
  if (config === false) return emptyConfig(cwd);
  const file = typeof config === 'string' ? path.resolve(cwd, config) : await findConfig(cwd);
  if (!file) return emptyConfig(cwd);
  let text;
  try {
    text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const reason = /** @type {NodeJS.ErrnoException} */ (error).code;
    throw new UserError('config-unreadable', `the configuration file ${show(cwd, file)} cannot be read (${reason})`, {
      hint: 'check the path given with --config',
    });
  }
  const source = new SourceFile(show(cwd, file), text);
  /** @type {import('jsonc-parser').ParseError[]} */
  const errors = [];
  const root = parseTree(text, errors, { disallowComments: true });
  const [first] = errors;
  if (first || !root) {
    throw new UserError('config-not-json', 'the configuration file is not JSON', {
      place: source.place(first?.offset ?? 0),
      hint: 'comments and trailing commas are not allowed in it',
    });
  }
  const isPackage = path.basename(file) === 'package.json';
  const prefix = isPackage ? [PACKAGE_KEY] : [];
  const whole = JSON.parse(text);
  const value = isPackage ? whole[PACKAGE_KEY] : whole;

  /** @param {(string | number)[]} pointer */
  const placeOf = (pointer) => {
    const node = findNodeAtLocation(root, [...prefix, ...pointer]);
    return node && placeOfNode(source, node);
  };
  await validate(value, placeOf);
  return toConfig(value, file, placeOf);
}

/**
 * @param {string} cwd
 * @returns {Promise<string | undefined>} the nearest configuration file, upwards to the repository or the home folder
 */
async function findConfig(cwd) {
  const options = { searchPlaces: [FILE_NAME, 'package.json'], packageProp: PACKAGE_KEY, stopDir: stopFolder(cwd) };
  try {
    const found = await lilconfig(PACKAGE_KEY, options).search(cwd);
    return found?.filepath;
  } catch (error) {
    // lilconfig parses what it finds; a file that is no JSON is told of with its place by the reader above.
    const broken = /** @type {Error & {filepath?: string}} */ (error).filepath ?? path.join(cwd, FILE_NAME);
    return existsSync(broken) ? broken : undefined;
  }
}

/**
 * @param {string} cwd
 * @returns {string} the folder of the repository, else the home folder
 */
function stopFolder(cwd) {
  let folder = cwd;
  while (!existsSync(path.join(folder, '.git'))) {
    const parent = path.dirname(folder);
    if (parent === folder) return homedir();
    folder = parent;
  }
  return folder;
}

/**
 * @param {unknown} value
 * @param {Config['placeOf']} placeOf
 */
async function validate(value, placeOf) {
  const { Ajv } = await import('ajv');
  const schema = JSON.parse(readFileSync(new URL('../../schemas/config.schema.json', import.meta.url), 'utf8'));
  const check = new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true }).compile(schema);
  if (check(value)) return;
  const error = deepest(check.errors ?? []);
  if (!error) return;
  throw configError(error, placeOf);
}

/**
 * @param {ErrorObject[]} errors
 * @returns {ErrorObject | undefined} the one that says most: `anyOf` itself says nothing
 */
function deepest(errors) {
  const telling = errors.filter((error) => error.keyword !== 'anyOf');
  return telling.sort((first, second) => depth(second) - depth(first))[0] ?? errors[0];
}

/** @param {ErrorObject} error */
function depth(error) {
  // A misspelt key tells more than a type that does not fit beside it.
  return error.instancePath.split('/').length + (error.keyword === 'additionalProperties' ? 0.5 : 0);
}

/**
 * @param {ErrorObject} error
 * @param {Config['placeOf']} placeOf
 * @returns {UserError}
 */
function configError(error, placeOf) {
  const pointer = error.instancePath.split('/').slice(1).map(decodePointer);
  const name = pointer.length > 0 ? `\`${pointer.join('.')}\`` : 'the configuration';
  const place = placeOf(pointer);
  if (error.keyword === 'additionalProperties') {
    const key = String(error.params['additionalProperty']);
    const known = Object.keys(/** @type {Record<string, unknown>} */ (error.parentSchema?.['properties'] ?? {}));
    const guess = nearest(key, known);
    return new UserError('config-unknown-key', `${name} has the key \`${key}\`, which is not known`, {
      place: placeOf([...pointer, key]) ?? place,
      hint: guess ? `did you mean \`${guess}\`?` : `known here: ${known.join(', ')}`,
    });
  }
  if (error.keyword === 'enum') {
    const allowed = /** @type {string[]} */ (error.params['allowedValues']);
    const guess = typeof error.data === 'string' ? nearest(error.data, allowed) : undefined;
    return new UserError('config-bad-value', `${name} is ${JSON.stringify(error.data)}, which is not possible`, {
      place,
      hint: `${guess ? `did you mean \`${guess}\`? ` : ''}possible: ${allowed.join(', ')}`,
    });
  }
  if (error.keyword === 'required') {
    const message = `${name} lacks the key \`${error.params['missingProperty']}\``;
    return new UserError('config-missing-key', message, { place, hint: 'add it' });
  }
  if (error.keyword === 'pattern') {
    const message = `${name} is ${JSON.stringify(error.data)}, which is no CouchDB version`;
    return new UserError('config-bad-version', message, { place, hint: 'write it like "3.3" or "3.4.2"' });
  }
  return new UserError('config-bad-value', `${name} ${error.message}`, { place });
}

/**
 * Checks what the schema cannot: that the rules and questions it names exist.
 * @param {Config} config
 * @param {Rule[]} rules
 * @throws {UserError}
 */
export function checkRuleNames(config, rules) {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const places = [
    { settings: config.rules, pointer: /** @type {(string | number)[]} */ (['rules']) },
    ...config.overrides.map((override, index) => ({
      settings: override.rules,
      pointer: ['overrides', index, 'rules'],
    })),
  ];
  for (const { settings, pointer } of places) {
    for (const [id, setting] of Object.entries(settings)) {
      const rule = byId.get(id);
      if (!rule) throw unknownRule(id, byId.keys(), config.placeOf([...pointer, id]));
      if (typeof setting === 'string') continue;
      for (const question of Object.keys(setting.thresholds ?? {})) {
        const known = Object.keys(rule.questions).filter((name) => typeof rule.questions[name]?.value === 'number');
        if (known.includes(question)) continue;
        throw new UserError('unknown-threshold', `\`${id}\` has no threshold \`${question}\``, {
          place: config.placeOf([...pointer, id, 'thresholds', question]),
          hint: known.length > 0 ? `it has: ${known.join(', ')}` : 'it has none',
        });
      }
    }
  }
}

/**
 * @param {string} id
 * @param {Iterable<string>} known
 * @param {Place} [place]
 * @returns {UserError}
 */
export function unknownRule(id, known, place) {
  const guess = nearest(id, known);
  return new UserError('unknown-rule', `no rule is called \`${id}\``, {
    place,
    hint: guess ? `did you mean \`${guess}\`?` : '`couch-advisor rules` lists them all',
  });
}

/**
 * @param {any} value validated by the schema
 * @param {string} file
 * @param {Config['placeOf']} placeOf
 * @returns {Config}
 */
function toConfig(value, file, placeOf) {
  const folder = path.dirname(file);
  const empty = emptyConfig(folder);
  /** @param {string} relative */
  const absolute = (relative) => path.resolve(folder, relative);
  return {
    file,
    folder,
    target: value.target ?? {},
    paths: (value.paths ?? []).map(absolute),
    exclude: value.exclude ?? [],
    rules: value.rules ?? {},
    overrides: value.overrides ?? [],
    ignore: (value.ignore ?? []).map((/** @type {ConfigIgnore} */ ignore, /** @type {number} */ index) => ({
      ...ignore,
      place: placeOf(['ignore', index]) ?? { file, line: 1, column: 1 },
    })),
    ruleFolders: (value.ruleFolders ?? []).map(absolute),
    baseline: value.baseline === undefined ? empty.baseline : absolute(value.baseline),
    failOn: value.failOn,
    maxWarnings: value.maxWarnings,
    placeOf,
  };
}

/**
 * @param {string} folder
 * @returns {Config} the settings where there is no configuration file
 */
function emptyConfig(folder) {
  return {
    file: undefined,
    folder,
    target: {},
    paths: [],
    exclude: [],
    rules: {},
    overrides: [],
    ignore: [],
    ruleFolders: [],
    baseline: undefined,
    failOn: undefined,
    maxWarnings: undefined,
    placeOf: () => undefined,
  };
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

/** @param {string} part */
function decodePointer(part) {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

/**
 * @param {string} cwd
 * @param {string} file
 * @returns {string} the path relative to the working directory where it lies below it
 */
function show(cwd, file) {
  const relative = path.relative(cwd, file);
  return (relative.startsWith('..') ? file : relative).replaceAll(path.sep, '/');
}
