// What `upgrade` says two engines answer to a document is what CouchDB answers with them. Any CouchDB with both engines can be used.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareAnswers } from '../../lib/proof/evidence/compare-answers.js';
import { COUCHDB_URL, ScratchDatabase } from '../helpers/couchdb.js';
import { openSandbox } from '../helpers/internals.js';

/** @import { AnswerQuestion } from '../../lib/proof/evidence/compare-answers.js' */

const NAMES = [
  ...[
    'last match',
    'date in a locale',
    'date and time in a locale',
    'sort by a test',
    'number in a locale',
    'date as a string',
    'test of a date',
  ],
  'code in a string',
  'built-in object extended in a module',
  'sort of an array of the document',
];
const LIB = {
  days: 'Date.prototype.inDays = function () { return this.getTime() / 864e5; };',
  lists: 'exports.isList = function (list) { return list instanceof Array; };',
  shop: "shop = 'Corner';",
};
const DAY = 'function (doc) { if (doc.day) emit(doc.day, doc.price); }';

/** @type {[AnswerQuestion['role'], string, string[]?][]} */
const FUNCTIONS = [
  ['map', 'function (doc) { if (/^(.)/.test(doc.name)) emit(RegExp.$1, RegExp.lastMatch); }'],
  ['map', "function (doc) { doc.tags.join('-').replace(/(\\w)-/, ''); emit([RegExp.leftContext, RegExp['$&']]); }"],
  ['map', 'function (doc) { var a = doc.name.split(/(e)/); emit(RegExp.$1, a.length); }'],
  ['map', "function (doc) { emit(doc.price.toLocaleString('en-US'), doc.price.toLocaleString()); }"],
  ['map', "function (doc) { emit(new Date(doc.day).toLocaleDateString('en-US'), null); }"],
  ['map', 'function (doc) { emit(new Date(doc.day).toLocaleString(), null); }'],
  ['map', "function (doc) { emit('' + new Date(doc.day), new Date(doc.day).toTimeString()); }"],
  [
    'map',
    'function (doc) { var n = [5, 1, 4, 2, 3, 9, 8, 7, 6]; emit(n.sort(function (a, b) { return a > b; }), doc.day); }',
  ],
  ['map', 'function (doc) { if (!isNaN(new Date(doc.day))) emit(doc.day, null); }'],
  ['map', 'function (doc) { var at = Date.parse(doc.day); if (isNaN(at)) at = -1; emit(at, null); }'],
  ['map', 'function (doc) { emit(new Date(doc.day), Date.parse(doc.day)); }'],
  ['map', 'function (doc) { doc.tags.sort(); emit(doc.tags[0], doc.day); }'],
  [
    'map',
    'function (doc) { var tags = doc.tags; tags = tags.sort(function (a, b) { return a - b; }); emit(tags[0], doc.day); }',
  ],
  ['map', "function (doc) { try { emit(eval('1'), null); } catch (e) { emit(e.name, doc.day); } }"],
  ['map', "function (doc) { if (doc.code) emit(new Function('return 1')(), null); }"],
  [
    'reduce',
    "function (keys, values, isSecond) { return isSecond ? values[0] : sum(values).toLocaleString('en-US'); }",
    [DAY],
  ],
  ['show', "function (doc, req) { return doc.day.toUpperCase() + eval('1'); }"],
  ['show', "var one = eval;\nfunction (doc, req) { return doc.day + one('1'); }"],
  ['show', "function (doc, req) { return { body: /(a)/.test('day') ? RegExp.$1 || 'none' : doc.day }; }"],
  ['list', 'function (head, req) { var row; while ((row = getRow())) send(/(.)/.test(row.key) && RegExp.$1); }', [DAY]],
  ['filter', 'function (doc, req) { return String(new Date(doc.at)).length < 40; }'],
  ['show', "function (doc, req) { require('lib/days'); return doc.day + new Date(864e5).inDays(); }"],
  ['show', "function (doc, req) { return doc.day + require('lib/lists').isList([]); }"],
  ['show', "function (doc, req) { require('lib/shop'); return doc.day + shop; }"],
  ['map', "function (doc) { require('views/lib/days'); if (doc.day) emit(typeof new Date().inDays, null); }"],
  ['validate', "function (doc) { if (isNaN(Date.parse(doc.day))) throw ({ forbidden: 'no day' }); }"],
];

