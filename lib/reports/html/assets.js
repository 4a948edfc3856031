// What the page brings along: its script and its style, read once, and the policy that lets these two run and nothing else.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * @typedef {object} Assets
 * @property {string} script
 * @property {string} style
 * @property {string} policy for `Content-Security-Policy`
 */

/** @type {Assets | undefined} */
let known;

/** @returns {Assets} */
export function readAssets() {
  known ??= prepare(read('page.js'), read('page.css'));
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

/**
 * @param {string} script
 * @param {string} style
 * @returns {Assets}
 */
function prepare(script, style) {
  const sources = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return { script, style, policy: sources.join('; ') };
}

/**
 * @param {string} text
 * @returns {string} as policies name it
 */
function hashOf(text) {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
