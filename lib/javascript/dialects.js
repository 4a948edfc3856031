// Loads the parsers of TypeScript and JSX, each when a file first needs it: most runs read no such file.

import { Parser } from 'acorn';
import { boundNesting } from './nesting.js';

/** @typedef {'javascript' | 'jsx' | 'typescript' | 'tsx'} Dialect */

/** By the ending of a file's name. @type {ReadonlyMap<string, Dialect>} */
const DIALECTS = new Map([
  ['.js', 'javascript'],
  ['.mjs', 'javascript'],
  ['.cjs', 'javascript'],
  ['.jsx', 'jsx'],
  ['.ts', 'typescript'],
  ['.mts', 'typescript'],
  ['.cts', 'typescript'],
  ['.tsx', 'tsx'],
  // JavaScript in these parses as TypeScript, too.
  ['.vue', 'typescript'],
  ['.svelte', 'typescript'],
]);

/** Parsers that were loaded. Plain JavaScript is always there. @type {Map<Dialect, typeof Parser>} */
const loaded = new Map([['javascript', Parser.extend(boundNesting)]]);

/**
 * @param {string} path
 * @returns {Dialect} of the file by its name; plain JavaScript where that says nothing
 */
export function dialectOf(path) {
  return DIALECTS.get(/\.(?:[cm]?[jt]sx?|vue|svelte)$/i.exec(path)?.[0].toLowerCase() ?? '') ?? 'javascript';
}

/**
 * To be called before `parseFile` with the same path.
 * @param {string} path
 * @param {string} text of the file: a `.js` file may hold JSX, too
 * @returns {Promise<void>}
 */
export async function loadDialect(path, text) {
  const dialect = dialectOf(path);
  if (dialect === 'javascript') {
    if (text.includes('</') || text.includes('/>')) await load('jsx');
  } else await load(dialect);
}

/**
 * @param {Dialect} dialect
 * @returns {typeof Parser | undefined} undefined unless `loadDialect` loaded it
 */
export function parserOf(dialect) {
  return loaded.get(dialect);
}

/** @param {Dialect} dialect */
async function load(dialect) {
  if (loaded.has(dialect)) return;
  if (dialect === 'jsx') {
    const { default: jsx } = await import('acorn-jsx');
    loaded.set(dialect, Parser.extend(jsx(), boundNesting));
    return;
  }
  const { tsPlugin } = await import('@sveltejs/acorn-typescript');
  loaded.set(dialect, Parser.extend(tsPlugin({ jsx: dialect === 'tsx' }), boundNesting));
}
