// What of a call in the code or of a replication is measured: `confirm` binds experiments to those of a project, or says why it cannot.

import { Readable, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { bindFindings } from '../../lib/cli/commands/confirm/bind-findings.js';
import { readExperiments } from '../../lib/cli/commands/confirm/read-experiments.js';
import { prepare } from '../../lib/cli/prepare.js';
import { analyze } from '../../lib/engine/pipeline.js';
import { createProject } from '../helpers/temporary-project.js';

/** @import { BoundExperiment } from '../../lib/cli/commands/confirm/bind-findings.js' */

const connect = `const nano = require('nano');
const shop = nano('http://localhost:5984').use('shop');
`;
const ddoc = {
  _id: '_design/orders',
  views: { by_status: { map: 'function (doc) { emit(doc.status, null); }' } },
};
const docs = Array.from({ length: 100 }, (_, at) => ({
  _id: `order-${at}`,
  _rev: '1-a',
  status: ['open', 'paid', 'sent'][at % 3],
  total: at,
}));

/**
 * @param {string} code
 * @param {string} rule
 * @param {Record<string, unknown>} [files]
 * @returns {Promise<BoundExperiment>}
 */
async function bind(code, rule, files = { 'orders.json': ddoc, 'docs.json': { docs } }) {
  const { cwd } = createProject({ ...files, 'client.js': connect + code });
  const sink = () => new Writable({ write: (_chunk, _encoding, done) => done() });
  const surroundings = { cwd, env: {}, stdin: Readable.from([]), stdout: sink(), stderr: sink() };
  const given = 'docs.json' in files ? ['docs.json'] : [];
  const prepared = await prepare({ rule: [rule], docs: given, cache: false }, ['.'], surroundings);
  const advice = await analyze({ ...prepared, version: '0.1.0' });
  const documents = (await prepared.openDocuments?.(1000)) ?? [];
  const bound = await bindFindings(readExperiments(prepared.rules), advice, {
    seed: '1',
    documents: undefined,
    samples: { documents, total: documents.length, areScrambled: false },
    readLoad: () => Promise.reject(new Error('no load is read')),
  });
  const [only] = bound.filter((one) => one.findings.length > 0);
  if (!only) throw new Error('no finding is measured');
  return only;
}

/** @param {BoundExperiment} experiment */
const aboutOf = ({ arms }) => arms.map(({ about }) => about);
/** @param {BoundExperiment} experiment */
const assumedOf = ({ assumed = [] }) => assumed.map(({ text }) => text);

const LOOP =
  'exports.load = async (ids) => { const all = []; for (const id of ids) all.push(await shop.get(id)); return all; };';

test('documents that a loop reads are read from those that were given', async () => {
  const made = await bind(LOOP, 'call/get-in-loop');
  expect(made.id).toMatch(/^call\/get-in-loop at client\.js:3:\d+$/);
  expect(aboutOf(made)).toEqual(['one `GET` per document', '`_all_docs` with 50 `keys`']);
  expect(assumedOf(made)).toEqual(['the code does not show the number of turns; 50 were used']);
  expect(made.dataset.given?.documents[0]).toEqual({ _id: 'order-0', status: 'open', total: 0 });
});

test('without documents the pattern is measured, and says so', async () => {
  const made = await bind(LOOP, 'call/get-in-loop', { 'orders.json': ddoc });
  expect(made.id).toBe('call/get-in-loop');
  expect(made.notes?.join(' ')).toContain('no documents were given; add some with --docs');
});

const KEYS = `exports.load = (all) => Promise.all(all.map((status) => shop.view('orders', 'by_status', { key: status })));`;

test('a loop over keys has as many turns as the view has keys', async () => {
  const made = await bind(KEYS, 'call/get-in-loop');
  expect(aboutOf(made)).toEqual(['one query per key', 'one query with 3 `keys`']);
  expect(assumedOf(made)).toContain('the turns run one after another, in the code at once');
});

test('a loop over keys of a view that is not there is not measured', async () => {
  const made = await bind(KEYS, 'call/get-in-loop', { 'docs.json': { docs } });
  expect(made.obstacle).toBe('the input does not contain its view');
});

test('what a loop removes is not written instead', async () => {
  const code = 'exports.clear = async (all) => { for (const { _id, _rev } of all) await shop.destroy(_id, _rev); };';
  const made = await bind(code, 'call/write-in-loop');
  expect(made.id).toBe('call/write-in-loop');
  expect(made.notes?.join(' ')).toContain('it removes documents, and new ones are written here');
});

test('documents that a loop writes are new', async () => {
  const made = await bind(
    'exports.save = async (all) => { for (const order of all) await shop.insert(order); };',
    'call/write-in-loop',
  );
  expect(aboutOf(made)).toEqual(['1 document per request', '100 documents per request']);
  expect(assumedOf(made)).toContain('each is new, in an empty database');
});

test('rows are read with the fields that the program reads', async () => {
  const code = `exports.list = async () => {
  const { rows } = await shop.view('orders', 'by_status', { limit: 30, include_docs: true });
  return rows.map(({ doc }) => doc.total);
};`;
  const made = await bind(code, 'call/include-docs');
  expect(aboutOf(made)).toEqual(['`?limit&include_docs=true`', 'the same without `include_docs`, emits `total`']);
  const counted = code.replace('rows.map(({ doc }) => doc.total)', 'rows.length');
  expect(aboutOf(await bind(counted, 'call/include-docs'))[1]).toBe(
    'the same without `include_docs`, its map unchanged',
  );
});

test('of pages the middle one is read', async () => {
  const code = `exports.page = async (number) => {
  const { rows } = await shop.view('orders', 'by_status', { limit: 20, skip: number * 20 });
  return rows.map(({ id }) => id);
};`;
  expect(assumedOf(await bind(code, 'call/skip-paging'))).toEqual([
    'the code computes `skip`; a page in the middle was read, which skips 50 rows',
  ]);
});

test('what the program keeps of all documents is queried by its value', async () => {
  const code = `exports.paid = async () => {
  const { rows } = await shop.list({ include_docs: true });
  return rows.filter(({ doc }) => doc.status === 'paid').map(({ doc }) => doc);
};`;
  const made = await bind(code, 'call/all-documents');
  expect(aboutOf(made)).toEqual(['`_all_docs` with all documents', '`_find` with an index on `status`']);
  expect(made.notes).toEqual(['100 of your documents', 'the program keeps 33 of them']);
});

test('a map in a call is measured where there are temporary views', async () => {
  const code = `const PouchDB = require('pouchdb');
const local = new PouchDB('shop');
exports.ofStatus = (status) => local.query((doc, emit) => emit(doc.status), { key: status });`;
  const made = await bind(code, 'call/temporary-query');
  expect(aboutOf(made)).toEqual(['`?key`, the map in the query', '`?key`, stored view']);
  expect(made.arms[1]?.designDoc?.views?.['rows']?.map).toBe('(doc) => emit(doc.status)');
});

test('a replication is measured with the filter function that its document names', async () => {
  const source = "function (doc, req) { return doc.status === 'open'; }";
  const made = await bind('', 'replication/filter-function', {
    'orders.json': { _id: '_design/orders', filters: { open: source } },
    'replication.json': {
      _id: 'shop-to-backup',
      source: 'https://db.shop.example/shop',
      target: 'https://backup.shop.example/shop',
      filter: 'orders/open',
    },
    'docs.json': { docs },
  });
  expect(made.id).toBe('replication/filter-function at _design/orders/filters/open');
  expect(made.arms.map(({ measure, request, designDoc }) => [measure, request?.body, designDoc?.filters])).toEqual([
    ['replicate', undefined, { mine: source }],
    ['replicate', { selector: { status: 'open' } }, undefined],
  ]);
  expect([made.dataset.given?.documents.length, assumedOf(made)]).toEqual([100, []]);
});
