// `lint --watch`: waits until something that was read changes, and lints again. Logs and loads are read once.

import { watch as watchFolder } from 'node:fs';
import path from 'node:path';
import { printable } from '../../../shared/printable.js';
import { UserError } from '../../../shared/user-error.js';
import { DiskTree } from '../../../sources/disk-tree.js';
import { describeError, userErrorsIn } from '../../describe-error.js';
import { CONFIG_FILES } from '../../find-config.js';

/** @import { FSWatcher } from 'node:fs' */
/** @import { Surroundings } from '../../main.js' */
/** @import { Prepared } from '../../prepare.js' */

/** Editors save in several steps; milliseconds without another one. */
const QUIET_MS = 40;
/** More names say nothing more. */
const MAX_NAMES = 3;

const CONFIG_NAMES = new Set([...CONFIG_FILES, 'package.json']);

/**
 * @param {object} run
 * @param {DiskTree} run.tree what was read from
 * @param {Prepared} run.prepared
 * @param {(tree: DiskTree) => Promise<Prepared>} run.prepare reads everything again, the configuration too
 * @param {(prepared: Prepared) => Promise<unknown>} run.lint
 * @param {Pick<Surroundings, 'cwd' | 'stderr'>} surroundings
 * @returns {Promise<never>} a signal ends it
 * @throws {UserError} where folders cannot be watched
 */
export async function watch({ tree: first, prepared: before, prepare, lint }, { cwd, stderr }) {
  const watcher = new Watcher();
  let [tree, prepared] = [first, before];
  watcher.update(foldersOf(tree, prepared));
  await lint(prepared);
  for (;;) {
    stderr.write('watching for changes; press Ctrl+C to stop\n');
    let names = '';
    while (names === '') {
      const files = await watcher.next();
      const { opened } = prepared;
      const configs = new Set(configsOf(tree, prepared));
      const isConfig = files.some((file) => configs.has(file) || CONFIG_NAMES.has(path.basename(file)));
      tree = new DiskTree(cwd);
      const isRead = await succeeds(async () => {
        prepared = isConfig ? await prepare(tree) : { ...prepared, opened: await prepared.reopen(new Map(), tree) };
      }, stderr);
      if (!isRead) continue;
      watcher.update(foldersOf(tree, prepared));
      if (isConfig || !isSame(opened, prepared.opened)) names = describe(files, cwd);
    }
    stderr.write(`changed: ${printable(names)}\n`);
    await succeeds(() => lint(prepared), stderr);
  }
}

/**
 * @param {string[]} files absolute
 * @param {string} cwd
 * @returns {string}
 */
function describe(files, cwd) {
  const names = files.slice(0, MAX_NAMES).map((file) => path.relative(cwd, file) || '.');
  return [...names, ...(files.length > MAX_NAMES ? ['…'] : [])].join(', ');
}

/**
 * @param {() => Promise<unknown>} work
 * @param {Surroundings['stderr']} stderr gets the errors that people can correct
 * @returns {Promise<boolean>} whether there was none: after one, the next change is waited for
 */
async function succeeds(work, stderr) {
  try {
    await work();
    return true;
  } catch (error) {
    const errors = userErrorsIn(error);
    if (errors.length === 0) throw error;
    stderr.write(errors.map(describeError).join(''));
    return false;
  }
}

/**
 * @param {DiskTree} tree
 * @param {Prepared} prepared
 * @returns {string[]} the files of all configurations, absolute
 */
function configsOf(tree, { folders }) {
  return folders.all.flatMap(({ layers }) => layers.map(({ source }) => tree.absolute(source.path)));
}

/**
 * @param {DiskTree} tree
 * @param {Prepared} prepared
 * @returns {Set<string>} absolute
 */
function foldersOf(tree, prepared) {
  return new Set([...tree.folders, ...configsOf(tree, prepared).map((file) => path.dirname(file))]);
}

/**
 * @param {Prepared['opened']} before
 * @param {Prepared['opened']} after
 * @returns {boolean} whether the same texts and errors were read
 */
function isSame(before, after) {
  const messages = (/** @type {Prepared['opened']} */ { errors }) => JSON.stringify(errors);
  if (before.files.size !== after.files.size || messages(before) !== messages(after)) return false;
  return [...after.files].every(([name, { text }]) => before.files.get(name)?.text === text);
}

/** Collects the changes in folders. */
class Watcher {
  /** @type {Map<string, FSWatcher>} */
  #watchers = new Map();
  /** @type {Set<string>} */
  #changed = new Set();
  #wake = () => {};

  /** @param {Set<string>} folders that are watched from now on, absolute */
  update(folders) {
    const isFirst = this.#watchers.size === 0;
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    for (const folder of folders) {
      if (this.#watchers.has(folder) || !this.#add(folder)) continue;
      // What was written into a new folder before it was watched is seen by reading it again.
      if (!isFirst) this.#changed.add(folder);
    }
  }

  /** @returns {Promise<string[]>} what has changed, absolute, when nothing more has for a moment */
  async next() {
    while (this.#changed.size === 0) {
      await new Promise((resolve) => {
        this.#wake = () => resolve(undefined);
      });
    }
    for (let size = 0; size !== this.#changed.size; ) {
      size = this.#changed.size;
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    }
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed;
  }

  /**
   * @param {string} folder
   * @returns {boolean} false where it is gone
   */
  #add(folder) {
    try {
      const watcher = watchFolder(folder, (_, name) => {
        this.#changed.add(path.join(folder, name ?? ''));
        this.#wake();
      });
      watcher.on('error', () => {
        watcher.close();
        this.#watchers.delete(folder);
      });
      this.#watchers.set(folder, watcher);
      return true;
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return false;
      throw new UserError('cannot-watch', `cannot watch ${folder} (${code})`, {
        hint: 'watch fewer folders, or raise the limit (fs.inotify.max_user_watches)',
      });
    }
  }
}
