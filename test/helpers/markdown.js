// Reads from Markdown what tests check: code blocks, shell examples, links, anchors.

/** @typedef {{info: string, text: string, start: number, end: number}} Block offsets of its content in the whole text */
/** @typedef {{command: string, output: string}} Example */
/** @typedef {{target: string, line: number}} Link */

/**
 * @param {string} markdown
 * @returns {Block[]} the fenced code blocks
 */
export function readBlocks(markdown) {
  const pattern = /^(`{3,})([^\n`]*)\n([\s\S]*?)^\1[ \t]*$/gm;
  return [...markdown.matchAll(pattern)].map((match) => {
    const [, fence = '', info = '', text = ''] = match;
    const start = match.index + fence.length + info.length + 1;
    return { info: info.trim(), text, start, end: start + text.length };
  });
}

/**
 * @param {string} text of a block
 * @returns {Example[]} each line that begins with `$ `, and the lines up to the next
 */
export function readExamples(text) {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...output] = part.split('\n');
      return { command, output: output.join('\n').trimEnd() };
    });
}

/** Replaces lines that an example leaves out. */
export const ELISION = '[…]';

/**
 * @param {string} shown the output as a document gives it; a line `[…]` matches any lines
 * @param {string} actual
 * @returns {string} the actual output, with lines left out where the document leaves some out, and as many kept before
 *   and after as it shows: equal to `shown` if and only if that is true
 */
export function elide(shown, actual) {
  const parts = shown.split('\n');
  const at = parts.indexOf(ELISION);
  const lines = actual.trimEnd().split('\n');
  if (at === -1) return lines.join('\n');
  const after = parts.length - at - 1;
  if (lines.length <= at + after) return lines.join('\n');
  return [...lines.slice(0, at), ELISION, ...lines.slice(lines.length - after)].join('\n');
}

/**
 * @param {string} markdown
 * @returns {Link[]} targets of links and images outside code
 */
export function readLinks(markdown) {
  const blank = (/** @type {string} */ code) => code.replace(/[^\n]/g, ' ');
  const prose = markdown.replace(/^(`{3,})[\s\S]*?^\1[ \t]*$/gm, blank).replace(/`[^`\n]*`/g, blank);
  return [...prose.matchAll(/\]\(([^()\s]+)(?: "[^"]*")?\)/g)].map((match) => ({
    target: match[1] ?? '',
    line: prose.slice(0, match.index).split('\n').length,
  }));
}

/**
 * @param {string} markdown
 * @returns {Set<string>} anchors of its headings, as GitHub makes them
 */
export function readAnchors(markdown) {
  const headings = markdown.replace(/^(`{3,})[\s\S]*?^\1[ \t]*$/gm, '').match(/^#+ .*$/gm) ?? [];
  return new Set(
    headings.map((heading) =>
      heading
        .replace(/^#+ /, '')
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
