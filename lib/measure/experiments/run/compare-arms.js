// Sends the requests of both arms whose answers must mean the same to a program, and compares them. Measures nothing.

import { UserError } from '../../../shared/user-error.js';
import { compareAnswers, wholeFind } from '../compare-answers.js';
import { comparedArms } from '../experiment.js';
import { writeRequest } from '../workload.js';

/** @import { Target } from '../../servers/target.js' */
/** @import { Answers, Arm, ArmRequest, Experiment } from '../experiment.js' */

/**
 * @param {Experiment} experiment with answers to compare
 * @param {{databaseOf: (arm: Arm) => string}} databases
 * @param {{target: Target, documents: number, signal?: AbortSignal}} options `documents`: how many each database has
 * @returns {Promise<Answers>}
 * @throws {UserError} where the server refuses a request
 */
export async function compareArms(experiment, databases, { target, documents, signal }) {
  const { asIs, advised } = comparedArms(experiment);
  const [now, then] = [databases.databaseOf(asIs), databases.databaseOf(advised)];
  let same = 0;
  /** @type {Map<string, string>} */
  const differences = new Map();
  /** @type {Map<string, string>} */
  const uncompared = new Map();
  for (const pair of experiment.answers ?? []) {
    // One difference of a query settles it.
    if (signal?.aborted || differences.has(pair.query)) continue;
    const { query, before, after } = pair;
    const [whole, wholeThen] = [wholeFind(before, after, documents), wholeFind(after, before, documents)];
    const { result, why } = compareAnswers(pair, {
      before: await read(target, now, before, `${query} without the step`),
      after: await read(target, then, after, `${query} with the step`),
      ...(whole ? { wholeBefore: await read(target, now, whole, query) } : {}),
      ...(whole && wholeThen ? { wholeAfter: await read(target, then, wholeThen, query) } : {}),
    });
    if (result === 'same') same += 1;
    else (result === 'different' ? differences : uncompared).set(query, `${query}: ${why}`);
  }
  return { same, differences: [...differences.values()], uncompared: [...uncompared.values()] };
}

/**
 * @param {Target} target
 * @param {string} database
 * @param {ArmRequest} request
 * @param {string} name of it, for errors
 * @returns {Promise<unknown>}
 */
async function read(target, database, request, name) {
  target.own(database);
  const { method, path, body } = writeRequest(request);
  const answer = await target.server.ask(
    method,
    `${database}/${path}`,
    body === undefined ? undefined : JSON.parse(body),
  );
  if (answer.status < 300) return answer.body;
  const reason = typeof answer.body?.reason === 'string' ? `: ${answer.body.reason.slice(0, 200)}` : '';
  throw new UserError('server-refused', `the server refused ${name} (${answer.status}${reason})`);
}
