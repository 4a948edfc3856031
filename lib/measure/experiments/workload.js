// Makes the documents and requests of an experiment from a seed: the same for the same seed. Knows the words that
// requests of experiments may leave open, and no server.

import { createRandom, randomInteger } from '../../shared/seeded-random.js';

/** @import { ArmRequest, Dataset, GivenData, LoadIds } from './experiment.js' */
/** @import { Random } from '../../shared/seeded-random.js' */

/** @typedef {Record<string, unknown> & {_id: string}} Document */
/** @typedef {{method: 'GET' | 'POST' | 'PUT', path: string, body?: string}} Request the path is below the database, and encoded */

const DAY = 86_400_000;
const START = Date.UTC(2020, 0, 1);
const STATES = ['open', 'paid', 'packed', 'sent', 'returned'];
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** Documents a request where a load has none of its own. */
const GIVEN_BATCH = 1000;
/** This share of the keys lies between the ends of a range. */
const RANGE = 0.1;

/**
 * An order of the shop. `number` counts the orders, so that a range of them has a known number of rows.
 * @param {Dataset} dataset
 * @param {string} seed
 * @param {number} number from 0
 * @param {'sequential' | 'random'} [ids]
 * @returns {Document}
 */
export function makeDocument({ paddingBytes = 200, groups = 100 }, seed, number, ids = 'sequential') {
  const random = createRandom(`${seed} document ${number}`);
  const group = `customer-${String(number % groups).padStart(5, '0')}`;
  return {
    _id: documentId(seed, number, ids),
    type: 'order',
    number,
    date: new Date(START + number * (DAY / 200)).toISOString(),
    customer: group,
    // The same value once more, for a query whose field no index has.
    client: group,
    state: STATES[randomInteger(random, 0, STATES.length)] ?? 'open',
    total: randomInteger(random, 100, 100_000) / 100,
    items: Array.from({ length: 2 }, () => ({
      article: `article-${randomInteger(random, 0, 500)}`,
      count: randomInteger(random, 1, 9),
    })),
    note: randomText(random, paddingBytes),
  };
}

/**
 * @param {Dataset} dataset
 * @param {{seed: string, number: number, ids: 'sequential' | 'random'}} which
 * @returns {Document} one that was given, over and over under other ids; a made-up order where none was
 */
function documentOf(dataset, { seed, number, ids }) {
  const given = dataset.given?.documents ?? [];
  const document = given[number % given.length];
  if (!document) return makeDocument(dataset, seed, number, ids);
  return number < given.length
    ? { ...document }
    : { ...document, _id: `${document._id}-${Math.floor(number / given.length)}` };
}

/**
 * @param {string} seed
 * @param {number} number
 * @param {'sequential' | 'random'} ids
 * @returns {string} 16 characters: sizes must not differ between the kinds
 */
export function documentId(seed, number, ids) {
  if (ids === 'sequential') return `order-${String(number).padStart(10, '0')}`;
  const random = createRandom(`${seed} id ${number}`);
  return Array.from({ length: 16 }, () => randomInteger(random, 0, 16).toString(16)).join('');
}

/**
 * @param {Dataset} dataset
 * @param {{seed: string, documents: number, ids: LoadIds, batch: number | 'given'}} load
 * @returns {Generator<Request>} the writes of a load in their order
 */
export function* makeLoad(dataset, { seed, documents, ids, batch }) {
  const given = dataset.given && ids !== 'sequential' && ids !== 'random' ? arrangeLoad(dataset.given, ids) : undefined;
  const ends = batch === 'given' ? (dataset.given?.requestEnds ?? []) : [];
  const size = batch === 'given' ? GIVEN_BATCH : batch;
  let first = 0;
  for (let request = 0; first < documents; request += 1) {
    const end = Math.min(documents, ends[request] ?? first + size);
    const docs = Array.from({ length: end - first }, (_, at) =>
      given
        ? /** @type {Document} */ (given[first + at])
        : documentOf(dataset, { seed, number: first + at, ids: ids === 'random' ? ids : 'sequential' }),
    );
    first = end;
    const [only] = docs;
    if (docs.length === 1 && size === 1 && only) {
      const { _id, ...body } = only;
      yield { method: 'PUT', path: encodeURIComponent(_id), body: JSON.stringify(body) };
    } else yield { method: 'POST', path: '_bulk_docs', body: JSON.stringify({ docs }) };
  }
}

