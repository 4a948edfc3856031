// `npm run prepack [FOLDER]`: writes what the package has instead of `lib`, to `dist` by default: the program and the library in few files, with the
// rules in one and the checks of schemas as code, and the types of the library from the JSDoc of `lib`.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { rolldown } from 'rolldown';
import { minifySync } from 'rolldown/utils';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { readBundledRules } from '../../lib/engine/bundled-rules.js';
import { optionsOf, readSchema } from '../../lib/shared/schema/compile.js';
import { licensesOf, packageFolder } from '../helpers/licenses.js';
import { root } from '../helpers/run-cli.js';

/** @import { Plugin } from 'rolldown' */

const lib = path.join(root, 'lib');

/** What is started. CommonJS: Node.js loads it in less time than modules, and loads less of its own for it. */
const PROGRAM = {
  packed: 'cli/packed.js',
  library: 'index.js',
  'answer-thread': 'proof/evidence/answer-thread.js',
};
/** Packages that are a part of it: to find and load them takes as long as the program itself. d3 has no CommonJS,
 *  and the dialects of acorn must extend the very same acorn. */
const INCLUDED = /^(?:acorn|acorn-jsx|@sveltejs\/acorn-typescript|commander|diff|jsonc-parser|d3-[a-z]+|internmap)$/;

/** What is started by its address in a thread or process of its own, and waits at its top level: each is a file by its last name. */
const THREADS = [
  'digest/run/worker.js',
  'sandbox/thread.js',
  'sandbox/kept-thread.js',
  'measure/servers/embedded-process.js',
];

/** What is read as text, by its last name too. */
const TEXTS = ['measure/profile/run/v8-child.js', 'reports/html/browser'];

/** Schemas whose checks are code of the package, as lints and digests need them: Ajv takes 0.1 s to be loaded and to compile one. The others, of runs
 *  that take longer, are compiled when they are needed. @type {import('../../lib/shared/schema/compile.js').SchemaName[]} */
const CHECKS = ['config', 'digest', 'rule'];

/** Compiled code that is kept can import nothing (`lib/cli/compiled-scripts.js`). */
const IMPORT = 'await require("./import.cjs").load(';

/** Modules that do at each start what is done here once; one that is not there is an error. @type {Map<string, string>} */
const REPLACED = new Map(
  Object.entries({
    'engine/bundled-rules.js': `
import { readFileSync } from 'node:fs';
import path from 'node:path';
export const RULE_SOURCE = path.join(import.meta.dirname, 'rules.json');
let bundled;
export const readBundledRules = () => (bundled ??= JSON.parse(readFileSync(RULE_SOURCE, 'utf8')));`,
    'shared/schema/checks.js': `
import { createRequire } from 'node:module';
import { compileCheck } from './compile.js';
const require = createRequire(import.meta.url);
export const checkOf = (name) =>
  ${JSON.stringify(CHECKS)}.includes(name) ? require(\`./check-\${name}.cjs\`) : compileCheck(name);`,
  }).map(([name, code]) => [realpathSync(path.join(lib, name)), code]),
);

/** Folders of the packages that are a part of the program. @type {Set<string>} */
const included = new Set();

const target = path.resolve(process.argv[2] ?? path.join(root, 'dist'));
rmSync(target, { recursive: true, force: true });
await write(PROGRAM, 'cjs');
await write(Object.fromEntries(THREADS.map((name) => [path.basename(name, '.js'), name])), 'esm');
writeFileSync(path.join(target, 'import.cjs'), 'exports.load = (name) => import(name);\n');
writeFileSync(path.join(target, 'index.js'), await libraryAsModule());
// Under the name by which it is started: most of it is in files of the program.
writeFileSync(path.join(target, 'answer-thread.js'), "import './answer-thread.cjs';\n");
writeFileSync(path.join(target, 'LICENSES.txt'), `${licensesOf(included)}\n`);
writeFileSync(path.join(target, 'rules.json'), JSON.stringify(readBundledRules()));
for (const name of CHECKS) {
  // Parts that stand in several places are a function each, and lists are gone through: a quarter less code, the same answers.
  const small = { inlineRefs: false, loopRequired: 4, loopEnum: 4 };
  const ajv = new Ajv({ ...optionsOf(name), ...small, code: { source: true } });
  const file = `check-${name}.cjs`;
  // Generated, so nobody reads it: a quarter smaller.
  writeFileSync(path.join(target, file), minifySync(file, standalone.default(ajv, ajv.compile(readSchema(name)))).code);
}
for (const name of TEXTS) cpSync(path.join(lib, name), path.join(target, path.basename(name)), { recursive: true });
await writeTypes();
// What is in `dist` is not packed twice. A package that npm makes without scripts, as pre-commit does, has no `dist` and keeps `lib`.
if (process.argv[2] === undefined) {
  writeFileSync(path.join(lib, '.npmignore'), '*\n');
  writeFileSync(path.join(root, 'rules/.npmignore'), 'rule.json\n');
}

