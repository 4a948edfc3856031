// Facts about each JavaScript function of a design document: how it parses, what it needs, what it does besides its
// result.

import { effectsOf, namesOf, parsed, unparsed } from '../../javascript/analyse.js';
import { handledTry } from '../../javascript/caught.js';
import { copyableArray } from '../../javascript/effects.js';
import { listAnswers } from '../../javascript/engine-answers.js';
import { findLegacy } from '../../javascript/legacy.js';
import { typeofNames } from '../../javascript/names.js';
import { bare, withoutParens } from '../../javascript/parse.js';
import { factsOf } from '../fact.js';
import { isKnownName, pastedNames, sharedGlobals } from '../javascript/known-names.js';
import { canRequire, listRequires } from '../javascript/requires.js';
import { follow } from './flow.js';
import { functionNeedFacts, possibleEngines } from './needs.js';

/** @import { AnyNode } from 'acorn' */
/** @import { ParsedFunction } from '../../javascript/parse.js' */
/** @import { Names, Reference } from '../../javascript/names.js' */
/** @import { About, DeclareFact, Extracted, FactDeclaration, FunctionSubject, Item } from '../fact.js' */

/** @typedef {{node: AnyNode, value?: string, detail?: Item['detail']}} Taken */

/** What functions are called with, by what they are for: the names that `followFlow` takes. */
const PARAMETERS = new Map([
  ['map', ['doc']],
  ['search', ['doc']],
  ['reduce', ['keys', 'values', 'rereduce']],
  ['validate', ['doc', 'oldDoc', 'userCtx', 'secObj']],
]);

/** A name that a program may replace by a value when it makes text of the function. */
const PLACEHOLDER = /^_*[A-Z][A-Z0-9_]*$/;

const COMPILED = 'a compiler writes the function that CouchDB gets';

/** Unknown for a text that does not parse. @type {DeclareFact<FunctionSubject, (tree: ParsedFunction, subject: FunctionSubject) => Extracted>} */
const functionFact = factsOf({ subject: 'function', sources: ['design-docs'] }, (extract) => (subject) => {
  const tree = parsed(subject);
  return tree.ok ? extract(tree, subject) : unparsed(tree);
});

/**
 * @param {string} id
 * @param {About<(names: Names, tree: ParsedFunction, subject: FunctionSubject) => Taken[] | string>} about
 *   extracts the items; the source of the node where there is no value; or the reason why they are unknown
 * @returns {FactDeclaration<FunctionSubject>}
 */
function listFact(id, { extract, ...about }) {
  return functionFact(id, 'list', {
    ...about,
    extract: (tree, subject) => {
      const names = namesOf(tree);
      // `with (doc) { total = 1 }`: any name may be a member of something else.
      if (names.nodes.some(({ type }) => type === 'WithStatement'))
        return { unknown: 'the function uses `with`, so its names cannot be resolved' };
      const taken = extract(names, tree, subject);
      if (typeof taken === 'string') return { unknown: taken };
      return {
        value: taken.map(({ node, value, detail }) => {
          const item = toItem(subject.text, node, value);
          return detail ? { ...item, detail } : item;
        }),
      };
    },
  });
}

/**
 * @param {string} id
 * @param {'localTime' | 'localDates' | 'mutations' | 'ignoredMutations'} kind
 * @param {Pick<FactDeclaration, 'meaning' | 'phrases'>} about
 * @returns {FactDeclaration<FunctionSubject>}
 */
function effectFact(id, kind, about) {
  return listFact(id, {
    ...about,
    extract: (names, tree) => {
      const isMutation = kind === 'mutations';
      return effectsOf(tree)[kind].map((node) => ({
        node,
        detail: isMutation ? copyableArray(node, names, tree.text) : undefined,
      }));
    },
  });
}

/**
 * @param {FunctionSubject['text']} text
 * @param {Pick<AnyNode, 'start' | 'end'>} node
 * @param {string} [value]
 * @returns {Item}
 */
function toItem(text, { start, end }, value = text.text.slice(start, end)) {
  return { value: value.replace(/\s+/g, ' '), place: text.place(start, end), start, end };
}

/** @type {DeclareFact<FunctionSubject>} */
const ownFunctionFact = factsOf({ subject: 'function', sources: ['design-docs'], basis: 'declared' });

