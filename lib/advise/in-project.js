// Says what to change in the project for a step of a plan, so that its own way of deploying does the step, or at least does not undo it.

import { joinWords } from '../shared/join-words.js';
import { someOf } from './some-of.js';

/** @import { RunSubject } from '../facts/fact.js' */
/** @import { PlanChange } from './plan.js' */

/**
 * @param {PlanChange} change
 * @param {RunSubject} run
 * @param {string} [script] of the project that deploys design documents
 * @returns {string | undefined} one sentence; undefined where the project has neither the definition nor code that creates indexes
 */
export function inProject({ kind, database, designDoc, file }, { subjects }, script = 'deploy') {
  if (kind === 'create-index') {
    if (file !== undefined) return `${file} defines the index: deploy it as you deploy that file`;
    const places = subjects.flatMap((one) =>
      one.kind === 'call' && one.record.method === 'create-index' && (one.record.database ?? database) === database
        ? [`${one.place.file}:${one.place.line}`]
        : [],
    );
    return places.length === 0
      ? undefined
      : `the code creates indexes (${joinWords(someOf(places))}): add this one there`;
  }
  if (file === undefined) return undefined;
  const design = subjects.find(
    (one) => one.kind === 'design-doc' && one.record.id === designDoc && one.record.database === undefined,
  );
  const isFolder = design?.kind === 'design-doc' && design.record.origin === 'couchapp';
  const where = isFolder ? `${file}, in the folder that is pushed` : file;
  const what = kind === 'drop-index' || kind === 'drop-view' ? 'remove it from' : 'change it in';
  return `${what} ${where} too: else the next ${script} brings the old version back`;
}
