// Reads other states of the checkout, as the files that differ from those on disk: that of a commit, and that of the
// index. Nothing is checked out; contents come from git's own store.

import { shownPath } from './repository.js';

/** @import { Overlay } from '../../../sources/overlay-tree.js' */
/** @import { Repository } from './repository.js' */

/** @typedef {{path: string, mode: string, oid: string, status: string}} RawLine the older side of a line of `git diff --raw` */
/** @typedef {{overlay: Overlay, changed: string[]}} CommitState `changed`: files that differ from the disk, as they are shown */
/** @typedef {{overlay: Overlay, staged: string[]}} IndexState `staged`: files that the next commit adds or changes */

/** Larger files that no reader knows by their names are pictures and the like. */
const MAX_BYTES_UNKNOWN = 1024 * 1024;
const MAX_BYTES = 100 * 1024 * 1024;

const RAW = ['--raw', '-z', '--no-renames', '--no-ext-diff', '--no-textconv', '--ignore-submodules', '--no-abbrev'];

/**
 * @param {Repository} repository
 * @param {string} commit
 * @param {(path: string) => boolean} isKnown whether some reader knows such a file by its name
 * @returns {Promise<CommitState>}
 */
export async function readCommitState(repository, commit, isKnown) {
  const [diff, untracked] = await Promise.all([
    repository.git(['diff', ...RAW, commit, '--']),
    listUntracked(repository),
  ]);
  const lines = readRaw(diff);
  const overlay = await overlayOf(repository, lines, untracked, isKnown);
  const changed = [...lines.map(({ path }) => shownPath(repository, path)), ...untracked];
  return { overlay: await withLineEnds(repository, overlay), changed: [...new Set(changed)].sort() };
}

/**
 * @param {Repository} repository
 * @param {(path: string) => boolean} isKnown
 * @returns {Promise<IndexState>}
 */
export async function readIndexState(repository, isKnown) {
  const [staged, unstaged, untracked] = await Promise.all([
    repository.git(['diff', '--cached', ...RAW, '--diff-filter=ACMT']),
    repository.git(['diff', ...RAW]),
    listUntracked(repository),
  ]);
  return {
    overlay: await overlayOf(repository, readRaw(unstaged), untracked, isKnown),
    staged: readRaw(staged).map(({ path }) => shownPath(repository, path)),
  };
}

/**
 * @param {Repository} repository
 * @param {RawLine[]} lines what differs from the disk
 * @param {string[]} untracked
 * @param {(path: string) => boolean} isKnown
 * @returns {Promise<Overlay>}
 */
async function overlayOf(repository, lines, untracked, isKnown) {
  const absent = new Set(untracked);
  /** @type {Map<string, RawLine>} */
  const wanted = new Map();
  for (const line of lines) {
    const shown = shownPath(repository, line.path);
    // Regular files only: neither links nor other repositories.
    if (line.status !== 'A' && line.mode.startsWith('100')) wanted.set(shown, line);
    else absent.add(shown);
  }
  const sizes = await readSizes(repository, [...wanted.values()]);
  for (const [shown, { oid }] of wanted) {
    const size = sizes.get(oid) ?? Number.POSITIVE_INFINITY;
    if (size <= (isKnown(shown) ? MAX_BYTES : MAX_BYTES_UNKNOWN)) continue;
    wanted.delete(shown);
    absent.add(shown);
  }
  const contents = await readBlobs(repository, [...wanted.values()]);
  /** @type {Map<string, Buffer>} */
  const files = new Map();
  for (const [shown, { oid }] of wanted) {
    const content = contents.get(oid);
    if (content) files.set(shown, content);
    else absent.add(shown);
  }
  return { files, absent };
}

/**
 * @param {Repository} repository
 * @returns {Promise<string[]>} as they are shown; whole folders with a slash at their end
 */
async function listUntracked(repository) {
  const output = await repository.git(['ls-files', '--others', '--directory', '--exclude-standard', '-z']);
  return splitZ(output).map((file) => {
    const shown = shownPath(repository, file);
    return file.endsWith('/') ? `${shown}/` : shown;
  });
}

