// Names the bytes that JSON is made of, and what a piece of it is called in an error. Knows no state.

export const LINE_FEED = 0x0a;
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_ARRAY = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_ARRAY = 0x5d;
export const UNDERSCORE = 0x5f;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

/** What may stand behind a backslash; the four digits behind a `u` are not looked at here. */
const ESCAPES = new Set(Buffer.from('"\\/bfnrtu'));

/** What numbers, `true`, `false` and `null` are made of, and what looks like such a word. */
const WORD_BYTES = new Uint8Array(256);
for (const byte of Buffer.from('0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-.'))
  WORD_BYTES[byte] = 1;

/** @param {number} byte @returns {boolean} */
export function isBlank(byte) {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}

/** @param {number} byte @returns {boolean} */
export function isEscape(byte) {
  return ESCAPES.has(byte);
}

/** @param {number | undefined} byte @returns {boolean} */
export function isWordByte(byte) {
  return byte !== undefined && WORD_BYTES[byte] === 1;
}

/** @param {number} byte @returns {boolean} whether a number, `true`, `false` or `null` may begin so */
export function startsWord(byte) {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x74 || byte === 0x66 || byte === 0x6e;
}

/** @param {number} byte @returns {string} */
export function showByte(byte) {
  return byte > 0x20 && byte < 0x7f ? `\`${String.fromCharCode(byte)}\`` : `byte ${byte}`;
}
