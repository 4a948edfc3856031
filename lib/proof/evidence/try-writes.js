// Runs a validation function on writes of documents made for it, each by a user and by nobody: which of them it rejects, which fail. Runs it in the
// sandbox only.

import { isCutOff, mayDifferAfter } from '../../sandbox/limits.js';
import { withinLimits } from '../../shared/bailout.js';
import { singleChanges, withRevision } from '../synthesis/find-choices.js';
import { readNeeds } from '../synthesis/read-needs.js';
import { searchBudget } from '../synthesis/search-budget.js';
import { DocumentWriter } from '../synthesis/write-document.js';
import { judgeThrown } from './run-function.js';

/** @import { Budget } from '../../shared/bailout.js' */
/** @import { Sandbox, ValidateAnswer, Write } from '../../sandbox/sandbox.js' */
/** @import { Document } from './run-function.js' */

/** @typedef {{source: string, designDoc: Record<string, unknown>}} WriteQuestion */

/** What becomes of a write: it is accepted, rejected with a reason, or fails with 500. @typedef {'accepted' | 'rejected' | 'failed'} WriteOutcome */

/**
 * @typedef {object} WriteTrial
 * @property {'tried'} verdict
 * @property {WriteOutcome[]} outcomes that some write has
 * @property {Pick<Write, 'doc' | 'oldDoc'>} [anonymous] a write that is accepted without a user and rejected of one without roles
 * @property {string} [bailout] why no documents were made
 * @property {boolean} [mayDiffer] whether another run may try more
 */

/** Goes up with every change that may change an answer. */
export const WRITES_VERSION = 1;

const SEED = 'writes';
/** Documents that differ in one member from the first, and those of which each member is set to null in turn. */
const MAX_CHANGED = 40;
const MAX_NULLED = 12;
const LIMITS = { functionSteps: 10_000_000, callSteps: 200_000 };

/** Of a database without members: everybody may write to it. */
const SECURITY = { admins: { names: [], roles: ['_admin'] }, members: { names: [], roles: [] } };
const USER = { db: 'shop', name: 'user', roles: [] };
/** The user of a request without credentials (couch_db.hrl record user_ctx, 3.5.2). */
const NOBODY = { db: 'shop', name: null, roles: [] };

/**
 * @param {WriteQuestion} question
 * @param {Pick<Sandbox, 'forView'>} sandbox
 * @returns {Promise<WriteTrial>}
 */
export async function tryWrites({ source, designDoc }, sandbox) {
  const own = sandbox.forView(LIMITS);
  const writes = await withinLimits(async () => makeWrites(source));
  if ('unknown' in writes) return { verdict: 'tried', outcomes: [], bailout: writes.unknown };
  const outcomesOf = async (/** @type {typeof USER | typeof NOBODY} */ user) => {
    const given = writes.map((write) => ({ ...write, user, security: SECURITY }));
    return (await own.validate({ source, designDoc, writes: given })).map(outcomeOf);
  };
  const byUser = await outcomesOf(USER);
  const byNobody = await outcomesOf(NOBODY);
  const shown = writes
    .filter((_, at) => byUser[at] === 'rejected' && byNobody[at] === 'accepted')
    .sort((one, other) => JSON.stringify(one).length - JSON.stringify(other).length);
  const outcomes = new Set([...byUser, ...byNobody].flatMap((outcome) => outcome ?? []));
  return {
    verdict: 'tried',
    outcomes: [...outcomes],
    ...(shown[0] ? { anonymous: shown[0] } : {}),
    ...(own.cutOff ? mayDifferAfter(own.cutOff.error) : {}),
  };
}

/**
 * @param {string} source
 * @returns {Pick<Write, 'doc' | 'oldDoc'>[]} documents that are created and changed: such as the function reads, and with null in place of members
 * @throws {Bailout}
 */
function makeWrites(source) {
  const budget = searchBudget(MAX_CHANGED);
  const [first = {}, ...others] = documentsAt(source, 0, budget);
  const [before = {}] = documentsAt(source, 1, budget);
  const nulled = (/** @type {Document} */ document) =>
    Object.keys(document).flatMap((name) => {
      budget.count(Object.keys(document).length);
      return name.startsWith('_') ? [] : [{ ...document, [name]: null }];
    });
  const documents = [first, ...others, ...[first, ...others.slice(0, MAX_NULLED)].flatMap(nulled)];
  return [
    ...documents.flatMap((doc) => [null, { ...before, ...doc }].map((oldDoc) => ({ doc, oldDoc }))),
    ...nulled(before).map((oldDoc) => ({ doc: first, oldDoc: { ...first, ...oldDoc } })),
  ];
}

/**
 * @param {string} source
 * @param {number} position of the parameter that the documents are
 * @param {Budget} budget
 * @returns {Document[]} those that differ in one member from the first; none where the source cannot be read
 * @throws {Bailout}
 */
export function documentsAt(source, position, budget) {
  const needs = readNeeds(source, budget, position);
  if ('reason' in needs) return [];
  const writer = new DocumentWriter(needs, { seed: SEED, count: MAX_CHANGED, paddingBytes: 0, budget });
  const first = new Map();
  return [first, ...singleChanges(first, writer, MAX_CHANGED)].map(
    (choice) => /** @type {Document} */ (withRevision(writer.write(choice, 0))),
  );
}

/**
 * @param {ValidateAnswer} answer
 * @returns {WriteOutcome | undefined} undefined where a limit cut it off
 */
function outcomeOf(answer) {
  if ('error' in answer) return isCutOff(answer.error) ? undefined : 'failed';
  const judged = judgeThrown(answer.thrown);
  if ('fault' in judged) return 'failed';
  return judged.passes ? 'accepted' : 'rejected';
}