describe.skipIf(!COUCHDB_URL)('answers of two engines', () => {
  const database = new ScratchDatabase(COUCHDB_URL ?? 'http://localhost');
  const sandbox = openSandbox();
  beforeAll(async () => {
    await database.create();
  });
  afterAll(async () => {
    await Promise.all([database.drop(), sandbox.close()]);
  });

  test.each(FUNCTIONS)('%s: %s', async (role, source, maps = []) => {
    const question = {
      role,
      source,
      designDoc: { lib: LIB, views: { lib: LIB } },
      names: NAMES,
      foreign: [{ names: NAMES }, { names: [] }],
      maps,
    };
    const { byName } = await compareAnswers(question, sandbox);
    const shown = Object.values(byName).flatMap((trial) => (trial.verdict === 'differ' ? [trial] : []));
    expect(shown.length).toBeGreaterThan(0);
    for (const { given, answers } of shown) {
      const answered = [];
      for (const language of ['javascript_spidermonkey', 'javascript_quickjs'])
        answered.push(await answerOf(role, { language, source, given, map: maps[0] ?? DAY }));
      expect(answered).toEqual(answers.map((answer) => (role === 'show' || role === 'list' ? bodyOf(answer) : answer)));
    }
  });

  /**
   * @param {AnswerQuestion['role']} role
   * @param {{language: string, source: string, given: string, map: string}} about
   * @returns {Promise<string>} what CouchDB answers, in the words of the trial
   */
  async function answerOf(role, { language, source, given, map }) {
    const rows = JSON.parse(given);
    const document = role === 'reduce' || role === 'list' ? { day: rows[0].key, price: rows[0].value } : rows;
    const id = (await database.ask('POST', '', document)).answer.id;
    const view = role === 'map' ? { map: source } : role === 'reduce' ? { map, reduce: source } : { map };
    const filters = {
      only: "function (doc) { return doc._id == 'none'; }",
      ...(role === 'filter' ? { f: source } : {}),
    };
    const own = {
      language,
      lib: LIB,
      views: { v: view, lib: LIB },
      filters,
      shows: { f: source },
      lists: { f: source },
    };
    const vdu = role === 'validate' ? { validate_doc_update: source } : {};
    const { id: name, answer: saved } = await database.save({ ...own, ...vdu });
    const read = async (/** @type {string} */ path) => {
      const headers = { authorization: database.authorization };
      const response = await fetch(`${database.origin}/${database.name}${path}`, { headers });
      return { status: response.status, body: await response.text() };
    };
    /** @type {string} */
    let answer;
    if (role === 'validate') {
      const { status, answer: reply } = await database.ask('POST', '', document);
      answer = status === 201 ? 'saved' : `refused with ${JSON.stringify({ [reply.error]: reply.reason })}`;
    } else if (role === 'show' || role === 'list') {
      const key = encodeURIComponent(JSON.stringify(document['day']));
      const { status, body } = await read(role === 'show' ? `/${name}/_show/f/${id}` : `/${name}/_list/f/v?key=${key}`);
      answer = status === 200 ? body : 'an error';
    } else if (role === 'filter') {
      const { body } = await read(`/_changes?filter=${name.slice(8)}/f`);
      answer = JSON.parse(body).results.some((/** @type {any} */ one) => one.id === id) ? 'passed on' : 'left out';
    } else {
      const { body } = await read(`/${name}/_view/v`);
      const all = JSON.parse(body).rows;
      const own = all.filter((/** @type {any} */ row) => role === 'reduce' || row.id === id);
      answer =
        role === 'reduce'
          ? JSON.stringify(own[0].value)
          : own
              .map((/** @type {any} */ row) => `emit(${JSON.stringify(row.key)}, ${JSON.stringify(row.value)})`)
              .join(' and ') || 'no row';
    }
    await database.ask('DELETE', `/${name}?rev=${saved.rev}`);
    const { answer: current } = await database.ask('GET', `/${id}`);
    await database.ask('DELETE', `/${id}?rev=${current._rev}`);
    return answer;
  }
});

/** @param {string} answer of a trial @returns {string} the body of the response */
function bodyOf(answer) {
  if (answer === 'an error') return answer;
  const value = JSON.parse(answer);
  const [first] = Array.isArray(value) ? value : [value];
  return typeof first === 'string' ? first : first.body;
}
