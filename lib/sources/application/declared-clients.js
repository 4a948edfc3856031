// Knows what the user says of clients that code does not show: `"clients": {"container.resolve('db')": "nano"}` in the configuration, or a comment
// `couch-advisor-client nano` at the line that defines one; and what names say that only one client has: `this.nano.use('shop')`.

import { clientOfServer, declaredClient } from '../../clients/index.js';
import { propertyName } from './code.js';

/** @import { AnyNode } from 'acorn' */
/** @import { Code } from './code.js' */
/** @import { Value } from './value.js' */

const COMMENT = /(?:\/\/|\/\*)\s*couch-advisor-client[ \t]+([\w-]+)/g;

/** Names of clients by the line that defines one. @type {WeakMap<Code, ReadonlyMap<number, string>>} */
const BY_LINE = new WeakMap();

export class DeclaredClients {
  /** Names of clients by the code that stands for one. @type {Map<string, string>} */
  #byText;
  /** Words of these texts: a file without them has none. @type {string[][]} */
  #words;

  /** @param {Readonly<Record<string, string>>} [clients] as the configuration has them */
  constructor(clients = {}) {
    const entries = Object.entries(clients);
    this.#byText = new Map(entries.map(([text, name]) => [plain(text), name]));
    this.#words = entries.map(([text]) => text.match(/[\w$]+/g) ?? []);
  }

  /** @param {string} text of a file @returns {boolean} whether something may be declared in it */
  mayBeIn(text) {
    if (text.includes('couch-advisor-client')) return true;
    return this.#words.some((words) => words.length > 0 && words.every((word) => text.includes(word)));
  }

  /**
   * @param {AnyNode} node
   * @param {Code} code
   * @returns {Value | undefined} what the user says that it is
   */
  of(node, code) {
    const name = this.#byText.size > 0 ? this.#byText.get(plain(code.source(node))) : undefined;
    if (name !== undefined) return databaseOf(name);
    const parent = linesOf(code).size > 0 ? code.parentOf(node) : undefined;
    const isMember =
      (parent?.type === 'AssignmentExpression' && parent.right === node) ||
      ((parent?.type === 'PropertyDefinition' || parent?.type === 'Property') && parent.value === node);
    return isMember ? this.atLineOf(node, code) : undefined;
  }

  /**
   * @param {AnyNode} node what defines a name or member
   * @param {Code} code
   * @returns {Value | undefined} what a comment says of its line
   */
  atLineOf(node, code) {
    const lines = linesOf(code);
    const name = lines.size > 0 ? lines.get(code.file.position(node.start).line) : undefined;
    return name === undefined ? undefined : databaseOf(name);
  }
}

/** @param {Code} code @returns {ReadonlyMap<number, string>} */
function linesOf(code) {
  const known = BY_LINE.get(code);
  if (known) return known;
  const { file } = code;
  const found = [...file.text.matchAll(COMMENT)].map(({ index, 1: name = '' }) => {
    const { line, column } = file.position(index);
    const before = file.text.slice(index - column + 1, index);
    return /** @type {[number, string]} */ ([before.trim() === '' ? line + 1 : line, name]);
  });
  const lines = new Map(found);
  BY_LINE.set(code, lines);
  return lines;
}

/** @param {string} text of an expression @returns {string} the same however it is spaced and quoted */
function plain(text) {
  return text.replace(/\s+/g, '').replace(/["`]/g, "'");
}

/** @param {string} name @returns {Value | undefined} a database, which also has what a server has: `use`, `db` */
function databaseOf(name) {
  const known = declaredClient(name);
  return known && { is: 'database', ...known, database: null, isDeclared: true };
}

/**
 * @param {AnyNode} node of which nothing else is known
 * @param {Code} code
 * @returns {Value | undefined} a server, where it is called like a client and one of its own members is used: `this.nano.use`, `nano.db`
 */
export function serverByName(node, code) {
  const name =
    node.type === 'Identifier' ? node.name : node.type === 'MemberExpression' ? propertyName(node) : undefined;
  const parent = name === undefined ? undefined : code.parentOf(node);
  const member = parent?.type === 'MemberExpression' && parent.object === node ? propertyName(parent) : undefined;
  const client = name !== undefined && member !== undefined ? clientOfServer(name, member) : undefined;
  return client && { is: 'server', client: client.name, location: 'http' };
}
