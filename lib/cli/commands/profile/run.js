// `couch-advisor profile`: runs the map and reduce functions of views over sample documents, and shows what they cost,
// by line and by function, beside what an index build costs without them.

import os from 'node:os';
import path from 'node:path';
import { conclude } from '../../../measure/profile/conclude.js';
import { FRAME_KINDS, foldStacks, framesOf, framesOfFunctions } from '../../../measure/profile/frames.js';
import { profileViews } from '../../../measure/profile/run/profile-views.js';
import { faultOfQueryServer } from '../../../measure/profile/run/query-server.js';
import { documentFormats } from '../../../reports/document/index.js';
import { flameChart, profileDocument } from '../../../reports/profile.js';
import { nearest } from '../../../shared/nearest.js';
import { printable } from '../../../shared/printable.js';
import { UserError } from '../../../shared/user-error.js';
import { describeError } from '../../describe-error.js';
import { readDestinations, writeReports } from '../../destinations.js';
import { EXIT } from '../../exit-codes.js';
import { prepare } from '../../prepare.js';
import { CLEAR_LINE } from '../../progress-line.js';
import { readViews } from '../../read-views.js';
import { reportSources } from '../../report-sources.js';
import { listenForInterrupts } from '../../scratch-server.js';
import { version } from '../../version.js';
import { writeFileAtomically } from '../../write-file.js';
import { writePictures } from '../../write-pictures.js';
import { watch } from './watch-build.js';

/** @import { ViewProfile } from '../../../measure/profile/profile.js' */
/** @import { GivenDocument, GivenView } from '../../../measure/profile/run/profile-view.js' */
/** @import { Making } from '../../../measure/profile/run/profile-views.js' */
/** @import { ConcludedView, Flame } from '../../../reports/profile.js' */
/** @import { Surroundings } from '../../main.js' */
/** @import { Prepared, SourceOptions } from '../../prepare.js' */

/**
 * @typedef {SourceOptions & {
 *   view?: string[], budget?: number, size?: number, watchBuild?: string, url?: string, seed?: string, v8?: boolean, queryServer?: string, folded?: string, svg?: string, output?: string[],
 *   format?: string[], color?: boolean,
 * }} ProfileOptions
 */

/** What a run found. @typedef {{profiles: ConcludedView[], environment: {name: string, value: string}[], flames: Flame[]}} Profiled */

const formats = documentFormats(
  (/** @type {Profiled} */ { profiles, environment, flames }) => profileDocument(profiles, { environment, flames }),
  ({ profiles, environment }) => ({
    version: 1,
    environment: environment.map(({ name, value }) => `${name}: ${value}`),
    views: profiles,
  }),
);

/** Documents that are taken of those that are given, or made up where none are. */
const SIZE = 1000;
const MAX_SIZE = 20_000;
/** Seconds for each function. */
const BUDGET = 3;
const MAX_SECONDS = 3600;
/** A second of plain loops, or several. CouchDB gives up after 5 s (`os_process_timeout`, rel/overlay/etc/default.ini, 3.5.0). */
const CALL_STEPS = 10_000_000;
/** All documents together, in characters of JSON: each pass holds them once. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/**
 * @param {ProfileOptions} options
 * @param {string[]} paths
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 * @throws {UserError}
 */
export async function run(options, paths, surroundings) {
  const { stderr } = surroundings;
  const { budget = BUDGET, watchBuild } = options;
  if (watchBuild !== undefined) {
    return watch({ ...options, watchBuild }, surroundings);
  }
  const destinations = readDestinations(options, formats);
  checkNumber('budget', budget, MAX_SECONDS);
  checkNumber('size', options.size ?? SIZE, MAX_SIZE);
  const prepared = await prepare(options, paths, surroundings);
  reportSources(prepared, { isDiscovery: paths.length === 0 }, surroundings);
  const found = readViews(prepared.opened.records, prepared.settings.target);
  if (found.length === 0 && prepared.opened.errors.length > 0) {
    stderr.write(prepared.opened.errors.map(describeError).join(''));
    return EXIT.INCOMPLETE;
  }
  const views = chooseViews(found, options.view);
  const documents = (await readDocuments(prepared, options.size ?? SIZE)) ?? {
    seed: options.seed ?? '1',
    count: options.size ?? SIZE,
  };
  const interrupt = listenForInterrupts();
  /** @type {ConcludedView[]} */
  let profiles;
  try {
    await checkQueryServer(options.queryServer, { cwd: surroundings.cwd, signal: interrupt.signal });
    profiles = await profileAll(views, documents, { ...options, budget }, surroundings, interrupt.signal);
  } finally {
    interrupt.stop();
  }
  const environment = describeEnvironment(documents, options);
  const kinds = [FRAME_KINDS.function, FRAME_KINDS.line];
  const flames = profiles.map((profile) => ({ ...framesOfFunctions(profile), kinds }));
  await writeReports({ profiles, environment, flames }, destinations, options, surroundings);
  if (options.folded !== undefined) {
    const stacks = foldStacks(framesOf(profiles).root);
    writeFileAtomically(path.resolve(surroundings.cwd, options.folded), stacks, printable(options.folded));
  }
  if (options.svg !== undefined) await writePictures(options.svg, flames.map(flameChart), surroundings.cwd);
  const errors = [...prepared.opened.errors, ...(interrupt.signal.aborted ? [interrupted()] : [])];
  stderr.write(errors.map(describeError).join(''));
  const hasFault = profiles.some(({ map, reduce }) => map.fault !== undefined || reduce?.fault !== undefined);
  return errors.length > 0 || hasFault ? EXIT.INCOMPLETE : EXIT.CLEAN;
}

