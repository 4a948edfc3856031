// Reads other states of the checkout, as the files that differ from those on disk: that of a commit, and that of the
// index. Nothing is checked out; contents come from git's own store.

import { shownPath } from './repository.js';
import { GitFailure } from './run-git.js';

/** @import { Overlay } from '../../../sources/overlay-tree.js' */
/** @import { Repository } from './repository.js' */

/**
 * The older side of a line of a raw diff. `isUnsure`: only its times differ for certain.
 * @typedef {{path: string, mode: string, oid: string, status: string, isUnsure: boolean}} RawLine
 */
/** @typedef {{overlay: Overlay, changed: string[]}} CommitState `changed`: files that differ from the disk, as they are shown */
/** @typedef {{overlay: Overlay, staged: string[]}} IndexState `staged`: files that the next commit adds or changes */

/** Larger files that no reader knows by their names are pictures and the like. */
const MAX_BYTES_UNKNOWN = 1024 * 1024;
const MAX_BYTES = 100 * 1024 * 1024;

// Of the commands that compare, `git diff` alone writes: it refreshes the index, and starts a hook after that.
const RAW = [
  ...['--raw', '-z', '--no-renames', '--no-ext-diff', '--no-textconv', '--ignore-submodules', '--no-abbrev'],
  '--ita-invisible-in-index',
];

/**
 * @param {Repository} repository
 * @param {string} commit
 * @param {(path: string) => boolean} isKnown whether some reader knows such a file by its name
 * @returns {Promise<CommitState>}
 */
export async function readCommitState(repository, commit, isKnown) {
  const [diff, untracked] = await Promise.all([
    repository.git(['diff-index', ...RAW, commit, '--']),
    listUntracked(repository),
  ]);
  const lines = await withoutSame(repository, readRaw(diff));
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
  const head = await headOf(repository);
  const [staged, unstaged, untracked] = await Promise.all([
    repository.git(['diff-index', '--cached', ...RAW, '--diff-filter=ACMT', head, '--']),
    repository.git(['diff-files', ...RAW]),
    listUntracked(repository),
  ]);
  return {
    overlay: await overlayOf(repository, await withoutSame(repository, readRaw(unstaged)), untracked, isKnown),
    staged: readRaw(staged).map(({ path }) => shownPath(repository, path)),
  };
}

/** @param {Repository} repository @returns {Promise<string>} the commit that is checked out; an empty tree before the first one */
async function headOf({ git }) {
  try {
    return (await git(['rev-parse', '--verify', '--quiet', 'HEAD'])).toString('utf8').trim();
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    return (await git(['hash-object', '-t', 'tree', '--stdin'])).toString('utf8').trim();
  }
}

/**
 * Without a refresh of the index a copied checkout differs in all its files.
 * @param {Repository} repository
 * @param {RawLine[]} lines
 * @returns {Promise<RawLine[]>} without files that have other times and the same content
 */
async function withoutSame({ git }, lines) {
  const unsure = lines.filter(({ isUnsure }) => isUnsure);
  if (unsure.length === 0) return lines;
  const input = unsure.map(({ path }) => `${quotedPath(path)}\n`).join('');
  /** @type {Buffer} */
  let output;
  try {
    output = await git(['hash-object', '--stdin-paths'], { input });
  } catch (error) {
    // One of them cannot be read.
    if (error instanceof GitFailure) return lines;
    throw error;
  }
  const oids = output.toString('utf8').split('\n');
  const same = new Set(unsure.filter(({ oid }, index) => oid === oids[index]));
  return lines.filter((line) => !same.has(line));
}

/** @param {string} name @returns {string} as git takes it in a list of lines */
function quotedPath(name) {
  const escaped = name.replace(/["\\\p{Cc}]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(''),
  );
  return `"${escaped}"`;
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
 * @param {Buffer} output of a raw diff: `:mode mode oid oid status`, NUL, path, NUL
 * @returns {RawLine[]} with `mode` and `oid` of the older side where there is one, else of the newer one
 */
function readRaw(output) {
  const words = splitZ(output);
  /** @type {RawLine[]} */
  const lines = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [mode = '', newMode, oid = '', newOid = '', status = ''] = (words[at] ?? '').slice(1).split(' ');
    const isUnsure = status === 'M' && mode.startsWith('100') && mode === newMode && /^0+$/.test(newOid);
    lines.push({ path: /** @type {string} */ (words[at + 1]), mode, oid, status: status.slice(0, 1), isUnsure });
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
