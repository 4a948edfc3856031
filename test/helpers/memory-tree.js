// Makes a tree of files kept in an object, and shows values of records as plain data, for the tests of readers.

import { UserError } from '../../lib/shared/user-error.js';
import { SourceFile } from './read-source.js';

/** @import { FileTree, TreeEntry } from '../../lib/sources/design-docs/couchapp-tree.js' */
/** @import { ValueNode } from '../../lib/sources/record.js' */

/**
 * @param {Record<string, string>} texts by path
 * @returns {FileTree}
 */
export function createTree(texts) {
  const paths = new Map(Object.entries(texts));
  return {
    list(folder) {
      const prefix = folder === '.' ? '' : `${folder}/`;
      /** @type {Map<string, TreeEntry>} */
      const entries = new Map();
      for (const path of paths.keys()) {
        if (!path.startsWith(prefix)) continue;
        const [name = '', ...rest] = path.slice(prefix.length).split('/');
        entries.set(name, { name, isFolder: rest.length > 0 });
      }
      return [...entries.values()].reverse();
    },
    read(path) {
      const text = paths.get(path);
      if (text === undefined) throw new UserError('unreadable', `${path} cannot be read`);
      if (text.includes('\0')) throw new UserError('binary-file', `${path} is a binary file`);
      return new SourceFile(path, text);
    },
  };
}

/**
 * @param {ValueNode | undefined} node
 * @returns {unknown} the value; what is not known as `{unknown: reason}`
 */
export function plain(node) {
  if (!node) return undefined;
  switch (node.type) {
    case 'object':
      return Object.fromEntries(node.entries.map((entry) => [entry.key, plain(entry.node)]));
    case 'array':
      return node.items.map(plain);
    case 'unknown':
      return { unknown: node.reason };
    case 'null':
      return null;
    default:
      return node.value;
  }
}

/**
 * @param {ValueNode | undefined} node
 * @param {string} needle a stretch of the node's text
 * @returns {string | undefined} where it stands: `file:line:column`
 */
export function placeOf(node, needle) {
  if (node?.type !== 'string') return undefined;
  const start = node.value.indexOf(needle);
  const place = node.text.place(start, start + needle.length);
  return place && `${place.file}:${place.line}:${place.column}`;
}
