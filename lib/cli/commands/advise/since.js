// `couch-advisor advise --since plan.json`: what a plan promised, and what the logs of before and after the change show.

import path from 'node:path';
import { judgePlan, loggedName } from '../../../advise/judge-plan.js';
import { compareDigests } from '../../../digest/compare/compare-digests.js';
import { describeQuery } from '../../../digest/compare/items.js';
import { groupKey } from '../../../digest/fingerprint-group.js';
import { digestLogs } from '../../../digest/run/digest-logs.js';
import { documentFormats } from '../../../reports/document/index.js';
import { sinceDocument } from '../../../reports/plan-since.js';
import { joinWords } from '../../../shared/join-words.js';
import { nameOf } from '../../../shared/query-name.js';
import { UserError } from '../../../shared/user-error.js';
import { describeError } from '../../describe-error.js';
import { readDestinations, writeReports } from '../../destinations.js';
import { EXIT } from '../../exit-codes.js';
import { readSelection } from '../../log-selection.js';
import { fileOfPlan, readPlanFile } from '../../plan-file.js';
import { version } from '../../version.js';

/** @import { Plan } from '../../../advise/plan.js' */
/** @import { Answer } from '../../../digest/compare/compare-digests.js' */
/** @import { Digest } from '../../../digest/digest.js' */
/** @import { FingerprintGroup } from '../../../digest/fingerprint-group.js' */
/** @import { JudgedPlan } from '../../../reports/plan-since.js' */
/** @import { Surroundings } from '../../main.js' */
/** @import { AdviseOptions } from './run.js' */

/** What a program changes for an index that it names, and for fields that a view emits. */
const CHANGED = /^(?:include_docs=true|find\.(?:use_index|hint_taken|no_fallback)\b.*)$/;

const formats = documentFormats(sinceDocument, (/** @type {JudgedPlan} */ json) => json);

/**
 * @param {AdviseOptions & {since: string}} options
 * @param {string[]} paths
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 * @throws {UserError} where options do not go together, the file is no plan, or a log is missing
 */
export async function judgeSince(options, paths, surroundings) {
  const { cwd, stderr } = surroundings;
  const { since, log = [], begin } = options;
  checkOptions(options, paths);
  const destinations = readDestinations(options, formats);
  const file = path.resolve(cwd, since);
  const plan = readPlanFile(file, since, 'unreadable');
  const { from, to, files, databases } = plan.workload;
  const found = files.map((name) => fileOfPlan(name, { cwd, file }));
  const kept = found.flatMap((one) => one ?? []);
  const missing = files.filter((_, at) => found[at] === undefined);
  const end = to === null ? undefined : Date.parse(to) + 1;
  const ofPlan = [...new Set([...kept, ...(end === undefined ? [] : log)])];
  const read = (/** @type {string[]} */ those, /** @type {{begin?: number, end?: number}} */ range) =>
    digestLogs({
      paths: those,
      isNamed: true,
      cwd,
      format: options.logFormat,
      field: options.logField,
      now: Date.now(),
      options: { ...range, databases },
    });
  const old = await read(ofPlan, from === null ? {} : { begin: Date.parse(from), end });
  const fresh = await read(log, { begin: readSelection({ begin }).begin ?? end });
  if (old.digest.lines.requests === 0) {
    throw new UserError('no-requests', `the logs of the plan are not here: ${files.join(', ')}`, {
      hint: 'run it where the plan was made, or add the old log: --log old.log --log new.log',
    });
  }
  if (fresh.digest.lines.requests === 0) {
    throw new UserError('no-requests', `${log.join(', ')} has no requests after ${to ?? 'the plan'}`, {
      hint: 'give the log of some days after the change: --log new.log',
    });
  }
  const errors = [...old.errors, ...fresh.errors];
  stderr.write(errors.map(describeError).join(''));
  await writeReports(
    judged(plan, { since, old: old.digest, fresh: fresh.digest, missing }),
    destinations,
    options,
    surroundings,
  );
  return errors.length > 0 ? EXIT.INCOMPLETE : EXIT.CLEAN;
}

