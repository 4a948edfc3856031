// Measures what the functions of one view cost on documents. Foreign code runs in the sandbox, and in V8 or a query
// server only where the user requested that.

import { addPhases, makeFigures, phasesOf, readNotes } from '../figures.js';
import { instrument } from '../instrument.js';
import { callsOfReductions, callsOfRows } from '../reduce-calls.js';
import { libraryTree, lineFinder, splitLines } from '../source-texts.js';
import { countingOrder, limitsFor, PROBED, timedOrder } from './orders.js';
import { measurePipe } from './pipe.js';
import { measureQueryServer } from './query-server.js';
import { measureInV8 } from './v8.js';

/** @import { Sandbox } from '../../../sandbox/sandbox.js' */
/** @import { ProfileFigures } from '../../../sandbox/run-profile.js' */
/** @import { SandboxError } from '../../../sandbox/limits.js' */
/** @import { EngineTimes, FunctionProfile, ProfiledSource, ViewProfile } from '../profile.js' */
/** @import { Row } from '../reduce-calls.js' */

/**
 * @typedef {object} GivenFunction
 * @property {string} text
 * @property {ProfiledSource['place']} place
 */

/**
 * @typedef {object} GivenView
 * @property {string} name `orders/by_customer`
 * @property {GivenFunction} map
 * @property {GivenFunction} [reduce]
 * @property {string} [builtin]
 * @property {{path: string[], text: string, place: ProfiledSource['place']}[]} libraries of `views.lib`: `path` leads to each
 */

/** @typedef {{id: string, text: string}} GivenDocument `text`: JSON */

/**
 * @typedef {object} ProfileOptions
 * @property {Pick<Sandbox, 'profile'>} sandbox
 * @property {number} seconds that each function may take, about
 * @property {number} callSteps a call that takes more is stopped
 * @property {boolean} usesV8
 * @property {string} [queryServer] command of one to measure, too
 * @property {string} cwd where it is started
 * @property {AbortSignal} signal
 */

/** Rows that are kept for the reduce. */
const ROW_CHARACTERS = 8 * 1024 * 1024;
/** For starting the other process, beside the time for measuring. */
const V8_GRACE_MS = 5000;
/** The fewest rounds are worth nothing; more time than this is not spent on one pass, as a part of all. */
const SHARES = { function: 0.3, floor: 0.15, lines: 0.3, server: 0.5 };
/** Inputs that are sent to another process, again and again: more rounds say more than more inputs. */
const MAX_SENT = 200;

/** @typedef {{source: string, libraries: Record<string, unknown>}} Runnable a function as it is or with probes, and what it requires */

const FLOORS = { map: 'function (doc) {}', reduce: 'function (keys, values, rereduce) { return null; }' };

/**
 * @param {GivenView} view
 * @param {GivenDocument[]} documents
 * @param {ProfileOptions} options
 * @returns {Promise<ViewProfile>}
 */
export async function profileView(view, documents, options) {
  const inputs = documents.map(({ text }) => text);
  const nameOf = (/** @type {number} */ at) => documents[at]?.id ?? '';
  const { profile: map, rows } = await profileFunction(view, 'map', inputs, nameOf, options);
  /** @type {ViewProfile} */
  const profile = { name: view.name, documents: documents.length, notes: [], map };
  if (view.builtin !== undefined) profile.builtin = view.builtin;
  if (!view.reduce || options.signal.aborted) return profile;
  const calls = await callsOfReduce(view.reduce.text, rows, options);
  const nameOfCall = (/** @type {number} */ at) => `call ${at + 1}`;
  const { profile: reduce } = await profileFunction(view, 'reduce', calls, nameOfCall, options);
  if (rows.length < map.rows)
    reduce.unmeasured.push(`the rows after the first ${rows.length}: they are too large to keep`);
  return { ...profile, reduce };
}

/**
 * Reduces level by level, to have what the upper calls are given.
 * @param {string} source
 * @param {Row[]} rows
 * @param {ProfileOptions} options
 * @returns {Promise<string[]>} the arguments of all calls; what threw counts as null, as in CouchDB
 */
async function callsOfReduce(source, rows, options) {
  const all = callsOfRows(rows);
  // It is there to have calls: they are counted afterwards.
  const order = { ...countingOrder(options, ROW_CHARACTERS), mostMs: options.seconds * 1000 };
  for (let level = all; level.length > 0; ) {
    const figures = await options.sandbox.profile({
      kind: 'reduce',
      source,
      inputs: level,
      order,
      limits: limitsFor(options),
    });
    if ('error' in figures || figures.notRun > 0) break;
    const answers = new Map(figures.answers.map(({ input, text }) => [input, text.slice(1, -1)]));
    level = callsOfReductions(level.map((_, at) => answers.get(at) ?? 'null'));
    all.push(...level);
  }
  return all;
}

