// What every command that reads sources does first: configuration, rules, settings, sources.

import path from 'node:path';
import { loadRules } from '../engine/load.js';
import { checkRuleNames } from '../engine/rule-names.js';
import { createSettings } from '../engine/settings.js';
import { UserError } from '../shared/user-error.js';
import { isVersion, NEWEST_COUCHDB } from '../shared/version.js';
import { openSources } from '../sources/open.js';
import { loadConfig } from './config.js';
import { FolderConfigs } from './folder-configs.js';
import { countLine } from './progress-line.js';
import { readRuleOptions } from './rule-options.js';
import { version } from './version.js';

/** @import { AnswerMemory, OnProgress, OpenProofs } from '../pipeline.js' */
/** @import { OpenDocuments } from '../proof/prove-views.js' */
/** @import { Readable } from 'node:stream' */
/** @import { Rule } from '../engine/rule.js' */
/** @import { Settings } from '../engine/settings.js' */
/** @import { Target } from '../facts/fact.js' */
/** @import { EngineName } from '../javascript/engines.js' */
/** @import { SourceFile } from '../shared/source-file.js' */
/** @import { DiskTree } from '../sources/disk-tree.js' */
/** @import { Opened, OpenOptions } from '../sources/open.js' */
/** @import { ReadError, ReadResult, SourceRecord } from '../sources/record.js' */
/** @import { Config } from './config.js' */
/** @import { Surroundings } from './main.js' */
/** @import { RuleOptions } from './rule-options.js' */

/**
 * @typedef {object} SourceOptions
 * @property {string} [target]
 * @property {EngineName} [engine]
 * @property {string | boolean} [config]
 * @property {string} [stdinFilename]
 * @property {string[]} [rule] ids of rules, each perhaps with a severity
 * @property {string[]} [docs]
 * @property {string[]} [log]
 * @property {string} [logFormat]
 * @property {string[]} [deployed] files or folders with the versions that are deployed
 * @property {boolean} [cache] false where every reduce is to be proved anew
 * @property {boolean} [quiet]
 * @property {boolean} [debug] whether what is no source is listed too
 */

/**
 * @typedef {object} Prepared
 * @property {Config} config of the run
 * @property {FolderConfigs} folders the configurations of all files
 * @property {Rule[]} rules
 * @property {Settings} settings
 * @property {Opened} opened
 * @property {(texts: ReadonlyMap<string, SourceFile>, tree?: DiskTree) => Promise<Opened>} reopen reads again, with these files in
 *   place of those of the disk; or out of another tree
 * @property {OpenProofs | undefined} openProofs
 * @property {OpenDocuments | undefined} openDocuments
 * @property {boolean} skipsRuns whether functions are not run on documents: in a hook, unless a rule or documents are named
 * @property {OnProgress | undefined} onProgress
 */

/**
 * @typedef {object} Reading What is read in another way than `lint` does.
 * @property {DiskTree} [tree] in place of the disk
 * @property {boolean} [passesUnknown] whether files that are named and hold nothing to judge are passed over
 * @property {(config: Config) => Promise<ReadResult>} [readLive] reads a server
 * @property {(most: number) => Promise<{documents: Record<string, unknown>[], total: number}>} [sampleLive] reads documents of a database of it, in
 *   place of those of files
 */

/** @typedef {Awaited<ReturnType<typeof import('../sources/loads/open-loads.js').openLoads>>} Loads */

/** Documents that functions are tried on: enough to meet what is not rare, and tried in a second. */
const MAX_SAMPLED = 1000;

/**
 * @param {SourceOptions} options
 * @param {string[]} paths
 * @param {Surroundings} surroundings
 * @param {Reading} [reading]
 * @returns {Promise<Prepared>}
 * @throws {UserError} where the command line or the configuration cannot be used
 */