/** @type {FactDeclaration<FunctionSubject>[]} */
export const functionFacts = [
  ownFunctionFact('function.role', 'text', {
    meaning:
      'What the function is for: `map`, `reduce`, `filter`, `validate`, `update`, `show`, `list`, `rewrite`, `search` or `library` (a module).',
    phrases: {
      library: 'this is a CommonJS module',
      validate: 'this is a validation function',
      rewrite: 'this is a rewrite function',
      search: 'this is a search index function',
      update: 'this is an update function',
      '*': 'this is a {value} function',
    },
    extract: ({ role }) => ({ value: role }),
  }),
  ownFunctionFact('function.parses', 'boolean', {
    meaning: 'Whether the text parses as JavaScript; unknown if it uses syntax that only SpiderMonkey 1.8.5 accepts.',
    phrases: ['the function parses', 'the syntax error is here'],
    extract: (subject) => {
      const tree = parsed(subject);
      if (tree.ok) return { value: true, place: subject.place };
      const place = subject.text.place(tree.offset, tree.offset + 1) ?? subject.place;
      // A method stays one or becomes a function.
      if (subject.inlinable) return { unknown: COMPILED, place };
      if (tree.limit !== undefined) return { unknown: tree.limit, place };
      const legacy = findLegacy(tree.text, tree.offset);
      return legacy
        ? { unknown: `${legacy.name}, which only SpiderMonkey 1.8.5 accepts, is not analyzed`, place }
        : { value: false, place };
    },
  }),
  ownFunctionFact('function.isFunction', 'boolean', {
    meaning: 'Whether the text is a function, named or anonymous.',
    phrases: ['this is a function', 'this is not a function'],
    extract: (subject) => {
      if (subject.isModule) return { unknown: 'it is a module, not a function' };
      const tree = parsed(subject);
      if (!tree.ok) return unparsed(tree);
      if (!tree.fn && mayGiveFunction(tree.roots)) return { unknown: 'the value of the text is computed' };
      return { value: tree.fn !== undefined, place: subject.place };
    },
  }),
  listFact('function.emitCalls', {
    meaning: "Calls of the query server's `emit`.",
    extract: ({ nodes, byNode }) =>
      nodes.flatMap((node) => {
        const callee = node.type === 'CallExpression' && bare(node.callee);
        const isEmit = callee && callee.type === 'Identifier' && callee.name === 'emit' && !byNode.get(callee)?.binding;
        return isEmit ? [{ node }] : [];
      }),
  }),
  effectFact('function.localTime', 'localTime', {
    meaning: 'Calls of local date methods, whose result depends on the time zone of the server.',
  }),
  effectFact('function.localDates', 'localDates', {
    meaning:
      'Dates that are made of local parts (`new Date(year, month, day)`) or of a string without a time zone, and read in universal time.',
  }),
  effectFact('function.mutations', 'mutations', {
    meaning: 'Changes to the document (the first parameter) that throw when it is frozen.',
  }),
  effectFact('function.ignoredMutations', 'ignoredMutations', {
    meaning: 'Assignments to members of the document (the first parameter) that have no effect when it is frozen.',
  }),
  listFact('function.unknownNames', {
    meaning:
      'Names that the function reads and that neither it, JavaScript nor CouchDB defines; without those it tests with `typeof`, and those whose errors it catches.',
    extract: (names, tree, subject) => {
      const found = unknownNames(names, tree, subject);
      return typeof found === 'string' ? found : firstOfEach(found);
    },
  }),
  listFact('function.reachedUnknownNames', {
    meaning:
      'The undefined names that a map, reduce, validation function or search index reaches when it runs. Left out are those in functions that it never calls or behind conditions that are always false. For functions in a program also without names in capitals, which the program may replace before it sends the function.',
    sources: ['design-docs', 'witnesses'],
    extract: (names, tree, subject) => {
      const found = unknownNames(names, tree, subject);
      if (typeof found === 'string' || found.length === 0) return found;
      const parameters = PARAMETERS.get(subject.role);
      if (!parameters) return 'it is unknown what such a function is called with';
      const followed = follow(subject, parameters);
      if ('unknown' in followed) return followed.unknown;
      const shared = sharedGlobals(subject);
      if ('unknown' in shared) return shared.unknown;
      const isProgram = subject.parent.record.origin === 'module';
      return firstOfEach(
        found.filter(
          ({ name, node }) =>
            followed.flow.undeclared.has(node) &&
            !shared.has(name) &&
            !(isProgram && PLACEHOLDER.test(name)) &&
            subject.witness?.undefinedNames?.includes(name) !== false,
        ),
      );
    },
  }),
  listFact('function.calledGlobals', {
    meaning: 'Names that the function calls, with or without `new`, and that no part of its text declares.',
    extract: ({ references, parents }) =>
      references.flatMap(({ name, node, binding }) => {
        const parent = parents.get(node);
        const isCalled =
          (parent?.type === 'CallExpression' || parent?.type === 'NewExpression') && parent.callee === node;
        return isCalled && !binding ? [{ node, value: name }] : [];
      }),
  }),
  functionFact('function.engineAnswers', 'list', {
    meaning: 'Expressions that the engines of CouchDB answer differently, each with the name of the difference.',
    extract: (tree, { text }) => ({
      value: listAnswers(namesOf(tree)).map(({ name, start, end }) => ({
        ...toItem(text, { start, end }),
        detail: { name },
      })),
    }),
  }),
  listFact('function.missingRequires', {
    meaning:
      'Modules that are required with a constant path and that CouchDB does not find: maps can only load modules of `views.lib`, reduces none.',
    extract: (names, _, subject) =>
      listRequires(names).flatMap(({ node, path, isGuarded }) =>
        path === undefined || isGuarded || canRequire(subject, path) !== false ? [] : [{ node, value: path }],
      ),
  }),
  ...functionNeedFacts,
];

