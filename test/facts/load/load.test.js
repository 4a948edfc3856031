// Facts about loads: what a file says, joined with the configuration of the server, and unknown where it cannot tell.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { facts } from '../../../lib/index.js';
import { makeIds } from '../../helpers/make-ids.js';
import { runMain } from '../../helpers/run-main.js';
import { createProject } from '../../helpers/temporary-project.js';

/** @import { Fact } from '../../../lib/facts/fact.js' */

const folder = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-load-'));
afterAll(() => rmSync(folder, { recursive: true }));

const UNKNOWN = expect.objectContaining({ unknown: expect.any(String) });

/**
 * @param {string} text of a load
 * @param {...string} configs texts of `.ini` files
 * @returns {Promise<(name: string) => unknown>} the value of a fact, or the fact itself where it is unknown
 */
async function factsOf(text, ...configs) {
  const servers = Object.fromEntries(configs.map((config, at) => [`${at}.ini`, config]));
  const { cwd } = createProject({ 'load.jsonl': text, ...servers });
  const subjects = await facts({
    cwd,
    paths: Object.keys(servers),
    loads: ['load.jsonl'],
    target: { version: '3.5.2' },
  });
  const load = subjects.find(({ kind }) => kind === 'load')?.facts;
  return (name) => {
    const fact = /** @type {Fact} */ (load?.get(`load.${name}`));
    return 'unknown' in fact ? fact : fact.value;
  };
}

/**
 * @param {string[]} ids
 * @param {number} [batch] documents a body; a document a line where absent
 * @returns {string}
 */
function loadOf(ids, batch) {
  const documents = ids.map((_id) => ({ _id, type: 'order' }));
  if (batch === undefined) return documents.map((document) => JSON.stringify(document)).join('\n');
  const bodies = [];
  for (let at = 0; at < ids.length; at += batch) bodies.push(JSON.stringify({ docs: documents.slice(at, at + batch) }));
  return bodies.join('\n');
}

describe('the facts of a load', () => {
  test('of lines: counts, sizes and ids, and nothing about requests', async () => {
    const fact = await factsOf(loadOf(makeIds('uuid4', 2000)));
    expect(fact('docCount')).toBe(2000);
    expect(fact('docBytesP50')).toBe(JSON.stringify({ _id: makeIds('uuid4', 1)[0], type: 'order' }).length);
    expect(fact('idKind')).toBe('uuid4');
    expect(fact('idScatterShare')).toBeGreaterThan(0.5);
    expect(fact('serverAssignedShare')).toBe(0);
    for (const name of ['batchSizeP50', 'batchSizeMax', 'batchBytesMax', 'singleWriteShare']) {
      expect(fact(name)).toEqual(UNKNOWN);
    }
  });

  test('of bodies: their sizes', async () => {
    const fact = await factsOf(`${loadOf(makeIds('sequence', 1500), 100)}\n${loadOf(['kettle'], 1)}`);
    expect(fact('batchSizeP50')).toBe(100);
    expect(fact('batchSizeMax')).toBe(100);
    expect(fact('batchBytesMax')).toBe(loadOf(makeIds('sequence', 100), 100).length);
    expect(fact('singleWriteShare')).toBeCloseTo(1 / 1501);
  });

  test('sorted random ids are random by kind and in order in the load', async () => {
    const fact = await factsOf(loadOf(makeIds('uuid4', 2000).toSorted()));
    expect(fact('idKind')).toBe('uuid4');
    expect(fact('idScatterShare')).toBe(0);
  });

  test('of one request the order says nothing, and of few ids neither order nor kind', async () => {
    const one = await factsOf(loadOf(makeIds('uuid4', 2000), 2000));
    expect(one('idScatterShare')).toEqual({
      unknown: 'all ids are in one request, and CouchDB sorts the ids of a request',
    });
    const few = await factsOf(loadOf(['kettle']));
    for (const name of ['idKind', 'idScatterShare']) expect(few(name)).toEqual({ unknown: '1 id is too few to judge' });
  });

  test('of ids left to the server, and of design documents alone', async () => {
    const fact = await factsOf('{"type":"event"}\n'.repeat(30));
    expect(fact('serverAssignedShare')).toBe(1);
    expect(fact('idKind')).toBe('serverAssigned');
    const design = await factsOf('{"_id":"_design/orders"}');
    expect(design('docCount')).toBe(0);
    expect(design('serverAssignedShare')).toEqual(UNKNOWN);
    expect(design('docBytesP50')).toEqual(UNKNOWN);
  });

  test('of updates and of a restore', async () => {
    const fact = await factsOf('{"docs":[{"_id":"kettle","_rev":"1-a"},{"_id":"teapot"}],"new_edits":false}');
    expect(fact('revisionShare')).toBe(0.5);
    expect(fact('isRestore')).toBe(true);
  });

  test.each([
    ['no configuration', [], UNKNOWN],
    ['one that does not say', ['[couchdb]\nmax_document_size = 1\n'], UNKNOWN],
    ['one that says random', ['[uuids]\nalgorithm = random\n'], true],
    ['one that says sequential', ['[uuids]\nalgorithm = sequential\n'], false],
    ['several of which one says', ['[log]\nlevel = info\n', '[uuids]\nalgorithm = random\n'], true],
  ])('joined with %s', async (_, configs, expected) => {
    const fact = await factsOf('{"type":"event"}', ...configs);
    expect(fact('serverIdsAreRandom')).toEqual(expected);
  });

  test('examples are readable', async () => {
    const fact = await factsOf('{"_id":"čajník"}\n{"_id":"\\ud83e\\uded6"}');
    expect(fact('exampleIds')).toEqual([{ value: 'čajník' }, { value: '\ud83e\uded6' }]);
  });
});

