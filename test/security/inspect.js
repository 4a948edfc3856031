// Finds what is wrong with what the program printed or wrote: characters that control a terminal, markup that takes
// effect on a page, lines that are commands to a runner of CI, broken formats, stack traces.

import { readXml } from '../helpers/read-xml.js';

/** @typedef {{stdout: string, stderr: string, exitCode: number | null}} Ended */
/** @typedef {(text: string) => string | undefined} Inspection what is wrong; undefined where nothing is */

/** C0 but for the line feed, DEL, C1, separators, marks of direction, the byte order mark, half letters. */
const WORKING = /[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/u;

/** @param {string} text @param {number} at */
const around = (text, at) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60));

/** @type {Inspection} */
export function inspectTerminal(text) {
  const found = WORKING.exec(text);
  if (!found) return undefined;
  const code = found[0].codePointAt(0)?.toString(16).toUpperCase();
  return `U+${code} is printed: ${around(text, found.index)}`;
}

/** @type {Inspection} */
export function inspectJson(text) {
  try {
    JSON.parse(text);
  } catch (error) {
    return `it is no JSON: ${error}`;
  }
  return inspectTerminal(text);
}

/** @type {Inspection} */
export function inspectJunit(text) {
  try {
    readXml(text);
  } catch (error) {
    return `it is no XML: ${error}`;
  }
  return inspectTerminal(text);
}