/**
 * @param {Names} names
 * @param {ParsedFunction} tree
 * @param {FunctionSubject} subject
 * @returns {Reference[] | string} each use of an unknown name, or the reason why they cannot be listed
 */
function unknownNames(names, tree, subject) {
  const pasted = pastedNames(tree, subject);
  if (pasted === 'unknown') return 'a `!code` macro in it inserts code that was not read';
  const excused = new Set([...typeofNames(names), ...pasted]);
  for (const { name, node, writes, binding } of names.references) {
    // A declared name is another variable than the unknown one of that name.
    if (binding && !mayLeaveBlock(binding, subject)) continue;
    if (writes || handledTry(node, names.parents) !== undefined) excused.add(name);
  }
  return names.references.filter(({ name, node, binding }) => {
    if (binding || excused.has(name) || isKnownName(name, subject.role) || subject.inlinable?.has(name)) return false;
    // `arguments` is there in every function but arrows, and of these it is that of the function around them.
    return name !== 'arguments' || isOutsideFunctions(node, names);
  });
}

/**
 * @param {NonNullable<Reference['binding']>} binding
 * @param {FunctionSubject} subject
 * @returns {boolean} whether a name of a block may be seen outside of it: SpiderMonkey 1.8.5 takes `const` for `var`
 */
function mayLeaveBlock({ scope }, subject) {
  return !scope.isFunction && possibleEngines(subject).includes('spidermonkey-1.8.5');
}

/**
 * @param {Reference[]} references
 * @returns {Taken[]} the first of each name
 */
function firstOfEach(references) {
  /** @type {Map<string, AnyNode>} */
  const first = new Map();
  for (const { name, node } of references) if (!first.has(name)) first.set(name, node);
  return [...first.values()].map((node) => ({ node }));
}

/**
 * @param {AnyNode} node
 * @param {Names} names
 * @returns {boolean}
 */
function isOutsideFunctions(node, { parents }) {
  for (let at = parents.get(node); at; at = parents.get(at)) {
    if (at.type === 'FunctionExpression' || at.type === 'FunctionDeclaration') return false;
  }
  return true;
}

/** Statements that have no value of their own (ECMA-262, 14 and 15): the text keeps that of the one before. */
const VALUELESS = /^(?:EmptyStatement|VariableDeclaration|FunctionDeclaration|ClassDeclaration)$/;
const NEVER_A_FUNCTION =
  /^(?:Literal|TemplateLiteral|ObjectExpression|ArrayExpression|BinaryExpression|UpdateExpression|ClassExpression)$/;

/**
 * @param {AnyNode[]} statements of a text without a plain function
 * @returns {boolean} whether its value may be a function all the same
 */
function mayGiveFunction(statements) {
  const last = statements.findLast(({ type }) => !VALUELESS.test(type));
  if (last?.type !== 'ExpressionStatement') return last !== undefined;
  return !NEVER_A_FUNCTION.test(withoutParens(last.expression).type);
}
