// Runs a map, a filter, a validation function or that of a search index over documents and reports how often it throws, what it emits, what it
// lets through. Runs it in the sandbox only.

import { isCutOff, mayDifferAfter } from '../../sandbox/limits.js';
import { hashText } from '../../shared/hash-text.js';
import { withRevision } from '../synthesis/find-choices.js';
import { idOf } from '../try-documents.js';
import { RowCounter } from './row-figures.js';

/** @import { SandboxError } from '../../sandbox/limits.js' */
/** @import { Sandbox, Write } from '../../sandbox/sandbox.js' */
/** @import { RowFigures } from './row-figures.js' */

/** @typedef {Record<string, unknown>} Document */

/** Goes up with every change that may change an answer. */
export const EVIDENCE_VERSION = 1;

/**
 * @typedef {object} FunctionQuestion
 * @property {'map' | 'filter' | 'validate' | 'search'} role
 * @property {string} source
 * @property {Record<string, unknown>} designDoc the document that it stands in, as far as `require` sees it
 * @property {string | undefined} builtin the reduce of the view, where it is built in
 * @property {string} target CouchDB version
 * @property {'clouseau' | 'nouveau'} [search] the engine of a search index
 */

/** One thing that is thrown, and by how many documents; `id` is the first of them. @typedef {{message: string, frames: {line: number, column: number}[], documents: number, id: string}} Fault */

/**
 * @typedef {object} Evidence
 * @property {'tried'} verdict
 * @property {number} documents that it was run on
 * @property {number} throwing documents on which it throws, a rejection of a validation function left out
 * @property {Fault[]} faults the most frequent first
 * @property {RowFigures} [rows] of a map
 * @property {number} [passing] documents that a filter lets through, or that a validation function lets everybody write
 * @property {string} [cutOff] the limit of the sandbox that kept the other documents from being tried
 * @property {boolean} [mayDiffer] whether another run may not meet that limit
 */

/** Documents of one job, and characters of their JSON. */
const MAX_DOCUMENTS = 100;
const MAX_CHARACTERS = 2_000_000;
const MAX_FAULTS = 5;
/** Work on all documents together. A map of a line takes about 20 steps a document. */
const LIMITS = { functionSteps: 20_000_000, callSteps: 500_000 };

const SECURITY = { admins: { names: [], roles: ['_admin'] }, members: { names: [], roles: ['_admin'] } };
const ADMIN = { db: 'shop', name: 'admin', roles: ['_admin'] };
const USER = { db: 'shop', name: 'user', roles: [] };
/** What a filter gets beside the document (chttpd_external.erl json_req_obj, 3.5.0), of a request without parameters. */
export const REQUEST = {
  info: { db_name: 'shop' },
  id: null,
  uuid: '0f5e2e3a4f1c4d0c9a6b7c8d9e0f1a2b',
  method: 'GET',
  requested_path: ['shop', '_changes'],
  path: ['shop', '_changes'],
  raw_path: '/shop/_changes',
  query: {},
  headers: {},
  body: 'undefined',
  peer: '127.0.0.1',
  form: {},
  cookie: {},
  userCtx: USER,
  secObj: SECURITY,
};

/** What one document came to: rows, whether it passes, or what was thrown. @typedef {{rows: {key: unknown, value: unknown}[]} | {passes: boolean} | {fault: Pick<Fault, 'message' | 'frames'>} | {cutOff: string}} Reply */

/**
 * @param {FunctionQuestion} question
 * @param {Document[]} documents
 * @param {Pick<Sandbox, 'forView'>} sandbox
 * @returns {Promise<Evidence>}
 */
export async function runFunction(question, documents, sandbox) {
  const { role, builtin, target } = question;
  const own = sandbox.forView(LIMITS);
  const seen = documents.filter((document) => isGivenTo(role, document)).map(asStored);
  const rows = new RowCounter(builtin, target);
  /** @type {Map<string, Fault>} */
  const faults = new Map();
  /** @type {Evidence} */
  const evidence = { verdict: 'tried', documents: 0, throwing: 0, faults: [] };
  let passing = 0;
  for (const chunk of chunksOf(seen)) {
    const replies = await RUN[role](question, chunk, own);
    const started = evidence.documents;
    for (const [at, reply] of replies.entries()) {
      if ('cutOff' in reply) evidence.cutOff ??= reply.cutOff;
      else evidence.documents += 1;
      if ('passes' in reply && reply.passes) passing += 1;
      if ('fault' in reply) {
        evidence.throwing += 1;
        addFault(faults, reply.fault, idOf(chunk[at], started + at));
      }
    }
    rows.add(
      replies.map((reply, at) =>
        'rows' in reply ? reply.rows.map((row) => ({ ...row, id: idOf(chunk[at], started + at) })) : [],
      ),
    );
    if (replies.every((reply) => 'cutOff' in reply)) break;
  }
  if (own.cutOff) Object.assign(evidence, mayDifferAfter(own.cutOff.error));
  evidence.faults = [...faults.values()].sort((one, other) => other.documents - one.documents).slice(0, MAX_FAULTS);
  return role === 'map' ? { ...evidence, rows: rows.figures } : { ...evidence, passing };
}

/** @typedef {(question: FunctionQuestion, documents: Document[], sandbox: Sandbox) => Promise<Reply[]>} Run */

