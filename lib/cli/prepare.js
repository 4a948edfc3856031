// Prepares every command that reads sources: configuration, rules, settings, sources.

import path from 'node:path';
import { checkRuleNames } from '../engine/rule-names.js';
import { keptCalls, keptProofs, loadSoundRules, openRun } from '../engine/run/open-run.js';
import { findServer, serverOf } from '../engine/run/target.js';
import { createSettings } from '../engine/settings.js';
import { MAX_STRING_LENGTH, readAll, reasonOf } from '../files/open-file.js';
import { UserError } from '../shared/user-error.js';
import { isVersion, NEWEST_COUCHDB } from '../shared/version.js';
import { loadConfig } from './config.js';
import { FolderConfigs } from './folder-configs.js';
import { toolState } from './program-state.js';
import { CLEAR_LINE, countLine, progressLine } from './progress-line.js';
import { readRuleOptions } from './rule-options.js';
import { version } from './version.js';

/** @import { OnProgress, OpenProofs } from '../engine/pipeline.js' */
/** @import { OpenDocuments } from '../proof/prove-views.js' */
/** @import { Readable } from 'node:stream' */
/** @import { Rule } from '../engine/rule.js' */
/** @import { Settings } from '../engine/settings.js' */
/** @import { Target } from '../facts/fact.js' */
/** @import { EngineName } from '../javascript/engines.js' */
/** @import { ReadSample, Run } from '../engine/run/open-run.js' */
/** @import { DiskTree } from '../sources/disk-tree.js' */
/** @import { Opened, OpenOptions } from '../sources/open.js' */
/** @import { BareRole } from '../shared/bare-roles.js' */
/** @import { ReadResult, SourceRecord } from '../sources/record.js' */
/** @import { Config } from './config.js' */
/** @import { Surroundings } from './main.js' */
/** @import { RuleOptions } from './rule-options.js' */

/**
 * @typedef {object} SourceOptions
 * @property {string} [target]
 * @property {EngineName} [engine]
 * @property {string | boolean} [config]
 * @property {string} [stdinFilename]
 * @property {BareRole} [as] what a function is for that is alone in a file
 * @property {string[]} [rule] ids and families of rules, each perhaps with a severity
 * @property {boolean} [drafts] whether drafts run too
 * @property {string[]} [docs]
 * @property {string[]} [log]
 * @property {string} [logFormat]
 * @property {string} [logField]
 * @property {string[]} [deployed] files or folders with the versions that are deployed
 * @property {boolean} [cache] false where every reduce is to be proved again
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
 * @property {Run['read']} reopen reads again
 * @property {OpenProofs | undefined} openProofs
 * @property {OpenDocuments | undefined} openDocuments
 * @property {boolean} skipsRuns whether functions are not run on documents: in a hook, unless a rule or documents are named
 * @property {OnProgress | undefined} onProgress
 */