/**
 * Writes modules of `lib`, and all that they import, in few files.
 * @param {Record<string, string>} entries names below `lib`, by the names that they get
 * @param {'cjs' | 'esm'} format
 */
async function write(entries, format) {
  /** What each module imports, but for dynamic imports. @type {Map<string, readonly string[]>} */
  const imports = new Map();
  /** @type {Plugin} */
  const plugin = {
    name: 'replaced',
    load: (id) => REPLACED.get(id) ?? null,
    // Not before: Rolldown writes its code again after that.
    generateBundle: (_, files) => {
      if (format !== 'cjs') return;
      for (const file of Object.values(files)) {
        if (file.type !== 'chunk') continue;
        file.code = file.code.replaceAll('await import(', IMPORT);
        if (file.moduleIds.every((id) => packageFolder(id))) file.code = minifySync(file.fileName, file.code).code;
      }
    },
    moduleParsed: ({ id, importedIds }) => {
      imports.set(id, importedIds);
    },
  };
  const isReachedFrom = (/** @type {string[]} */ ...names) => {
    /** @type {Set<string> | undefined} */
    let reached;
    return (/** @type {string} */ id) => {
      reached ??= reachable(imports, names);
      return reached.has(id);
    };
  };
  const build = await rolldown({
    input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, path.join(lib, file)])),
    platform: 'node',
    // Of jsonc-parser, whose other form loads its parts as it runs.
    resolve: { mainFields: ['module', 'main'] },
    // Helpers of Rolldown, whose ids begin with a null character, are no package that is installed.
    external: (id) => !/^(?:[./\0]|\w:\\|@oxc-project\/)/.test(id) && !INCLUDED.test(id),
    plugins: [plugin],
    transform: { target: 'node20.12' },
    treeshake: { moduleSideEffects: false },
  });
  try {
    // Functions of the sandbox run inside QuickJS as text, and errors show lines of these files: only files of packages alone are minified.
    const { output } = await build.write({
      dir: target,
      format,
      entryFileNames: format === 'cjs' ? '[name].cjs' : '[name].js',
      chunkFileNames: format === 'cjs' ? '[name]-[hash].cjs' : '[name]-[hash].js',
      codeSplitting: {
        groups: [
          // What starts the program is loaded before there is a cache of compiled code, and all that a lint needs is one file.
          { name: 'start', priority: 1, test: isReachedFrom('cli/packed.js') },
          { name: 'lint', test: isReachedFrom('cli/main.js', 'cli/commands/lint/run.js') },
        ],
      },
      comments: { legal: true, jsdoc: false, annotation: false },
    });
    for (const { moduleIds } of output.filter((item) => item.type === 'chunk')) {
      for (const id of moduleIds) {
        const folder = packageFolder(id);
        if (folder) included.add(folder);
      }
    }
  } finally {
    await build.close();
  }
}

/** @returns {Promise<string>} the library as a module: the same code as the program, so that nothing is in the package twice */
async function libraryAsModule() {
  const names = Object.keys(await import('../../lib/index.js')).sort();
  return `import library from './library.cjs';\nexport const { ${names.join(', ')} } = library;\n`;
}

/**
 * @param {ReadonlyMap<string, readonly string[]>} imports
 * @param {string[]} from names below `lib`
 * @returns {Set<string>} these modules and all that they import, and what that imports
 */
function reachable(imports, from) {
  const reached = new Set(from.map((name) => path.join(lib, name)));
  for (const id of reached) for (const next of imports.get(id) ?? []) reached.add(next);
  return reached;
}

/** Writes the types of the library as one file. */
async function writeTypes() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-types-'));
  try {
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
    const settings = {
      extends: path.join(root, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        rootDir: lib,
        outDir: folder,
        typeRoots: [path.join(root, 'node_modules/@types')],
      },
      include: [path.join(lib, 'index.js'), path.join(lib, 'untyped-packages.d.ts')],
    };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(settings));
    execFileSync(process.execPath, [tsc, '-p', folder], { stdio: 'inherit' });
    const bundle = await rollup({
      input: path.join(folder, 'index.d.ts'),
      plugins: [dts()],
      external: [/^node:/, /^[@a-z]/],
    });
    await bundle.write({ file: path.join(target, 'index.d.ts'), format: 'es' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
