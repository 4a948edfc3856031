// Finds out which CouchDB a project runs: what a server reported, else what the container files among the sources say, else those at the top of the
// project.

import { readdirSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../../shared/attempt.js';
import { openSources } from '../../sources/open.js';
import { isContainerFile } from '../../sources/read-file.js';

/** @import { Target } from '../../facts/fact.js' */
/** @import { ConfigOption, SourceRecord } from '../../sources/record.js' */

/** More `.ini` files than these are not those of one server. */
const MAX_INI_FILES = 50;

/**
 * @param {SourceRecord[]} records
 * @returns {Target | undefined} what the server that was read is, or that of the containers that manifests describe; undefined where
 *   there is none, or there are several
 */
export function serverOf(records) {
  const servers = records.filter((record) => record.kind === 'node');
  const [first] = servers;
  if (servers.length === 0) return containerTarget(records);
  if (servers.length !== 1 || first?.version === undefined) return undefined;
  return { version: first.version, engine: first.engine, source: 'server' };
}

/**
 * @param {SourceRecord[]} records
 * @returns {Target | undefined} undefined where containers have no version, or several
 */
function containerTarget(records) {
  const containers = records.filter((record) => record.kind === 'container');
  const [version, ...others] = new Set(containers.map((container) => container.version));
  const [first] = containers;
  if (!first || version === undefined || others.length > 0) return undefined;
  return { version, source: 'container', file: first.file.path };
}

/**
 * @param {{cwd: string, folder: string, records?: SourceRecord[]}} options `folder`: of the configuration; `records`: what was read
 * @returns {Promise<Target | undefined>} undefined where nothing says it, or files differ
 */
export async function findServer({ cwd, folder, records = [] }) {
  if (records.some(({ kind }) => kind === 'node' || kind === 'container')) return serverOf(records);
  return containerTarget(await readContainerFiles(cwd, folder));
}

/**
 * @param {string} cwd
 * @param {string} folder absolute
 * @returns {Promise<SourceRecord[]>} what container files there say
 */
async function readContainerFiles(cwd, folder) {
  return readNamed(cwd, folder, namesIn(folder).filter(isContainerFile));
}

/**
 * @param {{cwd: string, folder: string}} options
 * @returns {Promise<{shards: number, file: string} | undefined>} of a new database, as `q` of the `.ini` files in the folder, in the folders below it and
 *   in the mounts of its containers says; undefined where none does, or they differ
 */
export async function findShards({ cwd, folder }) {
  const folders = ['.', ...namesIn(folder).filter((name) => !name.startsWith('.') && name !== 'node_modules')];
  const files = folders
    .flatMap((one) => namesIn(path.join(folder, one)).map((name) => path.join(one, name)))
    .filter((name) => /\.ini$/i.test(name))
    .slice(0, MAX_INI_FILES);
  const containers = await readContainerFiles(cwd, folder);
  const mounts = containers.flatMap((record) => (record.kind === 'container' ? record.configPaths : []));
  const all = [...(await readNamed(cwd, folder, files)), ...(await readNamed(cwd, cwd, mounts))];
  const options = all.flatMap((record) => (record.kind === 'server-config' ? shardsIn(record.options) : []));
  const [first, ...others] = options;
  if (!first || others.some(({ value }) => value !== first.value)) return undefined;
  return { shards: Number(first.value), file: first.place.file };
}

/** @param {ConfigOption[]} options @returns {ConfigOption[]} */
const shardsIn = (options) =>
  options.filter(({ section, key, value }) => section === 'cluster' && key === 'q' && /^[1-9]\d{0,2}$/.test(value));

/**
 * @param {string} cwd
 * @param {string} folder
 * @param {string[]} names
 * @returns {Promise<SourceRecord[]>} what cannot be read says nothing
 */
async function readNamed(cwd, folder, names) {
  if (names.length === 0) return [];
  const paths = names.map((name) => path.relative(cwd, path.join(folder, name)));
  return (await openSources({ paths, cwd })).records;
}

/** @param {string} folder @returns {string[]} none where it is no folder, or may not be listed */
function namesIn(folder) {
  return attempt(() => readdirSync(folder).sort(), []);
}