export async function prepare(options, paths, surroundings, reading = {}) {
  const { cwd, stdin, stderr, env } = surroundings;
  const { quiet = false } = options;
  const { config, rules } = await prepareRules(options, cwd, paths);
  const isWhole = paths.length === 0 && !reading.readLive;
  const ruleOptions = readRuleOptions(options.rule, ruleIds(rules));
  const run = { cwd, isWhole, ruleOptions };
  // What was typed wrong is said before anything is read.
  targetOf(options, config);
  const folders = new FolderConfigs(config, { cwd, rules, isAlone: options.config !== undefined });
  const wantsStdin = paths.includes('-') || options.log?.includes('-') === true;
  if (options.stdinFilename !== undefined && !wantsStdin) {
    throw new UserError('unused-option', '--stdin-filename is given, and standard input is not read', {
      hint: 'name `-` among the paths to have it read',
    });
  }
  const input = paths.includes('-') ? { text: await readAll(stdin), filename: options.stdinFilename } : undefined;
  const loads = await openLoads(options.docs ?? config.loads.map((item) => pathFrom(cwd, item)), cwd);
  const logs = await openLogs(options, config, paths, surroundings);
  const live = await reading.readLive?.(config);
  const ownPaths = live ? [] : config.paths;
  /** @type {Prepared['reopen']} */
  const reopen = async (known, tree = reading.tree) => {
    const open = () =>
      openSources({
        ...(tree ? { tree } : {}),
        passesUnknown: reading.passesUnknown === true,
        listsPassed: options.debug === true,
        paths: paths.length > 0 ? paths : ownPaths.map((item) => pathFrom(cwd, item)),
        cwd,
        exclusions: folders.all.map(({ exclude, folder }) => ({ patterns: exclude, folder })),
        known,
        stdin: input,
        loads,
        logs,
        ...(live ? { live } : {}),
      });
    let opened = await open();
    if (await folders.loadFor(opened)) opened = await open();
    if (options.deployed) await addDeployed(opened, options.deployed, config, cwd);
    // Findings about what the configuration ignores stand in it.
    for (const { layers, ignore } of folders.all) {
      for (const { source } of layers) {
        if (ignore.some(({ place }) => place?.file === source.path)) opened.files.set(source.path, source);
      }
    }
    return opened;
  };
  const openProofs = options.cache === false ? undefined : () => openProofCache(env);
  /** Several trials take the same documents. @type {Map<number, ReturnType<OpenDocuments>>} */
  const samples = new Map();
  /** @type {Reading['sampleLive']} */
  const readSample = reading.sampleLive ?? (loads && ((most) => sampleLoads(loads, most)));
  /** @type {OpenDocuments | undefined} */
  const openDocuments =
    readSample &&
    ((most = MAX_SAMPLED) => {
      const sample = samples.get(most) ?? takeSample(most);
      samples.set(most, sample);
      return sample;
    });
  const takeSample = async (/** @type {number} */ most) => {
    const { documents, total } = (await readSample?.(most)) ?? { documents: [], total: 0 };
    const sample = { taken: documents.length, total, from: reading.sampleLive ? '--sample-from' : '--docs' };
    if (documents.length < total) reportSample(sample, { opened, stderr: quiet ? undefined : stderr });
    return documents;
  };
  const opened = await reopen(new Map());
  const server = serverOf(opened.records);
  return {
    config,
    folders,
    rules,
    settings: folders.settings((one) => settingsOf(options, one, { ...run, ...(server ? { server } : {}) })),
    opened,
    reopen,
    openProofs,
    openDocuments,
    skipsRuns: reading.passesUnknown === true && ruleOptions.only === undefined && options.docs === undefined,
    onProgress: stderr.isTTY && !quiet ? countLine(stderr, 'functions run') : undefined,
  };
}

/**
 * @param {SourceRecord[]} records
 * @returns {Target | undefined} what the server that was read is; undefined where none was, or several
 */
function serverOf(records) {
  const servers = records.filter((record) => record.kind === 'node');
  const [first] = servers;
  if (servers.length !== 1 || first?.version === undefined) return undefined;
  return { version: first.version, engine: first.engine };
}

/**
 * @param {Opened} opened gets what was changed of documents that are deployed
 * @param {string[]} paths of those
 * @param {Config} config
 * @param {string} cwd
 */
async function addDeployed(opened, paths, { documents }, cwd) {
  const { pairVersions } = await import('../sources/pair-versions.js');
  const deployed = await openSources({ paths, cwd });
  opened.errors.push(...deployed.errors);
  // What is deployed may lie in the folder that is judged.
  opened.records = opened.records.filter(({ file }) => !deployed.files.has(file.path));
  for (const { before, after } of pairVersions(deployed.records, opened.records)) {
    if (before && after) opened.records.push({ kind: 'change', file: after.file, before, after, documents });
  }
}

/**
 * @param {string[]} patterns files or globs, relative to `cwd`
 * @param {string} cwd
 * @returns {Promise<Loads | undefined>}
 */
async function openLoads(patterns, cwd) {
  if (patterns.length === 0) return undefined;
  const loads = await import('../sources/loads/open-loads.js');
  return loads.openLoads(patterns, cwd);
}

/**
 * @param {SourceOptions} options
 * @param {Config} config
 * @param {string[]} paths
 * @param {Surroundings} surroundings
 * @returns {Promise<OpenOptions['logs']>} undefined where no log is named, and then nothing is loaded for it
 */
async function openLogs({ log, logFormat, stdinFilename }, config, paths, { cwd, stdin, stderr }) {
  const patterns = log ?? config.logs.map((item) => pathFrom(cwd, item));
  if (patterns.length === 0) return undefined;
  if (patterns.includes('-') && paths.includes('-')) {
    throw new UserError('stdin-twice', 'standard input is named as a path and as a log', {
      hint: 'give one of them as a file',
    });
  }
  const [{ openLogs: open }, { CLEAR_LINE, progressLine }] = await Promise.all([
    import('../digest/run/open-logs.js'),
    import('./progress-line.js'),
  ]);
  const logs = await open(patterns, {
    cwd,
    stdin,
    stdinName: stdinFilename,
    format: logFormat ?? config.logFormat,
    now: Date.now(),
    tellProgress: stderr.isTTY ? progressLine(stderr) : undefined,
  });
  if (stderr.isTTY) stderr.write(CLEAR_LINE);
  return logs;
}

