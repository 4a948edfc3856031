// Opens a plan of `advise` for `confirm --plan`: reads the file and documents, and makes the experiments of its steps.

import path from 'node:path';
import { bindPlan } from '../../../measure/experiments/bind-plan.js';
import { sampleDatabase } from '../../../measure/servers/sample-database.js';
import { planConfirmationJson } from '../../../reports/confirm-plan.js';
import { joinWords } from '../../../shared/join-words.js';
import { UserError } from '../../../shared/user-error.js';
import { openLoads } from '../../../sources/loads/open-loads.js';
import { sampleDocuments } from '../../../sources/loads/sample-documents.js';
import { fileOfPlan, readPlanFile } from '../../plan-file.js';
import { version } from '../../version.js';
import { ownDocuments } from './describe-call.js';

/** @import { Plan } from '../../../advise/plan.js' */
/** @import { Server } from '../../../measure/servers/server.js' */
/** @import { ReadError } from '../../../sources/record.js' */
/** @import { Samples } from './bind-findings.js' */
/** @import { ConfirmOptions, Work } from './run.js' */
/** @import { Surroundings } from '../../main.js' */

/** Documents, where the options do not say otherwise: what an index saves grows with them. */
const MAX_SAMPLED = 20_000;

/**
 * @param {ConfirmOptions & {plan: string}} options
 * @param {string[]} paths
 * @param {Surroundings} surroundings
 * @returns {Promise<Work>}
 * @throws {UserError} where options do not go together, the file is no plan, or there are no documents
 */
export async function openPlan(options, paths, { cwd }) {
  checkOptions(options, paths);
  const file = path.resolve(cwd, options.plan);
  const plan = readPlanFile(file, options.plan);
  const isEmpty = plan.steps.length === 0;
  const given = isEmpty || options.sampleFrom !== undefined ? undefined : await readFiles(plan, file, options, cwd);
  return {
    isEmpty,
    nothing: 'the plan has no steps: nothing to measure',
    errors: given?.errors ?? [],
    bind: async (server) => {
      const own = ownDocuments(given?.samples ?? (await readSample(options, server)));
      if ('reason' in own) throw noDocuments(options.plan);
      const { data, notes, assumed } = own;
      return bindPlan(plan, { documents: data.documents, notes, assumed });
    },
    confirmation: { findings: [], heading: headingOf(plan, options.plan) },
    toJson: (confirmation, run) => planConfirmationJson(confirmation, { file: options.plan, tool: version(), ...run }),
    keep: () => {},
  };
}

/**
 * @param {Plan} plan
 * @param {string} file of the plan, absolute
 * @param {ConfirmOptions & {plan: string}} options
 * @param {string} cwd
 * @returns {Promise<{samples: Samples, errors: ReadError[]}>} documents of `--docs`, else of the files that the plan was made with; `errors`: of
 *   parts that could not be read
 * @throws {UserError} where there are none
 */
async function readFiles(plan, file, { docs, maxDocs = MAX_SAMPLED, plan: shown }, cwd) {
  const { records, errors, files } = docs
    ? await openLoads(docs, cwd, { isNamed: true })
    : await openLoads(
        plan.documents.files.flatMap((name) => fileOfPlan(name, { cwd, file }) ?? []),
        cwd,
      );
  const missing = errors.find(({ code }) => code === 'not-found');
  if (missing) throw new UserError(missing.code, missing.message, { hint: missing.hint });
  const documents = await sampleDocuments(files, maxDocs);
  if (documents.length === 0) throw noDocuments(shown, errors[0], docs ? [] : plan.documents.files);
  const counted = records.reduce((sum, record) => sum + record.documents, 0);
  const total = Math.max(counted, documents.length);
  return { samples: { documents, total, areScrambled: false }, errors };
}

/**
 * @param {ConfirmOptions} options
 * @param {Server} server
 * @returns {Promise<Samples>} documents of a database of the server, as they are
 * @throws {UserError} where there are none
 */
async function readSample({ sampleFrom = '', maxDocs = MAX_SAMPLED }, server) {
  const { documents, total } = await sampleDatabase(server, sampleFrom, maxDocs);
  return { documents, total, areScrambled: false };
}

/**
 * @param {ConfirmOptions} options
 * @param {string[]} paths
 * @throws {UserError}
 */
function checkOptions({ all, rule, log, deployed, sampleFrom, keepValues, docs }, paths) {
  /** @type {[string, boolean][]} */
  const others = [
    ['--all', all === true],
    ['--rule', rule !== undefined],
    ['--log', log !== undefined],
    ['--deployed', deployed !== undefined],
    ['paths', paths.length > 0],
  ];
  const [other] = others.find(([, isGiven]) => isGiven) ?? [];
  if (other !== undefined) {
    throw new UserError('unused-option', `--plan cannot be combined with ${other}: the plan names what is measured`, {
      hint: `omit ${other === 'paths' ? 'the paths' : other}, or run confirm without --plan`,
    });
  }
  if (sampleFrom !== undefined && docs !== undefined) {
    throw new UserError('unused-option', '--plan takes documents from --docs or --sample-from, not from both', {
      hint: 'omit one of them',
    });
  }
  if (sampleFrom !== undefined && !keepValues) {
    // A range of dates would select others, and a range of numbers too many or too few.
    throw new UserError('scrambled-plan', '--plan with --sample-from requires --keep-values', {
      hint: 'the queries of the plan would not find scrambled values; the copies stay on that server and are dropped',
    });
  }
}

/**
 * @param {string} shown
 * @param {ReadError} [error] why none could be read
 * @param {string[]} [files] that the plan was made with
 * @returns {UserError}
 */
function noDocuments(shown, error, files = []) {
  const missing =
    files.length > 0 && !error
      ? `: ${joinWords(files)} is neither here nor beside the plan, nor in a folder above it`
      : '';
  return new UserError('no-documents', `no documents to measure ${shown} with${missing}`, {
    place: error?.place,
    hint: error?.message ?? 'add --docs FILE, or --url with --sample-from DB --keep-values',
  });
}

/** @param {Plan} plan @param {string} shown @returns {string} */
function headingOf({ steps }, shown) {
  return `${steps.length} ${steps.length === 1 ? 'step' : 'steps'} of ${shown}`;
}
