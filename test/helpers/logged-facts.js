// Reads facts about the lines of a log and about a design document of the shop.

import { expect } from 'vitest';
import { createProject } from './temporary-project.js';

export const UNKNOWN = 'unknown';

export const APP = {
  _id: '_design/app',
  views: {
    by_date: { map: "function (doc) { if (doc.type === 'order') emit(doc.date, null); }" },
    copies: { map: 'function (doc) { emit(doc.date, doc); }' },
    totals: { map: 'function (doc) { emit(doc.date, 1); }', reduce: 'function (k, v) { return sum(v); }' },
    counts: { map: 'function (doc) { emit(doc.date, null); }', reduce: '_count' },
  },
  filters: { mine: 'function (doc, req) { return doc.customer === req.query.customer; }' },
};

/**
 * @param {string} request method, target, status and milliseconds: `GET /shop 200 5`
 * @param {number} second since eight o'clock
 * @param {string} [nonce]
 * @returns {string}
 */
export function line(request, second, nonce = '1a2b3c4d5e') {
  const [method, target, status, ms] = request.split(' ');
  const time = new Date(Date.UTC(2026, 2, 2, 8, 0, second)).toISOString();
  return `[notice] ${time} couchdb@127.0.0.1 <0.200.0> ${nonce} db.shop.example:5984 10.0.0.9 web ${method} ${target} ${status} ok ${ms}`;
}

/**
 * @param {string[]} lines of a log
 * @param {object} [ddoc]
 * @returns {Promise<{kind: string, name: string, facts: Map<string, unknown>}[]>} values by the names of facts
 */
export async function subjectsOf(lines, ddoc = APP) {
  const project = createProject({ 'couch.log': `${lines.join('\n')}\n`, 'app.json': ddoc });
  const { stdout } = await project.run(['facts', 'app.json', '--log', 'couch.log', '--format', 'json']);
  const { subjects } = JSON.parse(stdout);
  return subjects.map((/** @type {any} */ { kind, name, view, facts }) => ({
    kind,
    name: name ?? view,
    facts: new Map(
      Object.entries(facts).map(([id, fact]) => {
        const { value, unknown } = /** @type {any} */ (fact);
        if (unknown !== undefined) return [id, UNKNOWN];
        return [id, Array.isArray(value) ? value.map((item) => item.value) : value];
      }),
    ),
  }));
}

/**
 * @param {string[]} lines
 * @param {object} [ddoc]
 * @returns {Promise<(name: string) => unknown>} facts of the only shape
 */
export async function shapeOf(lines, ddoc) {
  const shapes = (await subjectsOf(lines, ddoc)).filter(({ kind }) => kind === 'request');
  expect(shapes.map(({ name }) => name)).toHaveLength(1);
  return (name) => shapes[0]?.facts.get(`request.${name}`);
}
