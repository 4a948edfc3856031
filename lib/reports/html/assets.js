// Reads the script and the style of the page of findings once.

import { readFileSync } from 'node:fs';

/** @type {{script: string, style: string} | undefined} */
let known;

/** @returns {{script: string, style: string}} */
export function readAssets() {
  known ??= { script: read('page.js'), style: read('page.css') };
  return known;
}

/**
 * @param {string} name
 * @returns {string}
 */
function read(name) {
  // A page has no other line ends once it is read, and the hash is that of the page.
  return readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8').replaceAll('\r\n', '\n');
}
