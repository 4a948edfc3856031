// Renders the frame of every HTML page: one style and at most one script, both named by hash in a policy that lets
// nothing else load or run.

import { createHash } from 'node:crypto';
import { html, Markup } from '../../shared/markup.js';

/**
 * @param {object} page
 * @param {string} page.title
 * @param {string} page.style
 * @param {Markup} page.body
 * @param {Markup} [page.head] further elements of the head, each on its line
 * @param {string} [page.script] runs once the body is there
 * @returns {string} the whole page
 */
export function renderFrame({ title, style, body, head, script }) {
  const policy = [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src '${hashOf(script)}'`]),
    `style-src '${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${head}<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
${body}${script !== undefined && html`<script type="module">${new Markup(script)}</script>\n`}</body>
</html>
`.text;
}

/**
 * @param {string} text
 * @returns {string} as policies name it
 */
function hashOf(text) {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
