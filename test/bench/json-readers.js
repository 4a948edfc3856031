// `node test/bench/json-readers.js`: compares our readers of JSON with packages that could replace them. README.md
// beside it says how to read it.

import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { visit } from 'jsonc-parser';
import { findCandidates } from '../../lib/sources/design-docs/candidates.js';
import { parseJsonTree } from '../../lib/sources/design-docs/value-tree.js';
import { DocumentReader } from '../../lib/sources/loads/document-reader.js';
import { SourceFile } from '../helpers/read-source.js';
import { generateDesignDocs } from './generate.js';
import { figures, interleave } from './measure.js';
import { readNumber, readOptions } from './read-options.js';

const HELP = `Measures our readers of JSON beside JSON.parse, jsonc-parser, @streamparser/json and stream-json.

  node test/bench/json-readers.js [options]

  --megabytes N     of JSON in each round (4)
  --rounds N        (5)
  --packages FOLDER where @streamparser/json and stream-json are installed; without it they are not measured
`;
/** What a file of documents is read in. */
const PIECE = 64 * 1024;

const { values } = readOptions(HELP, {
  megabytes: { type: 'string', default: '4' },
  rounds: { type: 'string', default: '5' },
  packages: { type: 'string' },
});
const bytes = readNumber('--megabytes', values.megabytes, HELP) * 1e6;
const rounds = readNumber('--rounds', values.rounds, HELP);
const { packages } = values;

const designDocs = JSON.stringify(repeat(generateDesignDocs({ documents: 20, views: 10 }), bytes), null, 2);
const orders = Array.from({ length: 50 }, (_, at) => ({
  _id: `order-${String(at).padStart(6, '0')}`,
  type: 'order',
  customer: { id: `customer-${at % 7}`, name: 'Märta "M" Öberg', address: ['Ringvägen 4', 'Malmö'] },
  lines: Array.from({ length: 4 }, (_, line) => ({ article: `article-${line}`, count: line + 1, price: 12.5 * at })),
  paid: at % 3 === 0,
  note: 'a note of the shop about this order. '.repeat(3),
}));
const dump = JSON.stringify({ docs: repeat(orders, bytes) });

await compare('A file of design documents', designDocs, {
  'JSON.parse, no places': () => JSON.parse(designDocs),
  'ours: a tree with places': () => parseJsonTree(new SourceFile('design-docs.json', designDocs)),
  'jsonc-parser: every value visited, no tree': () => visit(designDocs, { onLiteralValue: () => undefined }),
});
await compare('A dump without design documents', dump, {
  'JSON.parse, no places': () => JSON.parse(dump),
  'ours: a search for design documents': () => findCandidates(dump, 0, dump.length),
  'jsonc-parser: every value visited, no tree': () => visit(dump, { onLiteralValue: () => undefined }),
});
const pieces = piecesOf(Buffer.from(dump));
await compare('A load, in pieces', dump, {
  'JSON.parse of the whole': () => JSON.parse(dump),
  'ours: ids and sizes of documents': () => {
    const ignore = () => undefined;
    const reader = new DocumentReader({ onDocument: ignore, onBatch: ignore, onNewEditsOff: ignore, onFault: ignore });
    for (const piece of pieces) reader.write(piece);
    reader.end();
  },
  ...(packages === undefined ? {} : await streamingReaders(packages)),
});

/**
 * @param {string} title
 * @param {string} text
 * @param {Record<string, () => unknown>} readers
 */
async function compare(title, text, readers) {
  const size = Buffer.byteLength(text) / 1e6;
  const timed = Object.entries(readers).map(([name, read]) => [name, () => processorTime(read)]);
  /** @type {Record<string, number[]>} */
  const results = interleave(Object.fromEntries(timed), rounds);
  process.stdout.write(`${title}: ${size.toFixed(1)} MB, ${rounds} rounds, ms of processor time a MB\n`);
  for (const [name, times] of Object.entries(results)) {
    const { min, median, max } = figures(times.map((time) => time / size));
    process.stdout.write(
      `  ${name.padEnd(46)} ${[median, min, max].map((one) => one.toFixed(1).padStart(8)).join('')}\n`,
    );
  }
}

/**
 * @param {() => unknown} work
 * @returns {number} milliseconds that the process computed: on a busy machine the clock says little
 */
function processorTime(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Readers that give every value of a document as an event, which is less than is needed: nothing is said of sizes.
 * @param {string} folder
 * @returns {Promise<Record<string, () => unknown>>}
 */
async function streamingReaders(folder) {
  const load = createRequire(path.resolve(folder, 'package.json'));
  const { Tokenizer } = load('@streamparser/json');
  const { jsonParser } = await import(pathToFileURL(load.resolve('stream-json/parser.js')).href);
  return {
    '@streamparser/json: tokens': () => {
      const tokenizer = new Tokenizer();
      tokenizer.onToken = () => undefined;
      for (const piece of pieces) tokenizer.write(piece);
    },
    'stream-json: tokens': () => {
      const parse = jsonParser({ packValues: true, streamValues: false });
      for (const piece of pieces) parse(piece);
    },
  };
}

/**
 * @template T
 * @param {T[]} items
 * @param {number} wanted bytes of JSON, about
 * @returns {T[]}
 */
function repeat(items, wanted) {
  const times = Math.max(1, Math.round(wanted / JSON.stringify(items).length));
  return Array.from({ length: times * items.length }, (_, at) => /** @type {T} */ (items[at % items.length]));
}

/** @param {Buffer} whole @returns {Buffer[]} */
function piecesOf(whole) {
  return Array.from({ length: Math.ceil(whole.length / PIECE) }, (_, at) =>
    whole.subarray(at * PIECE, (at + 1) * PIECE),
  );
}