/**
 * @param {Buffer} output of `git diff --raw -z`: `:mode mode oid oid status`, NUL, path, NUL
 * @returns {RawLine[]} with `mode` and `oid` of the older side where there is one, else of the newer one
 */
function readRaw(output) {
  const words = splitZ(output);
  /** @type {RawLine[]} */
  const lines = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [mode = '', , oid = '', , status = ''] = (words[at] ?? '').slice(1).split(' ');
    lines.push({ path: /** @type {string} */ (words[at + 1]), mode, oid, status: status.slice(0, 1) });
  }
  return lines;
}

/**
 * @param {Repository} repository
 * @param {RawLine[]} lines
 * @returns {Promise<Map<string, number>>} bytes by object
 */
async function readSizes({ git }, lines) {
  if (lines.length === 0) return new Map();
  const output = await git(['cat-file', '--batch-check=%(objectname) %(objectsize)'], { input: inputOf(lines) });
  const pairs = output
    .toString('utf8')
    .split('\n')
    .map((line) => line.split(' '));
  return new Map(pairs.flatMap(([oid = '', size = '']) => (/^\d+$/.test(size) ? [[oid, Number(size)]] : [])));
}

/**
 * @param {Repository} repository
 * @param {RawLine[]} lines
 * @returns {Promise<Map<string, Buffer>>} contents by object; without those that this clone does not have
 */
async function readBlobs({ git }, lines) {
  /** @type {Map<string, Buffer>} */
  const blobs = new Map();
  if (lines.length === 0) return blobs;
  const output = await git(['cat-file', '--batch'], { input: inputOf(lines) });
  for (let at = 0; at < output.length; ) {
    const lineEnd = output.indexOf('\n', at);
    if (lineEnd === -1) break;
    const [oid = '', type, size] = output.toString('utf8', at, lineEnd).split(' ');
    at = lineEnd + 1;
    if (type !== 'blob') continue;
    const end = at + Number(size);
    blobs.set(oid, output.subarray(at, end));
    at = end + 1;
  }
  return blobs;
}

/** @param {RawLine[]} lines @returns {string} one object a line, each once */
function inputOf(lines) {
  return `${[...new Set(lines.map(({ oid }) => oid))].join('\n')}\n`;
}

/**
 * Where git checks files out with other line ends, the older state has to get them too: else all of it would differ.
 * @param {Repository} repository
 * @param {Overlay} overlay
 * @returns {Promise<Overlay>}
 */
async function withLineEnds({ git, prefix }, { files, absent }) {
  const config = await git(['config', '--type=bool', '--default=false', '--get', 'core.autocrlf']).catch(
    () => undefined,
  );
  if (config?.toString('utf8').trim() !== 'true') return { files, absent };
  const names = [...files.keys()];
  const input = names.map((name) => `${rootPath(prefix, name)}\0`).join('');
  const words = splitZ(await git(['check-attr', '-z', '--stdin', 'text'], { input }));
  // Path, name of the attribute, value. What is `unset` is binary.
  const isText = (/** @type {number} */ index) => words[index * 3 + 2] !== 'unset';
  return {
    absent,
    files: new Map([...files].map(([name, content], index) => [name, isText(index) ? withCrlf(content) : content])),
  };
}

/** @param {string} prefix @param {string} shown @returns {string} as git has it */
function rootPath(prefix, shown) {
  /** @type {string[]} */
  const parts = [];
  for (const part of `${prefix}${shown}`.split('/')) {
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return parts.join('/');
}

/** @param {Buffer} content @returns {Buffer} */
function withCrlf(content) {
  if (content.includes(0) || content.includes('\r\n')) return content;
  return Buffer.from(content.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
}

/** @param {Buffer} output @returns {string[]} */
function splitZ(output) {
  return output
    .toString('utf8')
    .split('\0')
    .filter((word) => word !== '');
}
