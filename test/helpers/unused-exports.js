// Finds exports that only tests use, as `file: name`.

import { ancestor, full } from 'acorn-walk';
import { programOf } from './layers.js';

/** @import { Identifier, ImportExpression, MemberExpression, Node, Pattern, Program, Property, VariableDeclarator } from 'acorn' */
/** @import { Module } from './layers.js' */

/** @typedef {{name: string, start: number, end: number}} Export with the offsets of its declaration */

/** @typedef {Module & {program: Program}} Parsed */

/** The whole module is used: what is imported from it cannot be seen. */
const ALL = '*';

/**
 * @param {Module[]} modules of the program
 * @param {Module[]} tests
 * @param {ReadonlySet<string>} entries paths of modules whose exports are the program's interface
 * @returns {string[]} exports that no other module of the program imports, unless their own module uses them and a test imports them
 */
export function findUnusedExports(modules, tests, entries) {
  const parsed = modules.map(parseModule);
  const byProgram = importedNames(parsed);
  const byTests = importedNames(tests.map(parseModule));
  return parsed
    .filter(({ path }) => path.startsWith('lib/') && !entries.has(path))
    .flatMap(({ path, program }) => {
      const isIn = (/** @type {Map<string, Set<string>>} */ all, /** @type {string} */ name) =>
        all.get(path)?.has(name) || all.get(path)?.has(ALL);
      return exportsOf(program)
        .filter((one) => !isIn(byProgram, one.name))
        .filter((one) => !isIn(byTests, one.name) || !isUsedInside(program, one))
        .map(({ name }) => `${path}: ${name}`);
    });
}

/** @param {Module} module @returns {Parsed} */
function parseModule(module) {
  return { ...module, program: programOf(module) };
}

/** @param {Program} program @returns {Export[]} */
function exportsOf({ body }) {
  /** @type {Export[]} */
  const found = [];
  for (const node of body) {
    const { start, end } = node;
    if (node.type === 'ExportDefaultDeclaration') found.push({ name: 'default', start, end });
    if (node.type !== 'ExportNamedDeclaration') continue;
    const { declaration, specifiers } = node;
    for (const { exported } of specifiers) found.push({ name: nameOf(exported), start, end });
    if (declaration?.type === 'VariableDeclaration') {
      for (const { id } of declaration.declarations) for (const name of namesIn(id)) found.push({ name, start, end });
    } else if (declaration) found.push({ name: declaration.id.name, start, end });
  }
  return found;
}

/** Identifiers by the program that they stand in. @type {WeakMap<Program, Identifier[]>} */
const identifiers = new WeakMap();

/** @param {Program} program @param {Export} one @returns {boolean} whether the module itself uses it outside its declaration */
function isUsedInside(program, { name, start, end }) {
  const own = identifiers.get(program) ?? [];
  if (!identifiers.has(program)) {
    full(program, (node) => {
      if (node.type === 'Identifier') own.push(/** @type {Identifier} */ (node));
    });
    identifiers.set(program, own);
  }
  return own.some((node) => node.name === name && (node.start < start || node.end > end));
}

/**
 * @param {Parsed[]} modules
 * @returns {Map<string, Set<string>>} by the path of a module what is imported from it, by code or as a type
 */
function importedNames(modules) {
  /** @type {Map<string, Set<string>>} */
  const all = new Map();
  for (const { path: from, text, program } of modules) {
    const add = (/** @type {unknown} */ target, /** @type {string[]} */ names) => {
      if (typeof target !== 'string' || !target.startsWith('.')) return;
      const path = new URL(target, `file:///${from}`).pathname.slice(1);
      const known = all.get(path) ?? new Set();
      for (const name of names) known.add(name);
      all.set(path, known);
    };
    ancestor(program, {
      ImportDeclaration: ({ source, specifiers }) =>
        add(
          source.value,
          specifiers.map((one) =>
            one.type === 'ImportSpecifier'
              ? nameOf(one.imported)
              : one.type === 'ImportDefaultSpecifier'
                ? 'default'
                : ALL,
          ),
        ),
      ExportNamedDeclaration: ({ source, specifiers }) =>
        add(
          source?.value,
          specifiers.map(({ local }) => nameOf(local)),
        ),
      ExportAllDeclaration: ({ source }) => add(source.value, [ALL]),
      ImportExpression: (node, _, trail) => {
        const { source } = /** @type {ImportExpression} */ (node);
        if (source.type === 'Literal') add(source.value, namesOfDynamic(trail.slice(0, -1).reverse()));
      },
    });
    for (const [, names = '', target] of text.matchAll(/@import \{([^}]*)\} from '([^']+)'/g))
      add(
        target,
        names.split(',').map((name) => name.trim().split(' ')[0] ?? ''),
      );
    for (const [, target, name = ''] of text.matchAll(/import\('([^']+)'\)\.(\w+)/g)) add(target, [name]);
  }
  return all;
}

/**
 * @param {Node[]} around what the `import()` stands in, from the inside
 * @returns {string[]} what is taken of it: `(await import(x)).run`, `const { run } = await import(x)`, `import(x).then(({ run }) => …)`
 */
function namesOfDynamic([parent, next]) {
  if (parent?.type === 'AwaitExpression' && next?.type === 'MemberExpression') {
    const { property, computed } = /** @type {MemberExpression} */ (next);
    if (!computed) return [/** @type {Identifier} */ (property).name];
  }
  if (parent?.type === 'AwaitExpression' && next?.type === 'VariableDeclarator')
    return keysIn(/** @type {VariableDeclarator} */ (next).id);
  if (parent?.type === 'MemberExpression' && next?.type === 'CallExpression') {
    const [taker] = /** @type {import('acorn').CallExpression} */ (next).arguments;
    const parameter = taker?.type === 'ArrowFunctionExpression' ? taker.params[0] : undefined;
    if (parameter) return keysIn(parameter);
  }
  return [ALL];
}

/** @param {Pattern} pattern @returns {string[]} the members that it takes out of an object */
function keysIn(pattern) {
  if (pattern.type !== 'ObjectPattern' || pattern.properties.some(({ type }) => type === 'RestElement')) return [ALL];
  return pattern.properties.map((one) => nameOf(/** @type {any} */ (/** @type {Property} */ (one).key)));
}

/** @param {Pattern} pattern @returns {string[]} the names that it declares */
function namesIn(pattern) {
  if (pattern.type === 'Identifier') return [pattern.name];
  if (pattern.type === 'ObjectPattern')
    return pattern.properties.flatMap((one) => namesIn(one.type === 'RestElement' ? one.argument : one.value));
  return [];
}

/** @param {{type: string, name?: string, value?: unknown}} node @returns {string} */
function nameOf({ name, value }) {
  return name ?? String(value);
}
