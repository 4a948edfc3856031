// A map of the user in, documents that it emits out: theirs where they were given and do, else made up out of what the map reads, and
// tried in the sandbox until most of them emit.

import { hashText } from '../shared/hash-text.js';
import { documentShape } from './document-shape.js';
import { scramble } from './scramble.js';

/** @import { Sandbox } from '../sandbox/sandbox.js' */
/** @import { Kind, Member } from './document-shape.js' */

/**
 * @typedef {object} Fitted
 * @property {({_id: string} & Record<string, unknown>)[]} documents
 * @property {number} emitShare 0 to 1, of those that were tried
 * @property {unknown[]} keys that these emit
 * @property {string[]} notes what is to be known of them, one sentence each
 */

/** Documents that are tried, of the choice that is taken, and of each choice before. */
const TRIED = 200;
const TRIED_EACH = 6;
/** Choices of values that are tried. */
const MOST_CHOICES = 60;
/** Below, a map is not called one that emits. */
const LEAST_SHARE = 0.5;
const DAY_MS = 86_400_000;
const START = Date.UTC(2024, 0, 1);
/** Depth of made-up values. */
const DEEPEST = 8;
/** Milliseconds for all documents of one try. */
const LIMITS = { batchMs: 2000 };

/**
 * @param {object} options
 * @param {string} options.map
 * @param {object[]} [options.samples] documents of the user
 * @param {string} options.seed
 * @param {number} options.count documents that are wanted
 * @param {number} [options.paddingBytes] text that no map reads, in each made-up document
 * @param {Pick<Sandbox, 'map'>} options.sandbox
 * @returns {Promise<Fitted | {reason: string}>} why none could be made that it emits
 */
export async function fitDocuments({ map, samples = [], seed, count, paddingBytes = 0, sandbox }) {
  if (count < 1) return { reason: 'no documents are wanted' };
  /** @type {string[]} */
  const notes = [];
  if (samples.length > 0) {
    const documents = repeatSamples(samples, { seed, count });
    const tried = await tryOn(map, documents.slice(0, TRIED), sandbox);
    if ('reason' in tried) return tried;
    if (tried.share >= LEAST_SHARE) {
      return {
        documents,
        emitShare: tried.share,
        keys: tried.keys,
        notes: [`they are copies of ${samples.length} documents that were given`],
      };
    }
    notes.push('fewer than half of the documents that were given are emitted by it, so they were made up');
  }
  const shape = documentShape(map);
  if (!shape) return { reason: 'its map cannot be read' };
  let best = { share: -1, choice: 0 };
  for (let choice = 0; choice < MOST_CHOICES && best.share < 1; choice += 1) {
    const few = Array.from({ length: TRIED_EACH }, (_, at) =>
      makeDocument(shape, { choice, number: at * 7, seed, paddingBytes: 0 }),
    );
    const tried = await tryOn(map, few, sandbox);
    if ('reason' in tried) return tried;
    if (tried.share > best.share) best = { share: tried.share, choice };
  }
  if (best.share < LEAST_SHARE) return { reason: 'no documents could be made that its map emits' };
  const documents = Array.from({ length: count }, (_, number) =>
    makeDocument(shape, { choice: best.choice, number, seed, paddingBytes }),
  );
  const tried = await tryOn(map, documents.slice(0, TRIED), sandbox);
  if ('reason' in tried) return tried;
  if (tried.share < LEAST_SHARE)
    return { reason: 'too few of the documents that could be made are emitted by its map' };
  return {
    documents,
    emitShare: tried.share,
    keys: tried.keys,
    notes: [...notes, 'they are made up out of what the map reads'],
  };
}

/**
 * @param {string} map
 * @param {object[]} documents
 * @param {Pick<Sandbox, 'map'>} sandbox
 * @returns {Promise<{share: number, keys: unknown[]} | {reason: string}>} a reason where the function itself is at fault
 */
async function tryOn(map, documents, sandbox) {
  let answers;
  try {
    answers = await sandbox.map({ source: map, docs: documents, limits: LIMITS });
  } catch (error) {
    return { reason: `its map cannot be run (${error instanceof Error ? error.message : String(error)})` };
  }
  let emitting = 0;
  /** @type {unknown[]} */
  const keys = [];
  for (const answer of answers) {
    if ('error' in answer) {
      // A document that it throws at is not emitted; a function that never ends is of no use.
      if (answer.error.kind !== 'threw') return { reason: `its map cannot be run (${answer.error.message})` };
      continue;
    }
    const [first] = answer.emits;
    if (!first) continue;
    emitting += 1;
    if (keys.length < TRIED) keys.push(first.key ?? null);
  }
  return { share: emitting / documents.length, keys };
}

/**
 * @param {object[]} samples
 * @param {{seed: string, count: number}} options
 * @returns {Fitted['documents']} with ids in order, and no two rounds of them alike
 */
function repeatSamples(samples, { seed, count }) {
  return Array.from({ length: count }, (_, number) => {
    const round = Math.floor(number / samples.length);
    const sample = samples[number % samples.length] ?? {};
    const { _rev, _revisions, _attachments, _conflicts, ...document } = /** @type {Record<string, unknown>} */ (
      round === 0 ? sample : scramble(sample, { seed: `${seed} ${round}`, keep: textsOf(sample) })
    );
    return { ...document, _id: idOf(number) };
  });
}