/**
 * Says that functions were not tried on all documents that were given.
 * @param {{taken: number, total: number, from: string}} sample
 * @param {{opened: Opened, stderr: Surroundings['stderr'] | undefined}} where
 */
function reportSample({ taken, total, from }, { opened, stderr }) {
  const reason = `functions are tried on ${from === '--docs' ? 'the first ' : ''}${taken} of ${total} documents`;
  stderr?.write(`${reason}\n`);
  opened.notes.push({ path: from, reason });
}

/**
 * @param {Loads} loads
 * @param {number} most
 * @returns {ReturnType<NonNullable<Reading['sampleLive']>>}
 */
async function sampleLoads({ files, records }, most) {
  const { sampleDocuments } = await import('../sources/loads/sample-documents.js');
  const total = records.reduce((sum, record) => sum + record.documents, 0);
  return { documents: await sampleDocuments(files, most), total };
}

/**
 * @param {Surroundings['env']} env
 * @returns {Promise<AnswerMemory>}
 */
async function openProofCache(env) {
  const { cacheFolder, createProofCache } = await import('./proof-cache.js');
  return createProofCache(cacheFolder(env), version());
}

/**
 * @param {{config?: string | boolean}} options
 * @param {string} cwd
 * @param {string[]} [paths] what is to be read
 * @returns {Promise<{config: Config, rules: Rule[]}>}
 * @throws {UserError | AggregateError} where the configuration or rules of the user are not sound
 */
export async function prepareRules(options, cwd, paths) {
  const config = await loadConfig({ cwd, config: options.config, paths });
  const { rules, errors } = await loadRules({ folders: config.ruleFolders });
  if (errors.length > 0) throw new AggregateError(errors.map((error) => ruleError(error, cwd)));
  for (const layer of config.layers) checkRuleNames(layer, rules);
  return { config, rules };
}

/**
 * @param {Rule[]} rules
 * @returns {string[]}
 */
export function ruleIds(rules) {
  return rules.map(({ id }) => id);
}

/**
 * @param {ReadError} error
 * @param {string} cwd
 * @returns {UserError}
 */
function ruleError({ message, place, hint }, cwd) {
  const shown = place && { ...place, file: pathFrom(cwd, place.file) };
  return new UserError('bad-rule', message, { place: shown, hint });
}

/**
 * @param {SourceOptions} options
 * @param {Config} config
 * @param {{cwd: string, isWhole: boolean, ruleOptions: RuleOptions, server?: Target}} run `isWhole`: whether all of the project is
 *   read; `server`: what was found to be there
 * @returns {Settings}
 */
export function settingsOf(options, config, { cwd, isWhole, ruleOptions, server }) {
  const { layers, ignore, folder } = config;
  const target = targetOf(options, config, server);
  const all = [
    ...layers.flatMap((layer) => [{ rules: layer.rules }, ...layer.overrides]),
    { rules: ruleOptions.rules },
  ];
  const overrides = all.filter((entry) => Object.keys(entry.rules).length > 0);
  return createSettings({ target, only: ruleOptions.only, overrides, ignore, isWhole }, (file) =>
    // What a server told stands at an address, not in a folder.
    file.includes('://') ? file : pathFrom(folder, path.resolve(cwd, file)),
  );
}

/**
 * @param {SourceOptions} options
 * @param {Config} config
 * @param {Target} [server]
 * @returns {Target}
 */
function targetOf(options, config, server) {
  const version = options.target ?? server?.version ?? config.target.version ?? NEWEST_COUCHDB;
  if (!isVersion(version)) {
    throw new UserError('bad-version', `--target is \`${version}\`, which is no CouchDB version`, {
      hint: 'write it like --target 3.3',
    });
  }
  // A minor version may have come out since; of another major version nothing is known. What a server says of itself holds.
  if (version !== server?.version && Number.parseInt(version, 10) > Number.parseInt(NEWEST_COUCHDB, 10)) {
    throw new UserError('bad-version', `there is no CouchDB ${version} yet`, {
      place: options.target === undefined ? config.origins['target'] : undefined,
      hint: `the newest one that is known here is ${NEWEST_COUCHDB}`,
    });
  }
  return { version, engine: options.engine ?? server?.engine ?? config.target.engine };
}

/**
 * @param {string} folder absolute
 * @param {string} file absolute
 * @returns {string} the way from one to the other, with forward slashes
 */
function pathFrom(folder, file) {
  const relative = path.relative(folder, file).replaceAll(path.sep, '/');
  // A file that is called `-` is not standard input.
  return relative === '-' ? './-' : relative || '.';
}

/**
 * @param {Readable} stream
 * @returns {Promise<Buffer>}
 * @throws {UserError} where it cannot be read
 */
async function readAll(stream) {
  const chunks = [];
  try {
    for await (const chunk of stream) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new UserError('stdin-unreadable', `standard input cannot be read (${code})`, {
      hint: 'give it a file or the output of a command',
    });
  }
  return Buffer.concat(chunks);
}
