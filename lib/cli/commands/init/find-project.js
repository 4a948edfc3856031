// Finds what a project has: which tools it uses, and where its design documents, queries, logs and loads are. Reads, and
// writes nothing.

import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { findServer } from '../../../engine/run/target.js';
import { readHead } from '../../../files/open-file.js';
import { attempt } from '../../../shared/attempt.js';
import { parseJson } from '../../../shared/parse-json.js';
import { findLogs } from '../../../sources/logs/find-logs.js';
import { openSources } from '../../../sources/open.js';
import { CONFIG_FILES, PACKAGE_KEY } from '../../find-config.js';
import { readIfThere } from '../../read-if-there.js';

/**
 * @typedef {object} Project
 * @property {string[]} paths folders and files at the top that hold what is judged
 * @property {number} designDocs
 * @property {number} calls of CouchDB clients in its code
 * @property {string[]} logs globs
 * @property {string[]} loads globs
 * @property {string | undefined} version of CouchDB, where a container file names it
 * @property {boolean} hasConfig
 * @property {boolean} isInstalled whether couch-advisor is among its packages
 * @property {boolean} isLinked whether it is there as a link to a folder outside, which a clone does not have
 * @property {boolean} isGit whether this is the root of a checkout
 * @property {'github' | 'gitlab' | undefined} forge
 * @property {boolean} hasWorkflow whether a pipeline speaks of couch-advisor
 * @property {'pre-commit' | 'husky' | 'lint-staged' | 'git' | undefined} hooks what runs hooks here
 * @property {boolean} hasHook whether a hook speaks of couch-advisor
 * @property {(file: string) => boolean} has
 */

const SPEAKS = /couch-advisor (?:lint|ci)|id: couch-advisor/;
const LINT_STAGED_FILES = ['.lintstagedrc', '.lintstagedrc.json', 'lint-staged.config.js'];
const LOG_GLOBS = ['*.log', 'log/**/*.log', 'logs/**/*.log'];
/** A folder that is not in the project (docs.npmjs.com, package.json, local paths). */
const OUTSIDE = /^(?:(?:file|link):)?(?:\.\.?\/)*(?:\.\.|\/|~\/|[A-Za-z]:[\\/])/;
const LOAD_FILE = /\.(?:jsonl|ndjson)$/;
/** More places than these are better found again in each run. */
const MAX_PATHS = 6;
/** The first line of a load is looked at in so many bytes of it. */
const HEAD_BYTES = 100_000;

/**
 * @param {string} cwd absolute
 * @returns {Promise<Project>}
 */
export async function findProject(cwd) {
  const has = (/** @type {string} */ file) => existsSync(path.join(cwd, file));
  const read = (/** @type {string} */ file) => readIfThere(path.join(cwd, file)) ?? '';
  const { used, counts, records } = await openSources({ paths: [], cwd });
  const tops = [...new Set(used.map((file) => file.split('/')[0] ?? ''))].filter((name) => name !== '');
  const manifest = readManifest(read('package.json'));
  const hooks = hooksOf(has, manifest);
  const pipelines = ['.gitlab-ci.yml', ...namesIn(cwd, '.github/workflows').map((name) => `.github/workflows/${name}`)];
  const hookFiles = ['.pre-commit-config.yaml', '.husky/pre-commit', '.git/hooks/pre-commit', ...LINT_STAGED_FILES];
  const speaks = (/** @type {string} */ file) => SPEAKS.test(read(file));
  return {
    paths: tops.length <= MAX_PATHS ? tops.sort() : [],
    designDocs: counts.designDocs,
    calls: counts.calls ?? 0,
    logs: await findLogGlobs(cwd),
    loads: findLoads(cwd),
    version: (await findServer({ cwd, folder: cwd, records }))?.version,
    hasConfig: CONFIG_FILES.some(has) || manifest?.[PACKAGE_KEY] !== undefined,
    isInstalled: specOf(manifest) !== undefined,
    isLinked: OUTSIDE.test(specOf(manifest) ?? ''),
    isGit: has('.git'),
    forge: forgeOf(has, read('.git/config')),
    hasWorkflow: pipelines.some(speaks) || has('couch-advisor.gitlab-ci.yml'),
    hooks,
    // Its `scripts` are started by hand, whatever they run.
    hasHook: hookFiles.some(speaks) || SPEAKS.test(JSON.stringify([manifest?.['lint-staged'], manifest?.['husky']])),
    has,
  };
}

/** @typedef {Record<string, Record<string, unknown> | undefined>} Manifest */

/** @param {string} text @returns {Manifest | undefined} undefined where it is no JSON object */
function readManifest(text) {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null ? /** @type {Manifest} */ (value) : undefined;
}

/** @param {Manifest | undefined} manifest @returns {string | undefined} where it is installed from, as package.json has it */
function specOf(manifest) {
  const spec = manifest?.['dependencies']?.[PACKAGE_KEY] ?? manifest?.['devDependencies']?.[PACKAGE_KEY];
  return spec === undefined ? undefined : String(spec);
}

/**
 * @param {Project['has']} has
 * @param {Manifest | undefined} manifest
 * @returns {Project['hooks']}
 */
function hooksOf(has, manifest) {
  if (has('.pre-commit-config.yaml')) return 'pre-commit';
  const isLintStaged = manifest?.['lint-staged'] !== undefined || LINT_STAGED_FILES.some(has);
  if (isLintStaged) return 'lint-staged';
  if (has('.husky') || manifest?.['devDependencies']?.['husky'] !== undefined) return 'husky';
  return has('.git/hooks') || has('.git/HEAD') ? 'git' : undefined;
}

/** @param {Project['has']} has @param {string} gitConfig @returns {Project['forge']} */
function forgeOf(has, gitConfig) {
  if (has('.gitlab-ci.yml')) return 'gitlab';
  if (has('.github')) return 'github';
  if (/^\s*url = .*\bgithub\.com\b/m.test(gitConfig)) return 'github';
  return /^\s*url = .*\bgitlab\b/m.test(gitConfig) ? 'gitlab' : undefined;
}

/** @param {string} cwd @returns {Promise<string[]>} one glob a folder with logs of a known format */
async function findLogGlobs(cwd) {
  const { files } = await findLogs(LOG_GLOBS, cwd);
  const folders = files.filter(({ format }) => format !== undefined).map((file) => path.posix.dirname(file.path));
  return [...new Set(folders)].sort().map((folder) => path.posix.join(folder, '*.log'));
}

/** @param {string} cwd @returns {string[]} files of documents at the top and one folder below */
function findLoads(cwd) {
  const folders = ['.', ...namesIn(cwd, '.').filter((name) => !name.startsWith('.') && name !== 'node_modules')];
  const files = folders.flatMap((folder) => namesIn(cwd, folder).map((name) => path.posix.join(folder, name)));
  return files.filter((file) => LOAD_FILE.test(file) && holdsDocuments(path.join(cwd, file)));
}

/** @param {string} file @returns {boolean} whether its first line is a document that is no design document */
function holdsDocuments(file) {
  try {
    const [line = ''] = readHead(file, HEAD_BYTES).toString('utf8').split('\n');
    const id = JSON.parse(line)?._id;
    return typeof id === 'string' && !id.startsWith('_design/');
  } catch {
    return false;
  }
}

/** @param {string} cwd @param {string} folder @returns {string[]} none where there is no such folder */
function namesIn(cwd, folder) {
  return attempt(() => readdirSync(path.join(cwd, folder)).sort(), []);
}
