// Reads a configuration with all that it extends: presets, files and packages. Later ones win.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { nearest } from '../shared/nearest.js';
import { UserError } from '../shared/user-error.js';
import { PRESET_FOLDER, readConfigFile, showConfig } from './config-file.js';
import { findPackageFile } from './config-modules.js';

/** @import { IgnoreEntry } from '../engine/settings.js' */
/** @import { Place } from '../shared/source-file.js' */
/** @import { Config } from './config.js' */
/** @import { ConfigText } from './config-file.js' */

/** What is joined where a configuration extends another; every other key replaces that of the other. @typedef {'target' | 'exclude' | 'ignore' | 'ruleFolders' | 'queries' | 'layers' | 'clients' | 'origins'} Joined */
/** @typedef {Pick<Config, Joined> & Partial<Config>} FileConfig */
/** `files`: that extend this one, from the outermost on; `left`: files that may still be read. @typedef {{cwd: string, mayRun: boolean, files: string[], place: Place | undefined, left: {count: number}}} Extending */

const PRESETS = ['recommended', 'strict', 'server'];

/** Files that each extend two others grow to a number without end. */
const MAX_FILES = 100;

/** @type {FileConfig} */
const NOTHING = {
  target: {},
  exclude: [],
  ignore: [],
  ruleFolders: [],
  queries: [],
  layers: [],
  clients: {},
  origins: {},
};

/**
 * @param {string} file absolute
 * @param {{cwd: string, mayRun: boolean}} options `mayRun`: whether configurations that are JavaScript are run
 * @returns {Promise<FileConfig>}
 * @throws {UserError} where one of the files cannot be read, says something that is not understood or extends itself
 */
export async function readConfig(file, options) {
  return readExtending(file, { ...options, files: [], place: undefined, left: { count: MAX_FILES } });
}

/**
 * @param {string} file
 * @param {Extending} extending
 * @returns {Promise<FileConfig>}
 */
async function readExtending(file, extending) {
  const { cwd, mayRun, place, left } = extending;
  const files = [...extending.files, file];
  const [first = file] = files;
  if (extending.files.includes(file)) {
    const chain = files.slice(files.indexOf(file)).map((one) => showConfig(cwd, one));
    throw new UserError('config-circular', `the configuration extends itself: ${chain.join(' → ')}`, {
      place,
      hint: 'remove one of them from `extends`',
    });
  }
  left.count -= 1;
  if (left.count < 0) {
    throw new UserError('config-too-many', `the configuration extends more than ${MAX_FILES} files`, {
      place,
      hint: 'extend each file only once',
    });
  }
  const text = await readConfigFile(file, {
    cwd,
    folder: path.dirname(first),
    mayRun,
    place,
    name: showConfig(cwd, first),
  });
  const isList = Array.isArray(text.value.extends);
  let config = NOTHING;
  for (const [index, entry] of [text.value.extends ?? []].flat().entries()) {
    const named = text.placeOf(isList ? ['extends', index] : ['extends']);
    const other = findExtended(entry, file, named);
    config = join(config, await readExtending(other, { cwd, mayRun, files, place: named, left }));
  }
  return join(config, toConfig(text, path.dirname(file)));
}

/**
 * @param {string} entry of `extends`
 * @param {string} file that it stands in
 * @param {Place | undefined} place
 * @returns {string} the file that it names, absolute
 */
function findExtended(entry, file, place) {
  if (PRESETS.includes(entry)) return path.join(PRESET_FOLDER, `${entry}.json`);
  const folder = path.dirname(file);
  if (/^\.{1,2}(?:[/\\]|$)/.test(entry) || path.isAbsolute(entry)) return path.resolve(folder, entry);
  const found = findPackageFile(entry, file);
  if (found !== undefined) return found;
  const guess = nearest(entry, PRESETS);
  const presets = `the presets are ${PRESETS.join(', ')}`;
  const other = existsSync(path.join(folder, entry)) ? `for a file, write \`./${entry}\`` : `install it; ${presets}`;
  throw new UserError('config-not-installed', `cannot find the package \`${entry}\` named in \`extends\``, {
    place,
    hint: guess ? `did you mean \`${guess}\`?` : other,
  });
}

/**
 * @param {ConfigText} text
 * @param {string} folder of the file
 * @returns {FileConfig} with what the file sets, and nothing else
 */
function toConfig({ source, value, placeOf }, folder) {
  const { $schema: _, extends: _others, rules = {}, overrides = [], ...set } = value;
  /** @param {string} relative */
  const absolute = (relative) => path.resolve(folder, relative);
  /** @type {any} */
  const config = { ...NOTHING, origins: {} };
  for (const [key, member] of Object.entries(set)) {
    config.origins[key] = placeOf([key]);
    if (key === 'baseline') config[key] = absolute(member);
    else if (['paths', 'loads', 'logs', 'ruleFolders'].includes(key)) config[key] = member.map(absolute);
    else if (key === 'ignore') config[key] = member.map(withPlace);
    else config[key] = member;
  }
  /** @param {IgnoreEntry} entry @param {number} index */
  function withPlace(entry, index) {
    return { ...entry, place: placeOf(['ignore', index]) };
  }
  return { ...config, source, layers: [{ source, rules, overrides, placeOf }] };
}

/**
 * @param {FileConfig} base
 * @param {FileConfig} own
 * @returns {FileConfig}
 */
function join(base, own) {
  return {
    ...base,
    ...own,
    target: { ...base.target, ...own.target },
    clients: { ...base.clients, ...own.clients },
    origins: { ...base.origins, ...own.origins },
    exclude: [...base.exclude, ...own.exclude],
    ignore: [...base.ignore, ...own.ignore],
    ruleFolders: [...base.ruleFolders, ...own.ruleFolders],
    queries: [...base.queries, ...own.queries],
    layers: [...base.layers, ...own.layers],
  };
}
