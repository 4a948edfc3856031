// Checks modules against the rules of ARCHITECTURE.md: reads its tables from Markdown and lists the offenses of a
// module.

import { parse } from 'acorn';
import { simple } from 'acorn-walk';

/** @import { CallExpression, Literal, MemberExpression, NewExpression, Node, Program } from 'acorn' */

/**
 * @typedef {object} Layer One row of the layer table.
 * @property {string} name a folder or file below lib, or `bin`; `*` stands for part of a name
 * @property {string[]} imports names of the layers it may import beside itself
 * @property {string[]} node modules of Node it may import, without `node:`; `*` for a module whose name is computed
 * @property {boolean} isPure whether it may neither look at a clock or the process nor use chance
 */

/** @typedef {{name: string, doors: string[]}} PackageDoor */
/** @typedef {{layers: Layer[], packages: PackageDoor[], ruleIds: Set<string>}} Rules */
/** @typedef {{path: string, text: string, program?: Program}} Module path relative to the root: `lib/facts/view/map.js`; `program`: the text, parsed */

/** Globals that tie a module to the machine or the moment it runs on. */
const IMPURE_GLOBALS = new Set([
  'process',
  'console',
  'fetch',
  'performance',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'crypto',
]);

/**
 * @param {string} markdown
 * @param {string} heading the heading the table stands under
 * @returns {string[][]} the cells of the first table there, its head left out
 */
export function readTable(markdown, heading) {
  const lines = markdown.split('\n');
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading);
  if (start === -1) throw new Error(`no heading ${heading}`);
  const first = lines.findIndex((line, index) => index > start && line.startsWith('|'));
  if (first === -1) throw new Error(`no table under ${heading}`);
  const end = lines.findIndex((line, index) => index > first && !line.startsWith('|'));
  const rows = lines.slice(first + 2, end === -1 ? undefined : end);
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/**
 * @param {string} cell
 * @returns {string[]} what stands in it in backticks
 */