/** A runner skips white space before a command, and ends a line at a carriage return too. */
const RUNNER_COMMAND = /^\s*(?:::[a-z]|##\[|##teamcity)/;
const ANNOTATION = /^::(?:error|warning|notice) (?:file=[^:,]*,line=\d+(?:,[a-zA-Z]+=\d+)*,)?title=[^:,]*::/;

/** @type {Inspection} */
export function inspectRunner(text) {
  for (const line of text.split(/[\r\n\u2028\u2029\u0085]/)) {
    if (RUNNER_COMMAND.test(line)) return `a line is a command to a runner: ${JSON.stringify(line.slice(0, 100))}`;
  }
  return inspectTerminal(text);
}

/** @type {Inspection} */
export function inspectGithub(text) {
  for (const line of text.split(/[\r\n\u2028\u2029\u0085]/)) {
    if (line !== '' && !ANNOTATION.test(line)) return `a line is no annotation: ${JSON.stringify(line.slice(0, 100))}`;
  }
  return inspectTerminal(text);
}

/** @type {Inspection} */
export function inspectMarkdown(text) {
  // A fence ends with as many backquotes as it began with.
  const prose = text.replace(/^(`{3,})[^`\n]*\n[\s\S]*?^\1[ \t]*$/gm, '');
  const checks = /** @type {const} */ ([
    ['an element', /<(?!\/?(?:code|details|summary|sub)>|!-- couch-advisor ci -->|!-- -->|https:\/\/)/],
    ['a link', /\]\((?!<https:)/],
    ['a link by reference', /^\s*\[[^\]]+\]:/m],
    ['a mention', /@(?!<!-- -->)/],
    ['an address', /(?<!\]\(<)(?:https?:\/\/|www\.)/i],
    ['a heading, list or quote', /^\s*(?:#+|[-*+>]|\d+\.) owned/m],
    ['a fence', /^\s*(?:`{3}|~{3})/m],
    ['an address of a script', /(?:\]\(|<|\]:)\s*javascript:/],
  ]);
  for (const [name, pattern] of checks) {
    const found = pattern.exec(prose);
    if (found) return `${name} is active: ${around(prose, found.index)}`;
  }
  return inspectTerminal(text);
}

/** What stands under the pointer in an editor: Markdown without any of HTML, whose only links are those to the documentation, one a finding. @type {Inspection} */
export function inspectEditorMarkdown(text) {
  const prose = text.replace(/^(`{3,})[^`\n]*\n[\s\S]*?^\1[ \t]*$/gm, '');
  // A code span ends with as many backquotes as it began with; with none such, they are text.
  const plain = prose
    .replace(/\\[!-/:-@[-`{-~]/g, '')
    .replace(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, '')
    .replace(/^\[Documentation\]\(https:\/\/[\w\-./#?=&%~+:]+\)$/gm, '');
  const checks = /** @type {const} */ ([
    ['an element', /</],
    ['a link', /\]\(/],
    ['a link by reference', /^\s*\[[^\]]+\]:/m],
    ['a heading or a quote', /^\s*(?:#+|>) /m],
    ['a fence', /^\s*(?:`{3}|~{3})/m],
  ]);
  for (const [name, pattern] of checks) {
    const found = pattern.exec(plain);
    if (found) return `${name} is active: ${around(plain, found.index)}`;
  }
  return inspectTerminal(text);
}

const TAG = /<(\/?)([A-Za-z][A-Za-z0-9-]*)((?:\s+[A-Za-z_:][\w:.-]*(?:="[^"<]*"|=[\w.-]+)?)*)\s*(\/?)>/y;
const ELEMENTS = new Set(
  (
    'html head meta title style script body header main nav section article aside footer div span p a h1 h2 h3 h4 h5 h6 ul ol li dl dt dd ' +
    'table caption thead tbody tfoot tr th td code pre details summary strong em small b i br hr input select option button label form ' +
    'fieldset legend output time svg g path rect circle line polyline polygon text tspan defs clipPath linearGradient stop desc figure ' +
    'figcaption abbr mark del ins kbd sup sub use symbol template progress colgroup col wbr'
  ).split(' '),
);

/** A page or a picture: nothing in it is markup but what the program makes. @type {Inspection} */
export function inspectPage(text) {
  // The program's own script and style hold no text of the input; data for the script is JSON without `<`.
  const markup = text.replace(/<(script|style)(?: [^>]*)?>([\s\S]*?)<\/\1>/g, (whole, _, content) =>
    /owned|stolen|evil/.test(content) && content.includes('<') ? whole : '',
  );
  let at = markup.indexOf('<');
  for (; at !== -1; at = markup.indexOf('<', at)) {
    if (/^<(?:!doctype html|\?xml[^>]*\?)>/i.test(markup.slice(at, at + 80))) {
      at += 1;
      continue;
    }
    TAG.lastIndex = at;
    const tag = TAG.exec(markup);
    if (!tag) return `what is no tag: ${around(markup, at)}`;
    const [, , name = '', attributes = ''] = tag;
    if (!ELEMENTS.has(name)) return `an element <${name}>: ${around(markup, at)}`;
    // Within quotes it is text.
    const names = attributes.replaceAll(/"[^"]*"/g, '""');
    if (/\son\w+\s*=|\ssrcdoc|\sautofocus/i.test(names)) return `an attribute that acts: ${around(markup, at)}`;
    const link = /\s(?:href|src|action|xlink:href|formaction)="([^"]*)"/i.exec(attributes)?.[1];
    if (link !== undefined && !/^(?:#|https:\/\/|data:image\/)/.test(link)) return `a link to ${link}`;
    if (link?.includes('evil.example')) return `a link to ${link}`;
    at = TAG.lastIndex;
  }
  return undefined;
}

/** @param {Ended} ended @returns {string | undefined} what is wrong with any run, whatever it printed */
export function inspectRun({ stdout, stderr, exitCode }) {
  if (exitCode === null || exitCode < 0 || exitCode > 3) return `it ended with ${exitCode}`;
  for (const text of [stdout, stderr]) {
    if (text.includes('bug in couch-advisor'))
      return `it is a fault: ${text.slice(text.indexOf('This is a bug')).slice(0, 400)}`;
    if (/^ {3,}at .+:\d+/m.test(text)) return `a stack trace: ${text.slice(0, 1500)}`;
  }
  return inspectTerminal(stderr);
}
