// Detects what a log is from its first bytes: the format that most of its first lines fit, and what is put around each line.

import { DETECTED_FORMATS, formatNamed } from './formats.js';
import { LINE, LogLine, lineEnd } from './log-line.js';
import { FREED, Unwrapper } from './unwrap.js';
import { COLORS, PREFIX_WRAPPERS, parseLine, stringsOf } from './wrappers.js';

/** @import { LogFormat } from './log-line.js' */
/** @import { Layer, Wrapper } from './unwrap.js' */

/** @typedef {{format: string | undefined, wrapper?: Wrapper | undefined}} Detected `format`: undefined where no line fits any */
/** @typedef {{score: number, format: string | undefined, layers: Layer[]}} Candidate `layers`: the outermost first */
/** @typedef {{formats: LogFormat[], field: string | undefined}} Wanted `field`: that of a JSON line, as the user named it */

const MAX_LINES = 200;
/** Among the lines of other programs, those of the log may come late. */
const MAX_WRAPPED_LINES = 2000;
const MAX_LAYERS = 3;
/** Any time will do: none is kept. */
const SOME_TIME = Date.UTC(2026, 0);

/**
 * @param {Buffer} head the first bytes, perhaps ending within a line
 * @param {{format?: string | undefined, field?: string | undefined}} [given] a format, and the member of JSON lines that holds the line, where the user
 *   named them
 * @returns {Detected}
 */
export function detectLog(head, { format, field } = {}) {
  if (format === 'har' || (format === undefined && isHar(head))) return { format: 'har' };
  const named = formatNamed(format);
  const wanted = { formats: named ? [named] : DETECTED_FORMATS, field };
  const lines = linesOf(head);
  let best = bestOf(lines.slice(0, MAX_LINES), wanted, MAX_LAYERS);
  if (best.score === 0) best = bestOf(lines, wanted, MAX_LAYERS);
  const found = format ?? best.format;
  if (best.layers.length > 0)
    return { format: found, wrapper: { layers: best.layers, sources: sourcesOf(lines, found, best.layers) } };
  // The member may come later.
  const path = field?.split('.');
  return { format: found, wrapper: path && { layers: [{ path, hasPieces: false }], sources: [] } };
}

/**
 * @param {Buffer} head
 * @returns {Buffer[]}
 */
function linesOf(head) {
  /** @type {Buffer[]} */
  const lines = [];
  for (let start = 0; start < head.length && lines.length < MAX_WRAPPED_LINES; ) {
    const feed = head.indexOf(10, start);
    const end = feed === -1 ? head.length : feed;
    lines.push(head.subarray(start, lineEnd(head, start, end)));
    start = end + 1;
  }
  return lines;
}

/**
 * @param {Buffer[]} lines
 * @param {Wanted} wanted
 * @param {number} depth how many layers there may be
 * @returns {Candidate}
 */
function bestOf(lines, wanted, depth) {
  const isWrapped = depth < MAX_LAYERS;
  let best = wanted.field === undefined ? bestFormat(lines, wanted.formats, isWrapped) : NOTHING;
  if (depth === 0) return best;
  for (const { layer, inner, isCertain } of layersOf(lines, wanted.field)) {
    const found = bestOf(inner, { ...wanted, field: undefined }, depth - 1);
    // `combined` takes a prefix for a part of the address.
    const isBetter = found.score > best.score || (found.score === best.score && best.format?.startsWith('combined'));
    if (found.score > 0 && (isBetter || (isCertain && best.layers.length === 0))) {
      best = { ...found, layers: [layer, ...found.layers] };
    }
  }
  return best;
}

/** @type {Candidate} */
const NOTHING = { score: 0, format: undefined, layers: [] };

/**
 * @param {Buffer[]} lines
 * @param {LogFormat[]} formats
 * @param {boolean} isWrapped then lines of a proxy may stand beside those of CouchDB, for the same requests
 * @returns {Candidate} what most lines fit; a format of CouchDB that has requests where the lines are wrapped
 */
function bestFormat(lines, formats, isWrapped) {
  const candidates = formats.map(({ name, scan }) => {
    let score = 0;
    let requests = 0;
    for (const bytes of lines) {
      const line = new LogLine(SOME_TIME);
      const kind = scan(bytes, 0, bytes.length, line);
      // A request is better evidence than a line that merely has the head of a format.
      if (kind === LINE.OTHER) score += line.minute < 0 ? 0 : 1;
      else if (kind !== LINE.MALFORMED) score += 3;
      if (kind === LINE.REQUEST) requests += 1;
    }
    return { score, requests, format: name, layers: [] };
  });
  const own = candidates.find(({ format, requests }) => isWrapped && requests > 0 && format.startsWith('couchdb'));
  return own ?? candidates.reduce((first, second) => (second.score > first.score ? second : first), NOTHING);
}

