// The view of the file system that readers of couchapp folders have: names and texts, from a tree that tests can
// replace.

/** @import { SourceFile } from '../../shared/source-file.js' */

/** @typedef {{name: string, isFolder: boolean}} TreeEntry */

/**
 * @typedef {object} FileTree Paths have forward slashes, as they are shown to people; `.` is the working directory.
 * @property {(path: string) => TreeEntry[] | Promise<TreeEntry[]>} list what a folder holds; empty where it cannot be read or
 *   was met already on the way down to it
 * @property {(path: string) => SourceFile | Promise<SourceFile>} read throws a UserError where there is no text to be had, with
 *   the code `binary-file` where that is as it should be
 */

/**
 * @param {string} folder
 * @param {string} name
 * @returns {string} the path of what is so named in the folder
 */
export function joinPath(folder, name) {
  return folder === '.' || folder === '' ? name : `${folder}/${name}`;
}

/**
 * @param {FileTree} tree
 * @param {string} path
 * @returns {Promise<TreeEntry[]>} in the order of their names
 */
export async function listSorted(tree, path) {
  const entries = await tree.list(path);
  return [...entries].sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}