/**
 * @param {GivenView} view
 * @param {'map' | 'reduce'} role
 * @param {string[]} inputs
 * @param {(at: number) => string} nameOf
 * @param {ProfileOptions} options
 * @returns {Promise<{profile: FunctionProfile, rows: Row[]}>} `rows` of a map, as many as can be kept
 */
async function profileFunction(view, role, inputs, nameOf, options) {
  const { sandbox, signal } = options;
  const fn = /** @type {GivenFunction} */ (view[role]);
  // CouchDB compiles a reduce without its design document: it cannot require anything (share/server/views.js runReduce, 3.5.0).
  const libraries = role === 'map' ? view.libraries : [];
  const texts = [
    { name: role, text: fn.text, isModule: false },
    ...libraries.map(({ path, text }) => ({ name: path.join('/'), text, isModule: true })),
  ];
  const profile = emptyProfile(view, role, fn, libraries, inputs);
  const instrumented = instrument(texts, role);
  if ('fault' in instrumented) {
    const source = profile.sources[instrumented.source];
    return { profile: { ...profile, fault: `${source?.name}: ${instrumented.fault}` }, rows: [] };
  }
  const probed = {
    source: /** @type {string} */ (instrumented.texts[0]),
    libraries: libraryTree(libraries, instrumented.texts.slice(1)),
    prefix: instrumented.prefix,
  };
  const plain = {
    source: fn.text,
    libraries: libraryTree(
      libraries,
      libraries.map(({ text }) => text),
    ),
  };
  const keep = role === 'map' ? ROW_CHARACTERS : 0;
  const isFresh = role === 'reduce';
  const counted = await sandbox.profile({
    ...probed,
    kind: role,
    inputs,
    isFresh,
    order: countingOrder(options, keep),
    limits: { ...limitsFor(options), callSteps: options.callSteps * PROBED },
  });
  if ('error' in counted) return { profile: { ...profile, fault: describeFault(counted.error) }, rows: [] };
  Object.assign(profile, outcomeOf(counted, nameOf));
  const rows = role === 'map' ? rowsOf(counted, nameOf) : [];
  profile.rows = counted.rows;
  const good = goodInputs(inputs, counted);
  const lineOf = lineFinder(texts.map(({ text }) => text));
  const finish = (/** @type {ReturnType<typeof readNotes>[]} */ timed, /** @type {number} */ runNs) =>
    Object.assign(profile, makeFigures(readNotes(counted.watched.flat()), timed, instrumented, { lineOf, runNs }));
  if (good.length === 0 || signal.aborted) return { profile: finish([], 0), rows };
  const times = await timeFunction(role, { plain, probed, good }, options);
  if ('fault' in times) {
    profile.unmeasured.push(`times: ${times.fault}`);
    return { profile: finish([], 0), rows };
  }
  profile.engines.push(times.quickjs);
  finish(times.rounds, times.quickjs.phases.run.middle * good.length);
  await measureElsewhere(profile, { role, fn, plain, good, answers: counted }, options);
  return { profile, rows };
}

/**
 * Takes the time of a function in the sandbox: as a whole, less that of one that does nothing, and of its lines.
 * @param {'map' | 'reduce'} role
 * @param {{plain: Runnable, probed: Runnable & {prefix: string}, good: string[]}} given
 * @param {ProfileOptions} options
 * @returns {Promise<{quickjs: EngineTimes, rounds: ReturnType<typeof readNotes>[]} | {fault: string}>}
 */
async function timeFunction(role, { plain, probed, good }, options) {
  const { sandbox, seconds, callSteps } = options;
  const timed = (/** @type {number} */ share) => ({
    kind: role,
    inputs: good,
    order: timedOrder(good.length, seconds * 1000 * share),
    // Time ends it, not steps.
    limits: { ...limitsFor(options), callSteps: callSteps * PROBED, jobSteps: Number.POSITIVE_INFINITY },
  });
  const clean = await sandbox.profile({ ...plain, ...timed(SHARES.function) });
  if ('error' in clean) return { fault: clean.error.message };
  const floor = await sandbox.profile({ source: FLOORS[role], ...timed(SHARES.floor) });
  if ('error' in floor) return { fault: floor.error.message };
  const lines = await sandbox.profile({ ...probed, ...timed(SHARES.lines) });
  if ('error' in lines) return { fault: lines.error.message };
  const rounds = lines.watched.length > 2 ? lines.watched.slice(1) : lines.watched;
  return { quickjs: engineTimes('quickjs', clean, floor), rounds: rounds.map(readNotes) };
}

/**
 * @param {FunctionProfile} profile is added to
 * @param {{role: 'map' | 'reduce', fn: GivenFunction, plain: Runnable, good: string[], answers: ProfileFigures}} given
 * @param {ProfileOptions} options
 */