/**
 * @param {Buffer[]} lines
 * @param {string | undefined} field
 * @returns {{layer: Layer, inner: Buffer[], isCertain: boolean}[]} what may be around the lines, and what is in it
 */
function layersOf(lines, field) {
  const texts = lines.map((line) => line.toString('latin1'));
  const prefixes = PREFIX_WRAPPERS.map(({ pattern, isCertain = false, hasPieces }, prefix) => {
    const inner = texts.flatMap((text) => {
      pattern.lastIndex = 0;
      if (!pattern.test(text)) return [];
      const end = hasPieces && text[pattern.lastIndex - 2] === 'P' ? '' : '\n';
      return `${text.slice(pattern.lastIndex)}${end}`;
    });
    return { layer: { prefix }, isCertain, inner: split(inner.join(''), 'latin1') };
  });
  const colored = texts.filter((text) => text.includes('\u001b['));
  return [
    ...jsonLayers(lines, field),
    ...(field === undefined
      ? [
          ...prefixes,
          {
            layer: { colors: /** @type {const} */ (true) },
            isCertain: false,
            inner: split(colored.join('\n').replaceAll(COLORS, ''), 'latin1'),
          },
        ]
      : []),
  ].filter(({ inner }) => inner.length > 0);
}

/**
 * @param {Buffer[]} lines
 * @param {string | undefined} field
 * @returns {{layer: Layer, inner: Buffer[], isCertain: boolean}[]} one for each member that is a string
 */
function jsonLayers(lines, field) {
  /** @type {Map<string, {path: string[], texts: string[]}>} */
  const members = new Map();
  const objects = lines.filter((line) => line[0] === 123);
  let hasPieces = false;
  for (const line of objects) {
    for (const { path, text } of stringsOf(parseLine(line.toString('utf8')))) {
      if (field !== undefined && path.join('.') !== field) continue;
      const key = JSON.stringify(path);
      const member = members.get(key) ?? { path, texts: [] };
      member.texts.push(text);
      // Docker: the other members are `stream` and `time`.
      if (key === '["log"]' && text.endsWith('\n') && line.includes('"stream":')) hasPieces = true;
      members.set(key, member);
    }
  }
  return [...members.values()].map(({ path, texts }) => ({
    layer: { path, hasPieces: hasPieces && path.join('.') === 'log' },
    inner: split(texts.join(hasPieces ? '' : '\n'), 'utf8'),
    isCertain: true,
  }));
}

/**
 * @param {string} text
 * @param {BufferEncoding} encoding
 * @returns {Buffer[]} its lines, without empty ones
 */
function split(text, encoding) {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => Buffer.from(line, encoding));
}

/**
 * @param {Buffer[]} lines
 * @param {string | undefined} format
 * @param {Layer[]} layers
 * @returns {string[]} the programs whose lines are of that format
 */
function sourcesOf(lines, format, layers) {
  const unwrapper = new Unwrapper({ layers, sources: [] });
  const scan = formatNamed(format)?.scan;
  const known = new Set();
  for (const bytes of lines) {
    if (unwrapper.unwrap(bytes, 0, bytes.length) !== FREED.LINE) continue;
    const line = new LogLine(SOME_TIME);
    const kind = scan?.(unwrapper.bytes, unwrapper.start, unwrapper.end, line) ?? LINE.MALFORMED;
    if (kind >= LINE.REQUEST || (kind === LINE.OTHER && line.minute >= 0)) known.add(unwrapper.source());
  }
  return [...known];
}

/**
 * @param {Buffer} head
 * @returns {boolean} whether a JSON document with HAR's outermost member begins there
 */
function isHar(head) {
  if (!/^\ufeff?\s*\{\s*"log"\s*:\s*\{/.test(head.toString('utf8', 0, 4096))) return false;
  // Collectors write JSON lines with such a member.
  const feed = head.indexOf(10);
  /** @type {any} */
  const first = feed === -1 ? undefined : parseLine(head.toString('utf8', 0, feed));
  return first === undefined || Array.isArray(first.log.entries);
}
