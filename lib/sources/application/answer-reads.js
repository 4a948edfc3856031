// Holds what is known of the use of an answer while it is followed: what is read of it, and what goes to code that is not followed.

import { answersRequest } from './handlers.js';
import { ListUses } from './list-uses.js';

/** @import { AnyNode } from 'acorn' */
/** @import { Code } from './code.js' */
/** @import { Part } from './handed-on.js' */
/** @import { FieldRead } from './list-uses.js' */
/** @import { CallResult } from './record.js' */

/** Members of an answer that hold no rows or documents. */
const ABOUT_ANSWER = new Set([
  'total_rows',
  'offset',
  'update_seq',
  'last_seq',
  'pending',
  'bookmark',
  'warning',
  'execution_stats',
  'ok',
  'error',
  'reason',
  'headers',
  'status',
  'statusCode',
]);
/** Members of an answer that hold the answer: IBM's client puts it in `result`, older clients in `body`, axios in `data`. */
export const WRAPPED = new Set(['result', 'body', 'data']);

export class AnswerReads {
  /** @type {CallResult['use']} */
  use = 'dropped';
  /** @type {Set<string>} */
  rowMembers = new Set();
  /** All reads of fields of documents. @type {FieldRead[]} */
  fields = [];
  /** Fields of emitted values that are read. @type {Set<string>} */
  valueFields = new Set();
  isCounted = false;
  #rowsEscape = false;
  #documentsEscape = false;
  #valuesEscape = false;

  /** @param {Code} code */
  constructor(code) {
    this.code = code;
    this.lists = new ListUses(code);
  }

  used() {
    if (this.use !== 'returned') this.use = 'used';
  }

  /** @param {Part} part that goes to code that is not followed @param {AnyNode} [to] where it goes, if that is known */
  escape(part, to) {
    if (part === 'documents' && to && answersRequest(to)) this.lists.add('all', to);
    if (part !== 'document' && part !== 'documents') this.#valuesEscape = true;
    if (part === 'value' || part === 'values') return;
    this.used();
    const isOne = part === 'row' || part === 'document';
    if (!isOne) this.lists.add('given');
    this.#documentsEscape = true;
    if (part !== 'document' && part !== 'documents') this.#rowsEscape = true;
  }

  /** @param {string | undefined} name of a member of the answer */
  aboutAnswer(name) {
    if (!ABOUT_ANSWER.has(name ?? '')) this.escape('answer');
    else if (name === 'total_rows' || name === 'offset') this.isCounted = true;
  }

  /** @returns {CallResult} */
  result() {
    const { code, fields } = this;
    const first = fields.filter(({ name }, at) => fields.findIndex((other) => other.name === name) === at);
    const isUnread = this.rowMembers.size === 0 && fields.length === 0 && !this.#rowsEscape && !this.#documentsEscape;
    return {
      use: this.use,
      rowMembers: this.#rowsEscape ? null : [...this.rowMembers],
      docFields: this.#documentsEscape ? null : first.map(({ name }) => name),
      valueFields: this.#valuesEscape ? null : [...this.valueFields],
      docPlaces: first.map(({ node }) => code.file.place(node.start, node.end)),
      isOnlyCounted: this.isCounted && isUnread && this.use === 'used',
      lists: this.lists.list,
    };
  }
}