async function measureElsewhere(
  profile,
  { role, fn, plain, good, answers },
  { usesV8, queryServer, seconds, cwd, signal },
) {
  const answerCharacters = Math.round(answers.answerCharacters / Math.max(1, answers.calls - answers.failed));
  const some = spread(good, MAX_SENT);
  const note = (/** @type {string} */ what, /** @type {unknown} */ error) =>
    void profile.unmeasured.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  if (usesV8 && !signal.aborted) {
    try {
      const v8 = await measureInV8(
        { kind: role, source: plain.source, libraries: plain.libraries, floor: FLOORS[role], inputs: good },
        {
          order: timedOrder(good.length, seconds * 1000 * SHARES.function),
          timeoutMs: seconds * 1000 + V8_GRACE_MS,
          signal,
        },
      );
      profile.engines.push(engineTimes('v8', v8.clean, v8.floor));
    } catch (error) {
      note('V8', error);
    }
  }
  if (!signal.aborted) {
    try {
      profile.pipe = await measurePipe(some, answerCharacters, { seconds: seconds * SHARES.floor, signal });
    } catch (error) {
      note('the pipe', error);
    }
  }
  if (queryServer !== undefined && !signal.aborted) {
    try {
      profile.queryServer = await measureQueryServer(
        { role, source: fn.text, floor: FLOORS[role], libraries: plain.libraries, inputs: some },
        { command: queryServer, seconds: seconds * SHARES.server, cwd, signal },
      );
    } catch (error) {
      note(`\`${queryServer}\``, error);
    }
  }
}

/**
 * @param {string[]} inputs
 * @param {number} most
 * @returns {string[]} so many of them at the most, from all parts of the list
 */
function spread(inputs, most) {
  if (inputs.length <= most) return inputs;
  return Array.from({ length: most }, (_, at) => inputs[Math.floor((at * inputs.length) / most)] ?? '');
}

/**
 * @param {EngineTimes['engine']} engine
 * @param {Pick<ProfileFigures, 'rounds' | 'calls'>} clean
 * @param {Pick<ProfileFigures, 'rounds' | 'calls'>} floor
 * @returns {EngineTimes}
 */
function engineTimes(engine, clean, floor) {
  const phases = phasesOf(clean.rounds, clean.calls);
  const { run, write } = phasesOf(floor.rounds, floor.calls);
  // Reading and freezing do not depend on the function: taken from one run, the two differ in nothing but what does.
  const { parse, freeze } = phases;
  return { engine, phases, floor: addPhases({ parse, freeze, run, write }), rounds: clean.rounds.length };
}

/**
 * @param {GivenView} view
 * @param {'map' | 'reduce'} role
 * @param {GivenFunction} fn
 * @param {GivenView['libraries']} libraries
 * @param {string[]} inputs
 * @returns {FunctionProfile}
 */
export function emptyProfile(view, role, fn, libraries, inputs) {
  return {
    role,
    name: `${view.name} ${role}`,
    sources: [
      { name: role, lines: splitLines(fn.text), place: fn.place },
      ...libraries.map(({ path, text, place }) => ({ name: path.join('/'), lines: splitLines(text), place })),
    ],
    inputs: inputs.length,
    failed: 0,
    notRun: 0,
    failures: [],
    rows: 0,
    inputCharacters: inputs.reduce((sum, text) => sum + text.length, 0),
    answerCharacters: 0,
    longestAnswer: 0,
    lines: [],
    functions: [],
    calls: [],
    operations: 0,
    engines: [],
    unmeasured: [],
  };
}

/**
 * @param {ProfileFigures} figures
 * @param {(at: number) => string} nameOf
 * @returns {Partial<FunctionProfile>}
 */
function outcomeOf({ failures, failed, notRun, answerCharacters, longestAnswer }, nameOf) {
  return {
    failures: failures.map(({ input, error }) => ({ input: nameOf(input), kind: error.kind, message: error.message })),
    failed,
    notRun,
    answerCharacters,
    longestAnswer,
  };
}

/**
 * @param {ProfileFigures} figures
 * @param {(at: number) => string} nameOf
 * @returns {Row[]}
 */
function rowsOf({ answers }, nameOf) {
  return answers.flatMap(({ input, text }) =>
    /** @type {[unknown, unknown][]} */ (JSON.parse(text)).map(([key, value]) => ({
      id: nameOf(input),
      key: JSON.stringify(key),
      value: JSON.stringify(value),
    })),
  );
}

/**
 * @param {string[]} inputs
 * @param {ProfileFigures} figures
 * @returns {string[]} those that end, and those that throw at once: they cost time as well
 */
function goodInputs(inputs, { failures, notRun }) {
  const bad = new Set(failures.filter(({ error }) => error.kind !== 'threw').map(({ input }) => input));
  return inputs.slice(0, inputs.length - notRun).filter((_, at) => !bad.has(at));
}

/**
 * @param {SandboxError} error
 * @returns {string}
 */
function describeFault({ kind, message }) {
  return kind === 'threw' ? `it threw before the first call: ${message}` : message;
}