function names(cell) {
  return [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
}

/**
 * @param {string} markdown text of ARCHITECTURE.md
 * @returns {Pick<Rules, 'layers' | 'packages'>}
 */
export function readRules(markdown) {
  const layers = readTable(markdown, 'Layers').map(([name = '', imports = '', node = '', pure = '']) => ({
    name: names(name)[0] ?? '',
    imports: names(imports),
    node: names(node),
    isPure: pure === 'yes',
  }));
  const packages = readTable(markdown, 'Doors of packages').map(([name = '', doors = '']) => ({
    name: names(name)[0] ?? '',
    doors: names(doors),
  }));
  return { layers, packages };
}

/**
 * @param {string} name of a layer or door
 * @param {string} path below lib, or in bin
 * @returns {boolean} whether the file is it or lies in it
 */
export function covers(name, path) {
  if (!name.includes('*')) return path === name || path.startsWith(`${name}/`);
  const parts = name.split('*').map((part) => part.replace(/[.\\+?^$()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]*')}$`).test(path);
}

/**
 * @param {Layer[]} layers
 * @param {string} path below lib, or in bin
 * @returns {Layer | undefined} the layer with the longest name that covers the file
 */
export function layerOf(layers, path) {
  return layers
    .filter(({ name }) => covers(name, path))
    .sort((first, second) => second.name.length - first.name.length)[0];
}

/**
 * Everything in one module that the tables do not allow.
 * @param {Module} module
 * @param {Rules} rules
 * @returns {string[]} one line each
 */
export function findOffences(module, { layers, packages, ruleIds }) {
  const { path } = module;
  const own = inTree(path);
  const layer = layerOf(layers, own);
  if (!layer) return [`${path}: belongs to no layer`];
  const program = programOf(module);
  const imports = collectImports(program);
  /** @type {string[]} */
  const offences = [];
  for (const target of imports) {
    if (target === '') {
      if (!layer.node.includes('*')) offences.push('imports a module whose name is computed');
    } else if (target.startsWith('.')) {
      const wanted = inTree(resolve(path, target));
      const other = layerOf(layers, wanted);
      const isAllowed = other === layer || layer.imports.some((name) => covers(name, wanted));
      if (!isAllowed) offences.push(`imports ${wanted}, which ${layer.name} may not`);
    } else if (target.startsWith('node:')) {
      if (!layer.node.includes(target.slice('node:'.length))) {
        offences.push(`imports ${target}, which ${layer.name} may not`);
      }
    } else {
      const name = target
        .split('/')
        .slice(0, target.startsWith('@') ? 2 : 1)
        .join('/');
      const door = packages.find((candidate) => candidate.name === name);
      if (!door) offences.push(`imports ${name}, which is no package in the table or lacks node:`);
      else if (!door.doors.some((place) => covers(place, own))) {
        offences.push(`imports ${name}, whose door is ${door.doors.join(', ')}`);
      }
    }
  }
  offences.push(...findForbiddenCode(program, layer, ruleIds));
  return offences.map((offence) => `${path}: ${offence}`);
}

/**
 * @param {Omit<Module, 'path'>} module
 * @returns {Program}
 */
export function programOf({ text, program }) {
  return program ?? parse(text, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true });
}

/**
 * @param {Omit<Module, 'path'>} module
 * @param {RegExp} from modules that are meant
 * @returns {string[]} names of what it imports from them; `*` where that is all of one
 */
export function importsOf(module, from) {
  const program = programOf(module);
  const declared = program.body.flatMap((node) => {
    if (node.type !== 'ImportDeclaration' || !from.test(String(node.source.value))) return [];
    return node.specifiers.map((specifier) => {
      if (specifier.type !== 'ImportSpecifier') return specifier.type === 'ImportDefaultSpecifier' ? 'default' : '*';
      return specifier.imported.type === 'Identifier' ? specifier.imported.name : String(specifier.imported.value);
    });
  });
  const isWhole = collectImports(program).filter((source) => from.test(source)).length > countDeclared(program, from);
  return isWhole ? [...declared, '*'] : declared;
}

/** @param {Program} program @param {RegExp} from @returns {number} of import declarations */
function countDeclared({ body }, from) {
  return body.filter((node) => node.type === 'ImportDeclaration' && from.test(String(node.source.value))).length;
}

/**
 * @param {Program} program
 * @returns {string[]} what it imports in whatever way; empty where it is computed
 */
function collectImports(program) {
  /** @type {string[]} */
  const imports = [];
  /** @param {Node | null | undefined} source */
  const add = (source) => {
    if (!source) return;
    const { type, value } = /** @type {Literal} */ (source);
    imports.push(type === 'Literal' && typeof value === 'string' ? value : '');
  };
  simple(program, {
    ImportDeclaration: (node) => add(node.source),
    ExportNamedDeclaration: (node) => add(node.source),
    ExportAllDeclaration: (node) => add(node.source),
    ImportExpression: (node) => add(node.source),
    // `require` made by `createRequire` is an import by another name.
    CallExpression: ({ callee, arguments: [source] }) => {
      const maker = callee.type === 'CallExpression' ? callee.callee : callee;
      const isRequire = maker.type === 'Identifier' && maker.name === (maker === callee ? 'require' : 'createRequire');
      if (isRequire) add(source);
    },
  });
  return imports;
}

/**
 * @param {Program} program
 * @param {Layer} layer
 * @param {Set<string>} ruleIds
 * @returns {string[]}
 */
function findForbiddenCode(program, layer, ruleIds) {
  /** @type {string[]} */
  const offences = [];
  /** @param {CallExpression | NewExpression} node */
  const checkCall = (node) => {
    const name = node.callee.type === 'Identifier' ? node.callee.name : '';
    if (name === 'eval' || name === 'Function') offences.push(`makes code out of text with ${name}`);
    if (layer.isPure && name === 'Date' && node.arguments.length === 0) offences.push('looks at the clock with Date()');
  };
  /** @param {MemberExpression} node */
  const checkMember = (node) => {
    if (!layer.isPure || node.object.type !== 'Identifier' || node.property.type !== 'Identifier') return;
    const name = `${node.object.name}.${node.property.name}`;
    if (name === 'Date.now') offences.push('looks at the clock with Date.now');
    if (name === 'Math.random') offences.push('uses chance with Math.random');
  };
  /** @param {unknown} value */
  const checkText = (value) => {
    if (typeof value === 'string' && ruleIds.has(value.split('#')[0] ?? '')) offences.push(`names the rule ${value}`);
  };
  simple(program, {
    CallExpression: checkCall,
    NewExpression: checkCall,
    MemberExpression: checkMember,
    Identifier: ({ name }) => {
      if (layer.isPure && IMPURE_GLOBALS.has(name)) offences.push(`uses ${name}`);
    },
    Literal: ({ value }) => checkText(value),
    TemplateElement: ({ value }) => checkText(value.cooked),
  });
  return offences;
}

/**
 * @param {Module[]} modules
 * @returns {string[]} for each module that imports itself through others, by `import()` too, the shortest way back to it
 */
export function findCircles(modules) {
  const imports = new Map(
    modules.map((module) => {
      const { path } = module;
      const own = collectImports(programOf(module)).filter((target) => target.startsWith('.'));
      return [path, own.map((target) => resolve(path, target))];
    }),
  );
  return modules.flatMap(({ path }) => {
    /** By module how it was reached. @type {Map<string, string>} */
    const ways = new Map([['', path]]);
    for (const [module, way] of ways) {
      for (const next of imports.get(module || path) ?? []) {
        if (next === path) return [`${way} -> ${path}`];
        if (!ways.has(next)) ways.set(next, `${way} -> ${next}`);
      }
    }
    return [];
  });
}

/**
 * @param {string} from path of the importing module
 * @param {string} target what it imports
 * @returns {string} path relative to the root
 */
function resolve(from, target) {
  return new URL(target, `file:///${from}`).pathname.slice(1);
}

/**
 * @param {string} path relative to the root
 * @returns {string} path as the tables write it
 */
function inTree(path) {
  return path.replace(/^lib\//, '');
}
