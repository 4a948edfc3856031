// Replaces the modules of Node.js in the page: the files of the rules and what was pasted, bytes, and the thread of the sandbox. All modules of
// Node.js that the library imports lead here, except `node:path`. What is missing is what the page never calls: it writes nothing, opens no
// connection and unpacks nothing.

import bundled from 'playground:files';
import threadCode from 'playground:thread';
import { Buffer } from 'buffer';

export { Buffer };

/** Folder of what was pasted. */
export const PASTED = '/pasted';

/** Every file there is, by its absolute path. @type {Map<string, Buffer>} */
const files = new Map(Object.entries(bundled).map(([path, text]) => [path, Buffer.from(text)]));

/**
 * @param {string} name in the folder of what was pasted
 * @param {string} text an empty one removes the file
 */
export function putPasted(name, text) {
  if (text === '') files.delete(`${PASTED}/${name}`);
  else files.set(`${PASTED}/${name}`, Buffer.from(text));
}

/** @param {string | URL} path @returns {Buffer} */
function bytesOf(path) {
  const bytes = files.get(typeof path === 'string' ? path : path.pathname);
  if (!bytes) throw notFound(path);
  return bytes;
}

/** @param {string | URL} path @returns {Error} */
function notFound(path) {
  return Object.assign(new Error(`ENOENT: no such file or directory, '${path}'`), { code: 'ENOENT' });
}

/** @param {string | URL} path @param {BufferEncoding} [encoding] @returns {Buffer | string} */
export function readFileSync(path, encoding) {
  return encoding === undefined ? bytesOf(path) : bytesOf(path).toString(encoding);
}

/**
 * @param {string} folder
 * @returns {{name: string, isFile: () => boolean, isDirectory: () => boolean, isSymbolicLink: () => boolean}[]}
 */
export function readdirSync(folder) {
  /** @type {Map<string, boolean>} */
  const names = new Map();
  for (const path of files.keys()) {
    if (!path.startsWith(`${folder}/`)) continue;
    const [name = '', ...rest] = path.slice(folder.length + 1).split('/');
    names.set(name, rest.length > 0);
  }
  return [...names].map(([name, isFolder]) => ({
    name,
    isFile: () => !isFolder,
    isDirectory: () => isFolder,
    isSymbolicLink: () => false,
  }));
}

/** @param {string} path @param {{throwIfNoEntry?: boolean}} [options] */
export function statSync(path, { throwIfNoEntry = true } = {}) {
  const bytes = files.get(path);
  const isFolder = !bytes && readdirSync(path).length > 0;
  if (!bytes && !isFolder) {
    if (throwIfNoEntry) throw notFound(path);
    return undefined;
  }
  return {
    isFile: () => !isFolder,
    isDirectory: () => isFolder,
    isFIFO: () => false,
    size: bytes?.length ?? 0,
    mtimeMs: Date.now(),
    mode: isFolder ? 0o040755 : 0o100644,
  };
}

/** @param {string} path @returns {boolean} */
export function existsSync(path) {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** There are no links here, and the handle of an open file is its path. */
export { statSync as fstatSync, statSync as lstatSync };

/** @param {string} path @returns {string} */
export function realpathSync(path) {
  if (!existsSync(path)) throw notFound(path);
  return path;
}

/** How far each open file was read. @type {Map<string, number>} */
const positions = new Map();

/** @param {string} path @returns {string} */
export function openSync(path) {
  bytesOf(path);
  positions.set(path, 0);
  return path;
}

export function closeSync() {}

/** @param {string} handle @param {Buffer} target @param {number} offset @param {number} length @param {number | null} position @returns {number} of bytes */
export function readSync(handle, target, offset, length, position) {
  const bytes = bytesOf(handle);
  const start = position ?? positions.get(handle) ?? 0;
  // The package throws where there is nothing to copy.
  const count = start < bytes.length && length > 0 ? bytes.copy(target, offset, start, start + length) : 0;
  if (position === null) positions.set(handle, start + count);
  return count;
}

/** Of `node:buffer` and `node:fs`. */
export const constants = { MAX_STRING_LENGTH: 2 ** 29 - 24, O_RDONLY: 0 };

/** @returns {boolean} what was pasted was a string before */
export function isUtf8() {
  return true;
}

/** @returns {number} logs are read by the page's own thread */
export function availableParallelism() {
  return 1;
}

const threadAddress = URL.createObjectURL(new Blob([threadCode], { type: 'text/javascript' }));

/** A thread of `node:worker_threads`, as far as the sandbox uses it. */
export class Worker {
  worker = new globalThis.Worker(threadAddress);

  /** @param {string} event @param {(value: any) => void} listener */
  on(event, listener) {
    if (event === 'message') this.worker.addEventListener('message', ({ data }) => listener(data));
    if (event === 'error') this.worker.addEventListener('error', ({ message }) => listener(new Error(message)));
  }

  /** @param {unknown} message */
  postMessage(message) {
    this.worker.postMessage(message);
  }

  async terminate() {
    this.worker.terminate();
  }

  /** Keeps no process alive: a page has none. */
  ref() {}
  unref() {}
}