/**
 * @param {string | undefined} command
 * @param {{cwd: string, signal: AbortSignal}} options
 * @throws {UserError} where it is no query server: each function would wait for its answers
 */
async function checkQueryServer(command, options) {
  if (command === undefined) return;
  const fault = await faultOfQueryServer(command, options);
  if (fault === undefined || options.signal.aborted) return;
  throw new UserError(
    'not-a-query-server',
    `\`${printable(command)}\` does not work as a query server: ${printable(fault)}`,
    {
      hint: /couchjs$/.test(command.trim())
        ? "couchjs needs its script: --query-server '/opt/couchdb/bin/couchjs /opt/couchdb/share/server/main.js'"
        : 'use the whole command with which CouchDB starts it',
    },
  );
}

/**
 * @param {GivenView[]} views
 * @param {GivenDocument[] | Making} documents
 * @param {ProfileOptions & {budget: number}} options
 * @param {Surroundings} surroundings
 * @param {AbortSignal} signal
 * @returns {Promise<ConcludedView[]>}
 */
async function profileAll(views, documents, { budget, v8 = false, queryServer }, { stderr, cwd }, signal) {
  const onView = (/** @type {GivenView} */ { name }, /** @type {number} */ at) => {
    if (stderr.isTTY) stderr.write(`${CLEAR_LINE}profiling ${printable(name)} (${at + 1} of ${views.length})`);
  };
  try {
    const about = { seconds: budget, callSteps: CALL_STEPS, usesV8: v8, queryServer, cwd, signal, onView };
    return (await profileViews(views, documents, about)).map(withConclusions);
  } finally {
    if (stderr.isTTY) stderr.write(CLEAR_LINE);
  }
}

/**
 * @param {ViewProfile} profile
 * @returns {ConcludedView}
 */
function withConclusions(profile) {
  const { map, reduce } = profile;
  return { ...profile, conclusions: { map: conclude(map), reduce: reduce && conclude(reduce) } };
}

/**
 * @param {GivenView[]} views
 * @param {string[] | undefined} names `ddoc/view`
 * @returns {GivenView[]}
 * @throws {UserError} where there is none
 */
function chooseViews(views, names) {
  if (views.length === 0) {
    throw new UserError('nothing-found', 'no view with a JavaScript map function found', {
      hint: 'add files or folders: npx --no-install couch-advisor profile path/to/design-documents --docs documents.jsonl',
    });
  }
  if (!names) return views;
  const known = views.map(({ name }) => name);
  const wanted = new Set();
  for (const name of names) {
    // A view may itself be called `_design/orders/_view/x`.
    const plain = known.includes(name) ? name : name.replace(/^_design\//, '').replace('/_view/', '/');
    wanted.add(plain);
    if (known.includes(plain)) continue;
    const guess = nearest(plain, known);
    throw new UserError('not-found', `unknown view \`${printable(name)}\``, {
      hint: `${guess ? `did you mean \`${printable(guess)}\`? ` : ''}known views: ${printable(known.slice(0, 20).join(', '))}`,
    });
  }
  return views.filter(({ name }) => wanted.has(name));
}

/**
 * @param {Prepared} prepared
 * @param {number} most
 * @returns {Promise<GivenDocument[] | undefined>} undefined where no files were named
 * @throws {UserError} where those that were named have none
 */
async function readDocuments({ openDocuments, opened }, most) {
  if (!openDocuments) return undefined;
  const documents = await openDocuments(most);
  /** @type {GivenDocument[]} */
  const given = [];
  let characters = 0;
  for (const [at, document] of documents.entries()) {
    const id = document['_id'];
    const text = JSON.stringify(document);
    characters += text.length;
    if (given.length > 0 && characters > MAX_CHARACTERS) break;
    given.push({ id: typeof id === 'string' ? id : `document ${at + 1}`, text });
  }
  if (given.length > 0) return given;
  const [error] = opened.errors;
  throw new UserError(error ? 'documents-unreadable' : 'no-documents', 'no usable documents in the files', {
    place: error?.place,
    hint: error ? error.message : 'design documents are skipped',
  });
}

/**
 * @param {GivenDocument[] | Making} documents
 * @param {ProfileOptions} options
 * @returns {{name: string, value: string}[]}
 */
function describeEnvironment(documents, { v8 }) {
  return [
    { name: 'couch-advisor', value: version() },
    { name: 'documents', value: describeDocuments(documents) },
    { name: 'engines', value: `QuickJS in WebAssembly${v8 ? `, V8 ${process.versions.v8}` : ''}` },
    { name: 'Node.js', value: process.versions.node },
    { name: 'processors', value: `${os.cpus().length} × ${os.cpus()[0]?.model ?? 'unknown'}` },
  ];
}

/**
 * @param {GivenDocument[] | Making} documents
 * @returns {string}
 */
function describeDocuments(documents) {
  if (!Array.isArray(documents)) return `${documents.count} generated per view, seed ${documents.seed}`;
  const characters = documents.reduce((sum, { text }) => sum + text.length, 0);
  return `${documents.length}, ${Math.round(characters / Math.max(1, documents.length))} characters of JSON on average`;
}

/**
 * @param {string} name of the option
 * @param {number} value
 * @param {number} most
 * @throws {UserError}
 */
function checkNumber(name, value, most) {
  if (value >= 1 && value <= most) return;
  throw new UserError('bad-number', `invalid --${name} ${value}: must be between 1 and ${most}`, {
    hint: `for example: --${name} ${Math.min(most, 10)}`,
  });
}

/** @returns {UserError} */
function interrupted() {
  return new UserError('interrupted', 'the run was interrupted; the results are partial', {
    hint: 'run it again for all results',
  });
}
