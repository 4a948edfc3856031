// `npm run playground [FILE]`: writes the playground as one page, to docs/playground/index.html by default.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { BUNDLED_RULES, ruleFiles } from '../../lib/engine/rule-files.js';
import { licensesOf, packageFolder } from '../helpers/licenses.js';
import { root } from '../helpers/run-cli.js';

/** @import { Plugin } from 'rolldown' */

const require = createRequire(import.meta.url);
const folder = path.join(root, 'docs/playground');
const shop = path.join(root, 'fixtures/projects/shop');

/** Where the page believes that the package is. */
const INSTALLED = '/couch-advisor';
/** The package `buffer`, and not the module of Node.js. */
const BUFFER = require.resolve('buffer/');

/** Modules that have another one in the page. */
const REPLACED = new Map([
  ['buffer', BUFFER],
  ['node:path', fileURLToPath(import.meta.resolve('pathe'))],
  ['./thread-clock.js', path.join(folder, 'thread-clock.js')],
  ['./compiled-engine.js', path.join(folder, 'compiled-engine.js')],
  ['../proof/evidence/answer-threads.js', path.join(folder, 'answer-threads.js')],
  ['@jitl/quickjs-wasmfile-release-sync', path.join(folder, 'quickjs.js')],
]);
/** For globs, rules of users, servers and proofs on a disk, of which the page has none. */
const UNUSED = new Set(['ajv', 'picomatch', 'tinyglobby', './run/read-server.js', './proof-cache.js']);

/** Texts that the page begins with. */
const EXAMPLES = [
  { title: 'Views and reduces', document: 'design-docs/app.json' },
  { title: 'Views and reduces with a log', document: 'design-docs/app.json', log: 'logs/couch.log' },
  { title: 'Validation function', document: 'design-docs/guard.json' },
  { title: 'Configuration', document: 'couchdb/local.ini' },
];

/** Folders of the packages in the page. @type {Set<string>} */
const packages = new Set();

const wasm = readFileSync(require.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')).toString('base64');
// Functions of the sandbox reach QuickJS as text, and what they do there is counted: they are left as they are.
const thread = await bundle('lib/sandbox/thread.js', {
  node: path.join(folder, 'parent-port.js'),
  made: { wasm },
  minify: false,
});
const script = await bundle('docs/playground/playground.js', {
  node: path.join(folder, 'node.js'),
  made: { files: filesOfPage(), examples: readExamples(), thread: asClassicScript(thread) },
  minify: true,
});
const file = path.resolve(process.argv[2] ?? path.join(folder, 'index.html'));
writeFileSync(file, makePage(script));
console.log(`wrote ${path.relative(process.cwd(), file)}`);

/**
 * @param {string} input relative to the root
 * @param {object} options
 * @param {string} options.node module that replaces those of Node.js
 * @param {Record<string, unknown>} options.made what `playground:…` modules export, by the rest of their names
 * @param {boolean} options.minify
 * @returns {Promise<string>} one module that imports nothing
 */
async function bundle(input, { node, made, minify }) {
  /** @type {Plugin} */
  const plugin = {
    name: 'playground',
    resolveId(source) {
      if (source.startsWith('playground:')) return `\0${source}`;
      if (UNUSED.has(source)) return '\0unused';
      const replaced = REPLACED.get(source) ?? (source.startsWith('node:') ? node : undefined);
      return replaced ?? null;
    },
    load(id) {
      if (id === '\0unused') return 'export {};';
      if (!id.startsWith('\0playground:')) return null;
      return `export default ${JSON.stringify(made[id.slice('\0playground:'.length)])};`;
    },
    transform(code, id) {
      if (!code.includes('import.meta.')) return null;
      const installed = path.posix.join(INSTALLED, path.relative(root, id));
      return code
        .replaceAll('import.meta.url', () => JSON.stringify(`file://${installed}`))
        .replaceAll('import.meta.dirname', () => JSON.stringify(path.posix.dirname(installed)));
    },
  };
  const build = await rolldown({
    input: path.join(root, input),
    platform: 'browser',
    // What the page never calls is undefined in it.
    checks: { shimmedExport: false },
    shimMissingExports: true,
    plugins: [plugin],
    transform: { inject: { Buffer: [BUFFER, 'Buffer'] } },
    treeshake: { moduleSideEffects: false },
  });
  try {
    const { output } = await build.generate({ format: 'esm', codeSplitting: false, minify, comments: false });
    const [chunk, ...others] = output;
    if (others.length > 0 || chunk.imports.length > 0) throw new Error(`${input} is not one module`);
    for (const id of chunk.moduleIds) {
      const found = packageFolder(id);
      if (found) packages.add(found);
    }
    return chunk.code;
  } finally {
    await build.close();
  }
}

/** @returns {Record<string, string>} texts by the path that the page finds them at */
function filesOfPage() {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const rules = ruleFiles(BUNDLED_RULES).map(({ id, file: rule }) => [
    `${INSTALLED}/rules/${id}/rule.json`,
    JSON.stringify(JSON.parse(readFileSync(rule, 'utf8'))),
  ]);
  return { [`${INSTALLED}/package.json`]: JSON.stringify({ version }), ...Object.fromEntries(rules) };
}

/** @returns {{title: string, document: string, log: string}[]} */
function readExamples() {
  const read = (/** @type {string} */ name) => readFileSync(path.join(shop, name), 'utf8');
  return EXAMPLES.map(({ title, document, log }) => ({
    title,
    document: read(document),
    log: log === undefined ? '' : read(log),
  }));
}

/**
 * @param {string} module that exports nothing
 * @returns {string} for workers, whose modules may not come from a blob in every browser
 */
function asClassicScript(module) {
  return `'use strict';(async()=>{${module}\n})().catch((error)=>setTimeout(()=>{throw error}));`;
}

/**
 * @param {string} code
 * @returns {string} the page
 */
function makePage(code) {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const css = ['lib/reports/html/browser/page.css', 'docs/playground/playground.css'];
  const style = css.map((name) => readFileSync(path.join(root, name), 'utf8')).join('\n');
  // In strings, templates and regular expressions these mean the same, and HTML leaves them as they are.
  const inline = code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--').replaceAll('\0', '\\x00');
  if (inline.includes('\r')) throw new Error('the script has a line end that HTML changes');
  /** @type {Record<string, string>} */
  const parts = { policy: policyOf(inline, style), style, script: inline, version, licenses: readLicenses() };
  const template = readFileSync(path.join(folder, 'page.html'), 'utf8');
  return template.replaceAll(/\{(\w+)\}|\/\*(\w+)\*\//g, (whole, name, asset) => parts[name ?? asset] ?? whole);
}

/**
 * @param {string} code
 * @param {string} style
 * @returns {string} lets the script of the page run with its WebAssembly and its threads, and lets nothing be loaded or sent
 */
function policyOf(code, style) {
  const hash = (/** @type {string} */ text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return [
    "default-src 'none'",
    `script-src ${hash(code)} 'wasm-unsafe-eval'`,
    `style-src ${hash(style)}`,
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** @returns {string} names and licenses of the packages in the page, as text of HTML */
function readLicenses() {
  return licensesOf(packages).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