/**
 * @param {ArmRequest} request
 * @param {Dataset} dataset
 * @param {{seed: string, round: number, documents: number, count: number, designDoc: string}} options `designDoc`: the one of the arm
 * @returns {Request[]} so many of one round. Arms of equal seed and round request the same documents.
 */
export function makeRequests(request, dataset, { seed, round, documents, count, designDoc }) {
  return Array.from({ length: count }, (_, at) => {
    const draw = createDraw(dataset, { seed, documents, random: createRandom(`${seed} request ${round} ${at}`) });
    return fillRequest(request, draw, designDoc);
  });
}

/**
 * @param {ArmRequest[]} examples with values of the user
 * @param {number} count
 * @returns {Request[]} so many, in turn, as they are
 */
export function makeExamples(examples, count) {
  const written = examples.map((example) => writeRequest(example));
  return Array.from({ length: count }, (_, at) => /** @type {Request} */ (written[at % written.length]));
}

/** @typedef {(word: string) => unknown} Draw the value of a placeholder */

/**
 * Placeholders: `number` of a document that has many behind it, `deepNumber` of one far back, `date` and `id` and `customer` of
 * that of `number`, `ids:50` for so many ids, `customers:50`. Of a view of the user: `key` is one that it emits, `keys:10` so many,
 * `rangeStart` and `rangeEnd` two with a tenth of its keys between them, `keyAt:750` the one that 750 of 1,000 rows come before.
 * @param {Dataset} dataset
 * @param {{seed: string, documents: number, random: Random}} options
 * @returns {Draw}
 */
function createDraw(dataset, { seed, documents, random }) {
  const number = randomInteger(random, 0, Math.max(1, Math.floor(documents * 0.6)));
  const deep = randomInteger(random, Math.floor(documents * 0.7), Math.max(1, Math.floor(documents * 0.8)));
  const keys = dataset.given?.keys ?? [];
  const key = keys[randomInteger(random, 0, Math.max(1, keys.length))];
  const reach = Math.floor(keys.length * RANGE);
  const start = randomInteger(random, 0, Math.max(1, keys.length - reach));
  const drawn = (/** @type {number} */ at) => makeDocument({ ...dataset, paddingBytes: 0 }, seed, at);
  const idOf = (/** @type {number} */ at) => dataset.given?.documents[at]?._id ?? documentId(seed, at, 'sequential');
  return (word) => {
    const [name = '', written = '1'] = word.split(':');
    const many = () => Array.from({ length: Number(written) }, () => randomInteger(random, 0, documents));
    if (name === 'key') return key ?? null;
    if (name === 'keys') return many().map(() => keys[randomInteger(random, 0, Math.max(1, keys.length))] ?? null);
    if (name === 'rangeStart') return keys[start] ?? null;
    if (name === 'rangeEnd') return keys[Math.min(start + reach, keys.length - 1)] ?? null;
    if (name === 'keyAt') return keys[Math.floor((Number(written) / 1000) * Math.max(0, keys.length - 1))] ?? null;
    if (name === 'number') return number;
    if (name === 'deepNumber') return deep;
    if (name === 'date') return drawn(number)['date'];
    if (name === 'customer') return drawn(number)['customer'];
    if (name === 'id') return idOf(number);
    if (name === 'ids') return many().map(idOf);
    if (name === 'idObjects') return many().map((at) => ({ id: idOf(at) }));
    throw new TypeError(`{${word}} is no placeholder`);
  };
}