/**
 * @param {object} document
 * @returns {Set<string>} its short texts: names of types and states, which guards ask for
 */
function textsOf(document) {
  return new Set(Object.values(document).filter((value) => typeof value === 'string' && value.length < 20));
}

/** @param {number} number @returns {string} */
function idOf(number) {
  return `doc-${String(number).padStart(10, '0')}`;
}

/**
 * @param {Member} shape
 * @param {{choice: number, number: number, seed: string, paddingBytes: number}} options
 * @returns {Fitted['documents'][number]}
 */
function makeDocument(shape, { choice, number, seed, paddingBytes }) {
  const maker = new Maker(choice, number, seed);
  const made = /** @type {Record<string, unknown>} */ (maker.object(shape, '', 0));
  const { _id: __, _rev, ...members } = made;
  const padding =
    paddingBytes > 0
      ? {
          padding: hashText(`${seed} ${number}`)
            .repeat(Math.ceil(paddingBytes / 10))
            .slice(0, paddingBytes),
        }
      : {};
  // Ids that a map takes apart are made as it wants them.
  const own = shape.members.get('_id');
  const id = own && own.literals.size > 0 ? `${String([...own.literals][0])}${idOf(number)}` : idOf(number);
  return { ...members, ...padding, _id: id };
}

/** Makes the values of one document. A choice says which of several possible values each member gets. */
class Maker {
  /**
   * @param {number} choice 0 for what is likeliest
   * @param {number} number of the document
   * @param {string} seed
   */
  constructor(choice, number, seed) {
    this.choice = choice;
    this.number = number;
    this.seed = seed;
  }

  /**
   * @param {string} path
   * @param {number} below
   * @returns {number} from 0; 0 for the first choice of all
   */
  #decide(path, below) {
    if (this.choice === 0 || below < 2) return 0;
    return Number.parseInt(hashText(`${this.seed} ${this.choice} ${path}`).slice(0, 6), 16) % below;
  }

  /**
   * @param {Member} member
   * @param {string} path
   * @param {number} depth
   * @returns {Record<string, unknown>}
   */
  object(member, path, depth) {
    /** @type {Record<string, unknown>} */
    const made = Object.create(null);
    for (const [name, child] of member.members) {
      const at = `${path}.${name}`;
      // In other choices than the first a member may be missing: some guards ask that it is.
      if (this.#decide(`${at} is there`, 5) === 4) continue;
      made[name] = this.value(child, at, depth + 1);
    }
    return { ...made };
  }

  /**
   * @param {Member} member
   * @param {string} path
   * @param {number} depth
   * @returns {unknown}
   */
  value(member, path, depth) {
    if (depth > DEEPEST) return null;
    const literals = [...member.literals];
    if (literals.length > 0) {
      const at = this.#decide(`${path} equals`, literals.length + 1);
      const literal = literals[at];
      if (literal !== undefined) return literal;
    }
    if (member.kinds.has('array') || member.item) {
      const item = member.item ?? member;
      return [0, 1].map((at) =>
        member.item || member.members.size > 0 ? this.value(item, `${path}.${at}`, depth + 1) : this.#text(path),
      );
    }
    if (member.members.size > 0) return this.object(member, path, depth);
    return this.#plain(member, path);
  }

  /**
   * @param {Member} member
   * @param {string} path
   * @returns {unknown}
   */
  #plain({ kinds }, path) {
    /** @type {Kind[]} */
    const possible = kinds.size > 0 ? [...kinds] : [kindByName(path), 'string', 'number', 'boolean', 'array', 'object'];
    const kind = possible[this.#decide(`${path} is`, possible.length)] ?? 'string';
    if (kind === 'number') return (this.number * 7919) % 10_000;
    if (kind === 'boolean') return this.#decide(`${path} holds`, 2) === 0;
    if (kind === 'date') return new Date(START + this.number * (DAY_MS / 24)).toISOString();
    if (kind === 'object') return { [`${path.split('.').at(-1)}-1`]: this.#text(path) };
    if (kind === 'array') return [this.#text(path)];
    return this.#text(path);
  }

  /** @param {string} path @returns {string} one of some hundred values */
  #text(path) {
    return `${path.split('.').filter(Boolean).at(-1) ?? 'value'}-${String((this.number * 31) % 127).padStart(3, '0')}`;
  }
}

/**
 * @param {string} path
 * @returns {Kind} what people mostly keep under such a name
 */
function kindByName(path) {
  const name = path.split('.').at(-1) ?? '';
  if (/date|time|created|updated|modified|(?:^|[a-z_])at$/i.test(name)) return 'date';
  if (/total|amount|price|count|quantity|size|number|sum|weight|age|year|score|value|qty/i.test(name)) return 'number';
  if (/^(?:is|has|can)[A-Z_]|active|enabled|deleted|paid|open/.test(name)) return 'boolean';
  return 'string';
}