describe('the command line', () => {
  const load = path.join(folder, 'orders.jsonl');
  writeFileSync(load, loadOf(makeIds('uuid4', 1500)));

  test('lint --docs judges a load beside design documents, relative to the folder it runs in', async () => {
    writeFileSync(path.join(folder, 'ddoc.json'), '{"_id":"_design/orders","views":{}}');
    const { stdout, exitCode } = await runMain(['lint', '--docs', 'ord*.jsonl', 'ddoc.json', '--no-config'], {
      cwd: folder,
    });
    expect(stdout).toContain('orders.jsonl:1:1 warning write/random-ids#random-ids');
    expect(exitCode).toBe(0);
  });

  test('`loads` of the configuration does so too, relative to the configuration', async () => {
    const config = path.join(folder, 'couch-advisor.config.json');
    writeFileSync(config, JSON.stringify({ paths: ['ddoc.json'], loads: ['orders.jsonl'] }));
    const inner = mkdtempSync(path.join(folder, 'inner-'));
    const { stdout } = await runMain(['lint', '--config', config], { cwd: inner });
    rmSync(config);
    expect(stdout).toContain('../orders.jsonl:1:1 warning write/random-ids#random-ids');
  });

  test('a load that is not there ends with 3, and the rest is judged', async () => {
    const { stdout, exitCode } = await runMain(
      ['lint', '--docs', 'kettle.jsonl', '--docs', 'orders.jsonl', 'ddoc.json', '--no-config'],
      { cwd: folder },
    );
    expect(stdout).toContain('kettle.jsonl does not exist');
    expect(stdout).toContain('write/random-ids#random-ids');
    expect(exitCode).toBe(3);
  });
});

describe('the predicted length of the files', () => {
  /** @param {string[]} ids @returns {string} */
  const load = (ids) => ids.map((id) => `{"_id":"${id}","type":"order","total":30,"customer":"milena"}\n`).join('');

  test('is several times as much under random ids as in order', async () => {
    const random = await factsOf(load(makeIds('uuid4', 20_000)));
    const inOrder = await factsOf(load(Array.from({ length: 20_000 }, (_, at) => String(at).padStart(10, '0'))));
    expect(random('predictedFileRatio')).toBeGreaterThan(2);
    expect(random('predictedFileRatio')).toBeLessThan(4);
    expect(inOrder('predictedFileRatio')).toBe(1);
    expect(Number(random('predictedFileBytes'))).toBeGreaterThan(2 * Number(inOrder('predictedFileBytes')));
  });

  test('is unknown where there are few ids, or no documents', async () => {
    const few = await factsOf(load(makeIds('uuid4', 3)));
    expect(few('predictedFileBytes')).toEqual(UNKNOWN);
    expect(few('predictedFileRatio')).toEqual(UNKNOWN);
    const rows = makeIds('uuid4', 2000).map((id) => ({ id, key: id, value: { rev: '1-a' } }));
    const without = await factsOf(JSON.stringify({ total_rows: 2000, offset: 0, rows }));
    expect(without('predictedFileRatio')).toEqual(UNKNOWN);
  });
});
