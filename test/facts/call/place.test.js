// What is said of a call whose database the code does not place.

import { expect, test } from 'vitest';
import { createProject } from '../../helpers/temporary-project.js';

const LOOP = 'for (const id of ids) orders.push(await shop.get(id));';
const QUERY = "shop.query('orders/by_status', { key: 'open', include_docs: true }).then(({ rows }) => rows.length)";

/** @param {string} code @returns {Promise<string[]>} each finding */
async function findingsIn(code) {
  const { stdout } = await createProject({ 'a.js': `${code}\n` }).run(['lint', '--format', 'json']);
  return JSON.parse(stdout).findings.map(
    (/** @type {{severity: string, certainty: string, message: string}} */ { severity, certainty, message }) =>
      `${severity} ${certainty} ${message}`,
  );
}

test.each([
  [
    'in a handler of a server',
    `const express = require('express'); const PouchDB = require('pouchdb'); const shop = new PouchDB(name); exports.load = async (ids) => { const orders = []; ${LOOP} return orders; };`,
    'info low `shop.get(…)` reads one document in each iteration of a loop over `ids` (if this database is remote)',
  ],
  [
    'in a module of Node.js whose client is made elsewhere',
    `const { shop } = require('./databases'); exports.count = () => ${QUERY};`,
    "info low `shop.query('orders/by_status', …)` reads a document for every row, and only the rows are counted (if this database is remote)",
  ],
  [
    'with a method that only clients of servers have',
    `exports.count = (shop) => ${QUERY.replace('query', 'view').replace('/', "', '")};`,
    "warning medium `shop.view('orders', 'by_status', …)` reads a document for every row, and only the rows are counted",
  ],
])('%s', async (_, code, expected) => {
  expect(await findingsIn(code)).toEqual([expected]);
});

test.each([
  [
    'a desktop program',
    `const { app } = require('electron'); const { shop } = require('./databases'); exports.count = () => ${QUERY};`,
  ],
  ['a page', `import { shop } from './databases'; window.count = () => ${QUERY};`],
  ['a module that may run in a page', `import { shop } from './databases'; export const count = () => ${QUERY};`],
  [
    'a PouchDB that is opened by a name',
    `const PouchDB = require('pouchdb'); const shop = new PouchDB(name); exports.load = async (ids) => { const orders = []; ${LOOP} return orders; };`,
  ],
])('nothing in %s', async (_, code) => {
  expect(await findingsIn(code)).toEqual([]);
});
