// Makes text from outside safe to show in a terminal or a log: nothing in it moves the cursor, changes colors, ends a
// line or reverses the order of letters.

/** C0 and DEL, C1, the line separators, marks and overrides of writing direction, the byte order mark, lone surrogates. */
const UNPRINTABLE = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;

/**
 * What a line of a log must not begin with in CI: GitHub Actions (`::error …::`, `##[error]`) and TeamCity (`##teamcity[…]`) take it for a command, also
 * behind white space. Long lines are broken between words, so no word begins like that.
 */
const RUNNER_COMMAND = /(?<!\S)[:#](?=#(?:\[|teamcity\[)|(:[a-z][\w-]*)(?: |::))/gi;

/** Unicode has a visible picture of each C0 character, from here on in the same order. */
const CONTROL_PICTURES = 0x2400;
const DELETE = 0x7f;
const DELETE_PICTURE = '\u2421';
const REPLACEMENT = '\ufffd';

/**
 * @param {string} text
 * @returns {string} no word like a command to a runner of CI, and every unprintable character shown by a picture (`␛` for escape, `␊` for a line feed) or,
 *   where there is none, by its number: `<U+202E>`; line ends and tabs are not kept
 */
export function printable(text) {
  const shown = text.replace(UNPRINTABLE, (character) => {
    const code = /** @type {number} */ (character.codePointAt(0));
    if (code < 0x20) return String.fromCharCode(CONTROL_PICTURES + code);
    if (code === DELETE) return DELETE_PICTURE;
    if (code >= 0xd800 && code <= 0xdfff) return REPLACEMENT;
    return codeOf(code);
  });
  // Looked for once: in each match the rest of the text would be read again.
  const lastColons = shown.lastIndexOf('::');
  return shown.replace(RUNNER_COMMAND, (first, command, at) =>
    command !== undefined && lastColons <= at + command.length ? first : codeOf(first.charCodeAt(0)),
  );
}

/**
 * @param {string} text
 * @param {number} longest characters that are kept
 * @returns {string} one line
 */
export function oneLine(text, longest) {
  const line = text.replace(/\s+/g, ' ').trim();
  // A cut between the halves of a pair would leave a lone surrogate.
  return line.length > longest ? `${line.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…` : line;
}

/** @param {number} code @returns {string} */
function codeOf(code) {
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/**
 * @param {string} text
 * @returns {string} line ends are kept, and nothing else that works on a terminal
 */
export function printableLines(text) {
  return text.split('\n').map(printable).join('\n');
}