/** Parameters of a query that CouchDB reads as words, and not as JSON. */
const PLAIN_PARAMETERS = new Set(['filter', 'feed', 'style', 'update', 'stale', 'since', 'customer']);

/**
 * @param {ArmRequest} request
 * @param {Draw} draw
 * @param {string} designDoc
 * @returns {Request}
 */
function fillRequest({ method, path, query = {}, body }, draw, designDoc) {
  const filled = Object.entries(query).map(([name, value]) => {
    const drawn = fill(value, draw);
    return [name, typeof drawn === 'string' ? drawn.replaceAll('{designDoc}', designDoc) : drawn];
  });
  return writeRequest({
    method,
    path: path
      .replaceAll('{designDoc}', `_design/${designDoc}`)
      .replace(/\{(\w+(?::\d+)?)\}/g, (_, word) => encodeURIComponent(String(draw(word)))),
    query: Object.fromEntries(filled),
    ...(body === undefined ? {} : { body: fill(body, draw) }),
  });
}

/**
 * @param {ArmRequest} request without placeholders
 * @returns {Request}
 */
export function writeRequest({ method, path, query = {}, body }) {
  const parameters = Object.entries(query).map(([name, value]) => {
    const written = PLAIN_PARAMETERS.has(name) && typeof value === 'string' ? value : JSON.stringify(value);
    return `${name}=${encodeURIComponent(written)}`;
  });
  const whole = parameters.length > 0 ? `${path}?${parameters.join('&')}` : path;
  return { method, path: whole, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
}

/**
 * @param {unknown} value
 * @param {Draw} draw
 * @returns {unknown} with each string that is a placeholder and nothing else replaced by its value
 */
function fill(value, draw) {
  if (typeof value === 'string') {
    const word = /^\{(\w+(?::\d+)?)\}$/.exec(value)?.[1];
    return word === undefined || word === 'designDoc' ? value : draw(word);
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, draw));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fill(item, draw)]));
}

/**
 * @param {Random} random
 * @param {number} length
 * @returns {string}
 */
function randomText(random, length) {
  let text = '';
  while (text.length < length) text += LETTERS[randomInteger(random, 0, LETTERS.length)] ?? 'a';
  return text;
}

// Puts the documents of a load into another order, or under other ids, with nothing else changed: the arms of an
// experiment about ids. Pure.

/** Of each load its arrangements are made once: every round writes it again. @type {WeakMap<object, Map<LoadIds, {_id: string}[]>>} */
const arranged = new WeakMap();

/**
 * @param {Pick<GivenData, 'documents'>} given
 * @param {LoadIds} ids `given`, `sorted` or `counted`
 * @returns {{_id: string}[]}
 */
function arrangeLoad({ documents }, ids) {
  if (ids === 'given') return documents;
  const known = arranged.get(documents) ?? new Map();
  const made = known.get(ids) ?? (ids === 'sorted' ? sortById(documents) : countIds(documents));
  arranged.set(documents, known.set(ids, made));
  return made;
}

/**
 * @param {{_id: string}[]} documents
 * @returns {{_id: string}[]} in the order of the bytes of their ids, which is that of the tree (couch_bt_engine.erl, 3.5.2)
 */
function sortById(documents) {
  const keyed = documents.map((document) => ({ document, bytes: new TextEncoder().encode(document._id) }));
  return keyed.sort((one, other) => Buffer.compare(one.bytes, other.bytes)).map(({ document }) => document);
}

/**
 * @param {{_id: string}[]} documents
 * @returns {{_id: string}[]} under numbers that count up, all of one length: that of the ids on average, or of the largest number
 */
function countIds(documents) {
  const all = documents.reduce((sum, { _id }) => sum + new TextEncoder().encode(_id).length, 0);
  const length = Math.max(String(documents.length).length, Math.round(all / Math.max(1, documents.length)));
  return documents.map((document, at) => ({ ...document, _id: String(at).padStart(length, '0') }));
}