/**
 * @typedef {object} Reading What is read in another way than `lint` does.
 * @property {DiskTree} [tree] instead of the disk
 * @property {boolean} [keepsCalls] whether the calls that are read are kept for the next run
 * @property {boolean} [passesUnknown] whether files that are named and hold nothing to judge are skipped
 * @property {(config: Config) => Promise<ReadResult>} [readLive] reads a server
 * @property {(error: unknown) => void} [onRuleFault] receives what is wrong with rules of the user, which are then left out; an error where absent
 * @property {string[]} [logDatabases] names and globs of the databases that logs are read for; the others count as one
 * @property {ReadSample} [sampleLive] reads documents of a database of it, which replace those of files
 */

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
  const { config, rules } = await prepareRules(options, cwd, paths, reading.onRuleFault);
  const isWhole = paths.length === 0 && !reading.readLive;
  const ruleOptions = readRuleOptions(options.rule, ruleIds(rules));
  const run = { cwd, isWhole, ruleOptions };
  // What was typed wrong is said before anything is read.
  targetOf(options, config);
  const folders = new FolderConfigs(config, { cwd, rules, isAlone: options.config !== undefined });
  const input = await readInput(options, paths, stdin);
  const { readLive, sampleLive, keepsCalls, logDatabases, ...ways } = reading;
  const ownPaths = readLive ? [] : config.paths;
  /** @param {string} reason */
  const onSample = (reason) => {
    if (!quiet) stderr.write(`${reason}\n`);
    opened.notes.push({ path: sampleLive ? '--sample-from' : '--docs', reason });
  };
  const { read, openDocuments } = await openRun({
    cwd,
    paths: paths.length > 0 ? paths : ownPaths.map((item) => pathFrom(cwd, item)),
    isNamed: { paths: paths.length > 0, loads: options.docs !== undefined },
    reading: {
      ...ways,
      ...sourcesOf(options, config),
      stdin: input,
      calls: keepsCalls && options.cache !== false ? keptCalls({ env, cwd, tool: toolState() }) : undefined,
    },
    exclusions: () => folders.all.map(({ exclude, folder }) => ({ patterns: exclude, folder })),
    readsAgain: (first) => folders.loadFor(first),
    loads: options.docs ?? config.loads.map((item) => pathFrom(cwd, item)),
    readLogs: () => openLogs({ ...options, logDatabases }, config, paths, surroundings),
    readLive: readLive && (() => readLive(config)),
    sampleLive,
    deployed: options.deployed,
    documents: config.documents,
    onSample,
  });
  /** @type {Run['read']} */
  const reopen = async (known, tree) => {
    const again = await read(known, tree);
    // Findings about what the configuration ignores stand in it.
    for (const { layers, ignore } of folders.all) {
      for (const { source } of layers) {
        if (ignore.some(({ place }) => place?.file === source.path)) again.files.set(source.path, source);
      }
    }
    return again;
  };
  const opened = await reopen();
  const server = await findServerOf(config, options, { cwd, records: opened.records });
  return {
    config,
    folders,
    rules,
    settings: folders.settings((one) => settingsOf(options, one, { ...run, server })),
    opened,
    reopen,
    openProofs: options.cache === false ? undefined : keptProofs({ env, version: version() }),
    openDocuments,
    skipsRuns: reading.passesUnknown === true && ruleOptions.only === undefined && options.docs === undefined,
    onProgress: stderr.isTTY && !quiet ? countLine(stderr) : undefined,
  };
}

/**
 * @param {SourceOptions} options
 * @param {Config} config
 * @returns {Pick<OpenOptions, 'role' | 'listsPassed' | 'clients'>}
 */
function sourcesOf({ as, debug }, { clients }) {
  return { role: as, listsPassed: debug === true, clients };
}

/**
 * @param {SourceOptions} options
 * @param {string[]} paths
 * @param {Surroundings['stdin']} stdin
 * @returns {Promise<{text: Buffer, filename: string | undefined} | undefined>} standard input where it is one of the paths
 */
async function readInput({ stdinFilename, log }, paths, stdin) {
  if (paths.includes('-')) return { text: await readStdin(stdin), filename: stdinFilename };
  if (stdinFilename !== undefined && !log?.includes('-')) {
    throw new UserError('unused-option', '--stdin-filename requires standard input as a path', {
      hint: 'add `-` to the paths',
    });
  }
  return undefined;
}

/**
 * @param {SourceOptions & Pick<Reading, 'logDatabases'>} options
 * @param {Config} config
 * @param {string[]} paths
 * @param {Surroundings} surroundings
 * @returns {Promise<OpenOptions['logs']>} undefined where no log is named
 */
async function openLogs(
  { log, logFormat, logField, logDatabases, stdinFilename },
  config,
  paths,
  { cwd, stdin, stderr },
) {
  const patterns = log ?? config.logs.map((item) => pathFrom(cwd, item));
  if (patterns.length === 0) return undefined;
  if (patterns.includes('-') && paths.includes('-')) {
    throw new UserError('stdin-twice', 'standard input cannot be both a path and a log', {
      hint: 'use a file for one of them',
    });
  }
  const { openLogs: openLogFiles } = await import('../digest/run/open-logs.js');
  const logs = await openLogFiles(patterns, {
    isNamed: log !== undefined,
    cwd,
    stdin,
    stdinName: stdinFilename,
    format: logFormat ?? config.logFormat,
    field: logField ?? config.logField,
    now: Date.now(),
    options: { databases: logDatabases },
    onProgress: stderr.isTTY ? progressLine(stderr) : undefined,
  });
  if (stderr.isTTY) stderr.write(CLEAR_LINE);
  return logs;
}

/**
 * @param {{config?: string | boolean}} options
 * @param {string} cwd
 * @param {string[]} [paths] what is to be read
 * @param {Reading['onRuleFault']} [onFault]
 * @returns {Promise<{config: Config, rules: Rule[]}>}
 * @throws {UserError | AggregateError} where the configuration or rules of the user are not sound
 */
