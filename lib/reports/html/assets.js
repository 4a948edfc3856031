// Reads the scripts and the style of pages once.

import { readFileSync } from 'node:fs';

/** @type {Map<string, string>} */
const known = new Map();

/** @returns {{script: string, style: string}} of the page of findings */
export function readAssets() {
  return { script: read('page.js'), style: read('page.css') };
}

/** @returns {string} the script that searches and sorts the rows of a digest */
export function readRowsScript() {
  return read('rows.js');
}

/**
 * @param {string} name
 * @returns {string}
 */
function read(name) {
  const before = known.get(name);
  if (before !== undefined) return before;
  // A page has no other line ends once it is read, and the hash is that of the page.
  const text = readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8').replaceAll('\r\n', '\n');
  known.set(name, text);
  return text;
}
