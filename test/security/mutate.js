// Damages the content of a file: bytes, JSON values, lines. The same seed gives the same damage.

/** @typedef {() => number} Random from 0 to below 1 */

/**
 * @param {number} seed
 * @returns {Random} mulberry32
 */
export function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @template T @param {Random} random @param {readonly T[]} list @returns {T} */
export function pick(random, list) {
  return /** @type {T} */ (list[Math.floor(random() * list.length)]);
}

/** What stands where something else is expected. @type {readonly unknown[]} */
const STRANGE_VALUES = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e308,
    -1e308,
    2 ** 53,
    '',
    ' ',
    '\0',
    '0',
    '-1',
    'NaN',
    '__proto__',
    'constructor',
    '_design/',
    '_',
    '/',
  ],
  ...[
    [],
    [[]],
    [null],
    [1, 2, 3],
    {},
    { '': '' },
    { length: 1e9 },
    { toString: 1 },
    { constructor: { prototype: {} } },
    'x'.repeat(5000),
  ],
  ...[
    '2026-13-45T99:99:99Z',
    '../../x',
    'file:///etc/passwd',
    '\u001b[2J',
    '\ud800',
    '\u2028',
    'function',
    'function (doc) {',
    '_sum',
    '{',
    '}',
    '%',
    '%zz',
  ],
];
/** @type {readonly string[]} */
const STRANGE_TEXTS = [
  ...[
    '"',
    "'",
    '`',
    '\\',
    '/',
    '*/',
    '//',
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    ',',
    ':',
    ';',
    '=',
    '%',
    '&',
    '?',
    '#',
    '<',
    '>',
    '\0',
    '\t',
    '\r',
    '\n',
    '\r\n',
  ],
  ...[
    '\u2028',
    '\ufeff',
    '\ud800',
    '\u001b[31m',
    '\u202e',
    '__proto__',
    'constructor',
    'null',
    'undefined',
    'NaN',
    '1e999',
    '-0',
    '99999999999999999999',
  ],
  ...[
    '"__proto__":{"x":1},',
    '{"a":',
    '[[[[[[[[',
    ']]]]]]]]',
    'function (',
    '=>',
    '...',
    '${',
    '%00',
    '%ff',
    '\\u0000',
    '\\ud800',
    '\\x',
    '<!--',
    '-->',
  ],
];

/**
 * @param {Buffer} content
 * @param {Random} random
 * @returns {Buffer}
 */
export function mutate(content, random) {
  const count = 1 + Math.floor(random() * 3);
  let mutated = content;
  for (let at = 0; at < count; at += 1) mutated = pick(random, WAYS)(mutated, random);
  return mutated;
}

/** @typedef {(content: Buffer, random: Random) => Buffer} Way */

/** @param {Buffer} content @param {Random} random @returns {[number, number]} */
function range({ length }, random) {
  const start = Math.floor(random() * (length + 1));
  return [start, Math.min(length, start + Math.floor(random() ** 3 * 400))];
}

/** @param {Buffer} content @param {number} start @param {number} end @param {Buffer} inserted */
const splice = (content, start, end, inserted) =>
  Buffer.concat([content.subarray(0, start), inserted, content.subarray(end)]);

/** @type {Way} */
function cut(content, random) {
  return content.subarray(0, Math.floor(random() * content.length));
}

/** @type {Way} */
function remove(content, random) {
  return splice(content, ...range(content, random), Buffer.alloc(0));
}

/** @type {Way} */
function repeat(content, random) {
  const [start, end] = range(content, random);
  return splice(content, end, end, content.subarray(start, end));
}

/** @type {Way} */
function flip(content, random) {
  const copy = Buffer.from(content);
  for (let at = 0; at < 1 + random() * 6; at += 1)
    copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256);
  return copy;
}

/** @type {Way} */
function insert(content, random) {
  const [start, end] = range(content, random);
  return splice(content, start, random() < 0.5 ? start : end, Buffer.from(pick(random, STRANGE_TEXTS)));
}

/** @type {Way} */
function changeNumber(content, random) {
  const numbers = [
    '-1',
    '0',
    '1e999',
    '99999999999999999999999',
    '1.5',
    'NaN',
    '0x10',
    '',
    '00',
    '-',
    '2147483648',
    '9007199254740993',
  ];
  const found = [...content.toString('latin1').matchAll(/\d+(?:\.\d+)?/g)];
  if (found.length === 0) return content;
  const { 0: text, index } = pick(random, found);
  return splice(content, index, index + text.length, Buffer.from(pick(random, numbers)));
}

/** @type {Way} */
function moveLines(content, random) {
  const lines = content.toString('latin1').split('\n');
  const [from, to] = [Math.floor(random() * lines.length), Math.floor(random() * lines.length)];
  const [line = ''] = lines.splice(from, 1);
  if (random() < 0.5) lines.splice(to, 0, line, line);
  return Buffer.from(lines.join('\n'), 'latin1');
}

/** @type {Way} */
function encode(content, random) {
  const text = content.toString('utf8');
  const ways = [
    () => Buffer.from(`\ufeff${text}`),
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]),
    () => Buffer.from(text.replaceAll('\n', '\r\n')),
    () => Buffer.from(text.replaceAll('\n', '\r')),
    () => Buffer.from(text.replaceAll('\n', ' ')),
    () => Buffer.concat([content, Buffer.from('\0'.repeat(100))]),
    () => Buffer.concat([content, content]),
  ];
  return pick(random, ways)();
}

/** Puts a value of another kind somewhere into JSON, or into one line of JSON lines. @type {Way} */
function changeValue(content, random) {
  const text = content.toString('utf8');
  const whole = changeJson(text, random);
  if (whole !== undefined) return Buffer.from(whole);
  const lines = text.split('\n');
  const at = Math.floor(random() * lines.length);
  const line = changeJson(lines[at] ?? '', random);
  if (line === undefined) return insert(content, random);
  lines[at] = line;
  return Buffer.from(lines.join('\n'));
}

/** @param {string} text @param {Random} random @returns {string | undefined} undefined where it is no JSON */
function changeJson(text, random) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  /** @type {[any, string][]} */
  const places = [];
  /** @param {any} node */
  const collect = (node) => {
    for (const key of Object.keys(node)) {
      places.push([node, key]);
      if (typeof node[key] === 'object' && node[key] !== null) collect(node[key]);
    }
  };
  collect(value);
  if (places.length === 0) return JSON.stringify(pick(random, STRANGE_VALUES));
  const [parent, key] = pick(random, places);
  const way = random();
  if (way < 0.5) parent[key] = structuredClone(pick(random, STRANGE_VALUES));
  else if (way < 0.6) delete parent[key];
  else if (way < 0.7) parent[key] = [parent[key]];
  else if (way < 0.8) parent[key] = { [key]: parent[key] };
  else if (way < 0.9) {
    const [other, otherKey] = pick(random, places);
    parent[key] = structuredClone(other[otherKey]);
  } else {
    Object.defineProperty(
      parent,
      pick(random, ['__proto__', 'constructor', 'toString', '', '\0', 'views', 'language']),
      {
        value: pick(random, STRANGE_VALUES),
        enumerable: true,
        configurable: true,
        writable: true,
      },
    );
  }
  return JSON.stringify(value, null, random() < 0.5 ? 2 : undefined);
}

/** What keeps the form of JSON goes deepest into the program, so it is tried most. @type {readonly Way[]} */
const WAYS = [
  changeValue,
  changeValue,
  changeValue,
  changeValue,
  cut,
  remove,
  repeat,
  flip,
  insert,
  insert,
  changeNumber,
  moveLines,
  encode,
];