/** @type {Record<FunctionQuestion['role'], Run>} */
const RUN = {
  map: async ({ source, designDoc }, docs, sandbox) => {
    const libraries = librariesOf(designDoc);
    const answers = await sandbox.map({ source, libraries, docs, traces: true });
    return answers.map((answer) => ('emits' in answer ? { rows: answer.emits } : failed(answer.error)));
  },
  search: async ({ source, search }, docs, sandbox) => {
    const answers = await sandbox.map({ source, docs, traces: true, search });
    return answers.map((answer) => ('emits' in answer ? { rows: answer.emits } : failed(answer.error)));
  },
  filter: async ({ source, designDoc }, docs, sandbox) => {
    const answers = await sandbox.filter({ source, designDoc, docs, req: REQUEST, traces: true });
    return answers.map((answer) => ('passes' in answer ? answer : failed(answer.error)));
  },
  validate: async ({ source, designDoc }, docs, sandbox) => {
    const writes = docs.map(writesOf);
    const answers = await sandbox.validate({ source, designDoc, writes: writes.flat(), traces: true });
    let next = 0;
    return writes.map(({ length }) => {
      const replies = answers
        .slice(next, next + length)
        .map((answer) => ('error' in answer ? failed(answer.error) : judgeThrown(answer.thrown)));
      next += length;
      return (
        replies.find((reply) => 'cutOff' in reply || 'fault' in reply) ?? {
          passes: replies.every((reply) => 'passes' in reply && reply.passes),
        }
      );
    });
  },
};

/**
 * @param {Document} doc
 * @returns {Write[]} it is changed and it is created, by an administrator and by somebody without roles; a deletion is only a change
 */
export function writesOf(doc) {
  const { _deleted: isDeleted, ...before } = doc;
  return [ADMIN, USER].flatMap((user) => {
    const change = { doc, oldDoc: before, user, security: SECURITY };
    return isDeleted === true ? [change] : [change, { ...change, oldDoc: null }];
  });
}

/**
 * @param {unknown} thrown by a validation function
 * @returns {{passes: boolean} | {fault: Pick<Fault, 'message' | 'frames'>}} CouchDB knows two rejections, takes 1 and true for consent, and answers 500 to all else (couch_query_servers.erl validate_doc_update, 3.5.2)
 */
export function judgeThrown(thrown) {
  if (thrown === 1 || thrown === true) return { passes: true };
  const names = typeof thrown === 'object' && thrown !== null ? Object.keys(thrown) : [];
  if (names.length === 1 && (names[0] === 'forbidden' || names[0] === 'unauthorized')) return { passes: false };
  return { fault: { message: `it throws ${JSON.stringify(thrown)}`.slice(0, 200), frames: [] } };
}

/** @param {SandboxError} error @returns {Reply} */
function failed(error) {
  if (error.kind === 'threw') return { fault: { message: error.message, frames: error.frames ?? [] } };
  // What cannot be written as JSON is an error for that document; other kinds say nothing about it.
  if (error.kind === 'notJson' && !isCutOff(error)) return { fault: { message: error.message, frames: [] } };
  return { cutOff: error.message };
}

/**
 * @param {Map<string, Fault>} faults
 * @param {Pick<Fault, 'message' | 'frames'>} fault
 * @param {string} id
 */
function addFault(faults, { message, frames }, id) {
  const [at] = frames;
  // What is shown of the document itself differs from one to the next.
  const refused = message.startsWith('index refuses') ? message : '';
  const cause = at ? `${at.line}:${at.column} ${refused}` : message;
  const known = faults.get(cause);
  if (known) known.documents += 1;
  else faults.set(cause, { message, frames, documents: 1, id });
}

/**
 * @param {FunctionQuestion['role']} role
 * @param {Document} document
 * @returns {boolean} indexes hold neither design documents nor deletions
 */
function isGivenTo(role, { _id: id, _deleted: isDeleted }) {
  if (typeof id === 'string' && /^_(?:design|local)\//.test(id)) return false;
  return (role !== 'map' && role !== 'search') || isDeleted !== true;
}

/** Members of its own that CouchDB shows to functions. */
const SHOWN_MEMBERS = new Set(['_id', '_rev', '_deleted', '_attachments']);

/**
 * @param {Document} document
 * @returns {Document} as functions see it: with an id and a revision, and without members that only requests have
 */
function asStored(document) {
  const own = Object.entries(document).filter(([name]) => !name.startsWith('_') || SHOWN_MEMBERS.has(name));
  return { ...withRevision({}), _id: '0f5e2e3a4f1c4d0c9a6b7c8d9e0f1a2b', ...Object.fromEntries(own) };
}

/**
 * @param {Document[]} documents
 * @returns {Document[][]}
 */
function chunksOf(documents) {
  /** @type {Document[][]} */
  const chunks = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const document of documents) {
    const { length } = JSON.stringify(document);
    const last = chunks.at(-1);
    if (last && last.length < MAX_DOCUMENTS && characters + length <= MAX_CHARACTERS) {
      last.push(document);
      characters += length;
    } else {
      chunks.push([document]);
      characters = length;
    }
  }
  return chunks;
}

/**
 * @param {Document[]} documents
 * @returns {string} the same for the same documents
 */
export function nameOfDocuments(documents) {
  return `${documents.length} ${hashText(documents.map((document) => hashText(JSON.stringify(document))).join(' '))}`;
}

/** @param {Record<string, unknown>} designDoc @returns {Record<string, unknown>} `views.lib` */
function librariesOf({ views }) {
  const lib = typeof views === 'object' && views !== null ? /** @type {any} */ (views).lib : undefined;
  return typeof lib === 'object' && lib !== null ? lib : {};
}