/** @param {AdviseOptions} options @param {string[]} paths @throws {UserError} */
function checkOptions({ log = [], write, url, docs, begin }, paths) {
  const [other] = [
    ...(write === undefined ? [] : ['--write']),
    ...(url === undefined ? [] : ['--url']),
    ...(docs === undefined ? [] : ['--docs']),
    ...(paths.length > 0 ? ['paths'] : []),
  ];
  if (other !== undefined)
    throw new UserError('unused-option', `--since cannot be combined with ${other}: it compares logs`, {
      hint: 'npx --no-install couch-advisor advise --since plan.json --log new.log',
    });
  if (log.length === 0 || log.includes('-'))
    throw new UserError('bad-arguments', '--since needs the log after the change, as a file', {
      hint: 'npx --no-install couch-advisor advise --since plan.json --log new.log',
    });
  readSelection({ begin });
}

/**
 * @param {Plan} plan
 * @param {{since: string, old: Digest, fresh: Digest, missing: string[]}} logs digests are changed; `missing`: of the plan
 * @returns {JudgedPlan}
 */
function judged(plan, { since, old, fresh, missing }) {
  const wanted = new Set(plan.queries.flatMap(({ name }) => [name, loggedName(name)]));
  const changing = new Set(
    plan.steps.flatMap(({ queries }) => queries.flatMap((one) => (one.mustChange.length > 0 ? one.query : []))),
  );
  const names = plan.queries.filter(({ id }) => changing.has(id)).map(({ name }) => name);
  joinChanged(old, fresh, new Set(names));
  const compared =
    /** @type {{answers: Answer[], unknown: {about: string, reason: string}[], notes: string[], confidence: number, old: JudgedPlan['before'], new: JudgedPlan['after']}} */ (
      compareDigests({ name: 'before', digest: old }, { name: 'after', digest: fresh }, wanted)
    );
  const { unknown, notes, confidence, answers } = compared;
  const [side, other] = [compared.old, compared.new].map(({ from, to, minutes, requests }) => ({
    from,
    to,
    minutes,
    requests,
  }));
  return {
    version: 1,
    kind: 'plan-since',
    tool: version(),
    plan: since,
    before: /** @type {JudgedPlan['before']} */ (side),
    after: /** @type {JudgedPlan['after']} */ (other),
    confidence,
    steps: judgePlan(plan, {
      shown: answers,
      updates: [...fresh.builds.values()].map(({ database, designDoc, starts, longest }) => ({
        database: fresh.databaseName(database),
        designDoc,
        updates: starts,
        longestMs: longest[0]?.ms ?? 0,
      })),
      hasUpdates: fresh.lines.other > 0,
      unknown: unknown.find(({ about }) => about === 'everything' || about === 'times')?.reason,
    }),
    notes: [
      ...notes,
      ...(missing.length > 0 ? [`the time before is without ${joinWords(missing)}: not found`] : []),
      ...(names.length > 0
        ? ['requests that name an index, or do without `include_docs`, count for the query that the plan changes']
        : []),
    ],
  };
}

/**
 * @param {Digest} old
 * @param {Digest} fresh changed: what programs send now counts for what they sent before
 * @param {ReadonlySet<string>} names of queries that programs change for the plan
 */
function joinChanged(old, fresh, names) {
  const plain = (/** @type {FingerprintGroup} */ { method, database, fingerprint, isReplication }) =>
    groupKey(
      method,
      database,
      { ...fingerprint, parameters: fingerprint.parameters.filter((one) => !CHANGED.test(one)) },
      isReplication,
    );
  for (const [key, group] of old.groups) {
    if (!names.has(nameOf(describeQuery(group, old.databaseName(group.database))))) continue;
    for (const [other, own] of [...fresh.groups]) {
      if (other === key || old.groups.has(other) || plain(own) !== plain(group)) continue;
      fresh.groups.delete(other);
      const there = fresh.groups.get(key);
      if (there) there.merge(own);
      else fresh.groups.set(key, own);
    }
  }
}
