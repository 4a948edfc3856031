// Detects names that macros of couchapp tools paste into a function. Where the reader expands macros none are left; the
// functions of a program keep theirs until they are pushed.

/** @import { FunctionSubject } from '../fact.js' */
/** @import { ParsedFunction } from '../../javascript/parse.js' */

/** What stands behind `//` or `#` (couchapp 1.0.2, macros.py run_code_macros and run_json_macros). */
const MACRO = /^ ?!(code|json) +([\w$]*)/;

/**
 * @param {ParsedFunction} tree
 * @param {FunctionSubject} subject
 * @returns {string[] | 'unknown'} unknown where code is pasted in, which may declare any name
 */
export function pastedNames({ comments }, { parent }) {
  // What CouchDB keeps, it runs as it is.
  const { origin } = parent.record;
  if (origin === 'json' || origin === 'dump') return [];
  /** @type {string[]} */
  const names = [];
  for (const { value } of comments) {
    const [, kind, name] = MACRO.exec(value) ?? [];
    if (kind === 'code') return 'unknown';
    // `!json templates.header` makes a variable `templates`.
    if (name) names.push(name);
  }
  return names;
}