export async function prepareRules(options, cwd, paths, onFault) {
  const config = await loadConfig({ cwd, config: options.config, paths });
  try {
    const rules = await loadSoundRules(config.ruleFolders, (file) => pathFrom(cwd, file));
    for (const layer of config.layers) checkRuleNames(layer, rules);
    return { config, rules };
  } catch (error) {
    if (!onFault) throw error;
    onFault(error);
    // What is set for rules is of no use without them.
    const layers = config.layers.map((layer) => ({ ...layer, rules: {}, overrides: [] }));
    return { config: { ...config, layers }, rules: await loadSoundRules([]) };
  }
}

/**
 * @param {Rule[]} rules
 * @returns {string[]}
 */
export function ruleIds(rules) {
  return rules.map(({ id }) => id);
}

/**
 * @param {SourceOptions} options
 * @param {Config} config
 * @param {{cwd: string, isWhole: boolean, ruleOptions: RuleOptions, server: Target | undefined}} run `isWhole`: whether all of the project is
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
  const drafts = options.drafts ?? config.drafts;
  return createSettings({ target, only: ruleOptions.only, drafts, overrides, ignore, isWhole }, (file) =>
    // What a server reported has an address, not in a folder.
    file.includes('://') ? file : pathFrom(folder, path.resolve(cwd, file)),
  );
}

/**
 * @param {Config} config
 * @param {Pick<SourceOptions, 'target'>} options
 * @param {{cwd: string, records?: SourceRecord[]}} read
 * @returns {Promise<Target | undefined>} what the server is, where the command line does not say it
 */
export async function findServerOf({ source, folder }, { target }, { cwd, records }) {
  if (target !== undefined) return records && serverOf(records);
  return findServer({ cwd, folder: source === undefined ? cwd : folder, records });
}

/**
 * The one place that decides for which version advice is: as the command line says, else the server that is read, the configuration, the containers of the
 * project, or else the newest.
 * @param {Pick<SourceOptions, 'target' | 'engine'>} options
 * @param {Config} config
 * @param {Target} [server]
 * @returns {Target}
 * @throws {UserError} where it is no version, or one that is not known yet
 */
export function targetOf(options, config, server) {
  const named = nameTarget(options, config, server);
  const { version, source, file } = named;
  if (!isVersion(version)) {
    throw new UserError('bad-version', `invalid --target \`${version}\`: not a CouchDB version`, {
      hint: 'for example: --target 3.3',
    });
  }
  // A minor version may have come out since; of another major version nothing is known. What a server says of itself holds.
  const isOwn = source === 'server' || source === 'container';
  if (!isOwn && Number.parseInt(version, 10) > Number.parseInt(NEWEST_COUCHDB, 10)) {
    throw new UserError('bad-version', `unknown CouchDB version ${version}`, {
      place: source === 'configuration' ? config.origins['target'] : undefined,
      hint: `the newest version this release knows is ${NEWEST_COUCHDB}`,
    });
  }
  const engine = options.engine ?? server?.engine ?? config.target.engine;
  return { version, ...(engine ? { engine } : {}), source, ...(file === undefined ? {} : { file }) };
}

/**
 * @param {'from' | 'to'} name of an option
 * @param {string | undefined} version
 * @throws {UserError} where it is none
 */
export function checkVersion(name, version) {
  if (version === undefined || isVersion(version)) return;
  throw new UserError('bad-version', `invalid --${name} \`${version}\`: not a CouchDB version`, {
    hint: `for example: --${name} ${name === 'from' ? '2.3' : '3.5'}`,
  });
}

/** @param {Pick<SourceOptions, 'target'>} options @param {Config} config @param {Target} [server] @returns {Target} */
function nameTarget({ target }, config, server) {
  if (target !== undefined) return { version: target, source: 'option' };
  if (server?.source === 'server') return server;
  const configured = config.target.version;
  const file = config.origins['target']?.file;
  if (configured !== undefined) return { version: configured, source: 'configuration', ...(file ? { file } : {}) };
  return server ?? { version: NEWEST_COUCHDB, source: 'default' };
}

/**
 * @param {string} folder absolute
 * @param {string} file absolute
 * @returns {string} the way from one to the other, with forward slashes
 */
export function pathFrom(folder, file) {
  const relative = path.relative(folder, file).replaceAll(path.sep, '/');
  // A file that is called `-` is not standard input.
  return relative === '-' ? './-' : relative || '.';
}

/**
 * @param {Readable} stream
 * @returns {Promise<Buffer>}
 * @throws {UserError} where it cannot be read
 */
async function readStdin(stream) {
  try {
    return await readAll(stream, MAX_STRING_LENGTH);
  } catch (error) {
    throw new UserError('stdin-unreadable', `cannot read standard input (${reasonOf(error)})`, {
      hint: 'redirect a file or pipe the output of a command',
    });
  }
}
