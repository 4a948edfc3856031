// Opens a run for the command line and for other programs: reads its input, once or repeatedly, and opens documents and
// proofs when they are needed. Judges and prints nothing.

import { formatCount } from '../../shared/units.js';
import { UserError } from '../../shared/user-error.js';
import { openSources } from '../../sources/open.js';
import { pairVersions } from '../../sources/record.js';
import { loadRules } from '../load.js';
import { cacheFolder } from './cache-folder.js';
import { createCallCache, createProofCache } from './proof-cache.js';

/** @import { Rule } from '../rule.js' */
/** @import { OpenProofs } from '../pipeline.js' */
/** @import { OpenDocuments } from '../../proof/prove-views.js' */
/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { DiskTree } from '../../sources/disk-tree.js' */
/** @import { Exclusion } from '../../sources/ignore-rules.js' */
/** @import { Opened, OpenOptions } from '../../sources/open.js' */
/** @import { ReadResult } from '../../sources/record.js' */

/** @typedef {Awaited<ReturnType<typeof import('../../sources/loads/open-loads.js').openLoads>>} Loads */
/** @typedef {(max: number) => Promise<{documents: Record<string, unknown>[], total: number}>} ReadSample `total`: of how many they are */

/**
 * @typedef {object} RunOptions
 * @property {string} cwd
 * @property {string[]} paths files, folders or globs; all below `cwd` where empty and no server is read
 * @property {{paths: boolean, loads: boolean}} [isNamed] whether the user named these, so that they may be pipes; true where absent
 * @property {Pick<OpenOptions, 'tree' | 'passesUnknown' | 'listsPassed' | 'stdin' | 'role' | 'clients' | 'calls'>} [reading]
 * @property {() => Exclusion[]} [exclusions] what is skipped; called before each reading
 * @property {(opened: Opened) => Promise<boolean>} [readsAgain] is given what was read; true where `exclusions` gives more since
 * @property {string[]} [loads] files or globs of documents to be loaded, relative to `cwd`
 * @property {() => Promise<ReadResult | undefined>} [readLogs]
 * @property {() => Promise<ReadResult>} [readLive] reads a server
 * @property {ReadSample} [sampleLive] reads documents of a server, which then replace those of `loads`
 * @property {string[]} [deployed] files or folders with the versions that are deployed, relative to `cwd`
 * @property {number} [documents] of the database
 * @property {(reason: string) => void} [onSample] is called where functions are tried on some of the documents only
 */

/**
 * @typedef {object} Run
 * @property {(known?: ReadonlyMap<string, SourceFile>, tree?: DiskTree) => Promise<Opened>} read with these files instead of those of
 *   the disk, or from another tree; loads, logs and servers are not read again
 * @property {OpenDocuments | undefined} openDocuments undefined where there are none
 */

/** Documents that functions are tried on: enough to meet what is not rare, and tried in a second. */
const MAX_SAMPLED = 1000;

/**
 * @param {RunOptions} options
 * @returns {Promise<Run>}
 * @throws {UserError} where a server cannot be read
 */
export async function openRun({
  cwd,
  paths,
  isNamed = { paths: true, loads: true },
  reading,
  exclusions,
  readsAgain,
  loads: patterns = [],
  readLogs,
  readLive,
  sampleLive,
  deployed = [],
  documents,
  onSample,
}) {
  const loads = await openLoads(patterns, cwd, isNamed.loads);
  const logs = await readLogs?.();
  const live = await readLive?.();
  /** @type {Run['read']} */
  const read = async (known, tree = reading?.tree) => {
    const open = () =>
      openSources({
        ...reading,
        paths,
        isNamed: isNamed.paths,
        cwd,
        known,
        tree,
        exclusions: exclusions?.(),
        loads,
        logs,
        live,
      });
    let opened = await open();
    if (await readsAgain?.(opened)) opened = await open();
    if (deployed.length > 0) await addDeployed(opened, { deployed, cwd, documents });
    return opened;
  };
  const readSample = sampleLive ?? (loads && sampleOf(loads));
  return {
    read,
    openDocuments:
      readSample &&
      keepAnswers(async (max) => {
        const { documents: sample, total } = await readSample(max);
        if (sample.length < total)
          onSample?.(`functions are tested on ${formatCount(sample.length)} of ${formatCount(total)} documents`);
        return sample;
      }),
  };
}

/**
 * @param {string[]} folders with rules of the user, absolute
 * @param {(file: string) => string} [show] from an absolute path to the one that errors name
 * @returns {Promise<Rule[]>} the bundled rules and those of the user
 * @throws {AggregateError} of a UserError for each fault in the rules of the user
 */
export async function loadSoundRules(folders, show = (file) => file) {
  const { rules, errors } = await loadRules({ folders });
  if (errors.length === 0) return rules;
  const faults = errors.map(({ message, place, hint }) => {
    return new UserError('bad-rule', message, { place: place && { ...place, file: show(place.file) }, hint });
  });
  throw new AggregateError(faults, `${faults[0]?.place?.file ?? 'a rule'}: ${faults[0]?.message}`);
}

/**
 * @param {{env: Record<string, string | undefined>, version: string, folder?: string}} options `version` of couch-advisor;
 *   `folder`: that of the user where absent
 * @returns {OpenProofs} what was proved and tried in earlier runs
 */
export function keptProofs({ env, version, folder }) {
  return async () => createProofCache(folder ?? cacheFolder(env), version);
}

/**
 * @param {{env: Record<string, string | undefined>, cwd: string, tool: string}} options `tool`: state of the program
 * @returns {OpenOptions['calls']} the calls that the last run in this folder read
 */
export function keptCalls({ env, cwd, tool }) {
  return createCallCache({ folder: cacheFolder(env), place: cwd, tool });
}

/**
 * @param {Opened} opened gets what was changed of documents that are deployed
 * @param {{deployed: string[], cwd: string, documents: number | undefined}} options
 */
async function addDeployed(opened, { deployed: paths, cwd, documents }) {
  const deployed = await openSources({ paths, isNamed: true, cwd });
  opened.errors.push(...deployed.errors);
  // What is deployed may lie in the folder that is judged.
  opened.records = opened.records.filter(({ file }) => !deployed.files.has(file.path));
  for (const { before, after } of pairVersions(deployed.records, opened.records)) {
    if (before && after) opened.records.push({ kind: 'change', file: after.file, before, after, documents });
  }
}

/**
 * @param {string[]} patterns
 * @param {string} cwd
 * @param {boolean} isNamed
 * @returns {Promise<Loads | undefined>}
 */
async function openLoads(patterns, cwd, isNamed) {
  if (patterns.length === 0) return undefined;
  const loads = await import('../../sources/loads/open-loads.js');
  return loads.openLoads(patterns, cwd, { isNamed });
}

/** @param {Loads} loads @returns {ReadSample} */
function sampleOf({ files, records }) {
  return async (max) => {
    const { sampleDocuments } = await import('../../sources/loads/sample-documents.js');
    const total = records.reduce((sum, record) => sum + record.documents, 0);
    return { documents: await sampleDocuments(files, max), total };
  };
}

/**
 * @param {(max: number) => ReturnType<OpenDocuments>} open
 * @returns {OpenDocuments} several trials take the same documents
 */
function keepAnswers(open) {
  /** @type {Map<number, ReturnType<OpenDocuments>>} */
  const samples = new Map();
  return (max = MAX_SAMPLED) => {
    const sample = samples.get(max) ?? open(max);
    samples.set(max, sample);
    return sample;
  };
}
