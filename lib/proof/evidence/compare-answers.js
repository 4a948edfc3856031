// Runs a function on documents made for it as two engines would run it, and finds a document for which their answers differ. Both run in the sandbox, which
// is QuickJS; what another engine answers is set there, one difference after the other.

import { FROZEN, IN_MODULE } from '../../javascript/engine-answers.js';
import { parseFunction } from '../../javascript/parse.js';
import { isCutOff } from '../../sandbox/limits.js';
import { withinLimits } from '../../shared/bailout.js';
import { searchBudget } from '../synthesis/search-budget.js';
import { documentsFor } from '../synthesis/try-rows.js';
import { arrayPlaces, scalarPlaces, withValueAt } from '../vary-document.js';
import { judgeThrown, REQUEST, writesOf } from './run-function.js';
import { documentsAt } from './try-writes.js';

/** @import { ForeignAnswers } from '../../sandbox/foreign-answers.js' */
/** @import { SandboxError } from '../../sandbox/limits.js' */
/** @import { Sandbox } from '../../sandbox/sandbox.js' */
/** @import { Document } from './run-function.js' */

/**
 * @typedef {object} AnswerQuestion
 * @property {'map' | 'reduce' | 'filter' | 'validate' | 'update' | 'show' | 'list'} role
 * @property {string} source
 * @property {Record<string, unknown>} designDoc as far as `require` sees it
 * @property {string[]} names differences between the two engines, as javascript/engine-answers.js names them
 * @property {ForeignAnswers[]} foreign of each engine: the differences in which it is not as QuickJS
 * @property {string[]} maps whose rows a reduce or a list gets
 * @property {Record<string, unknown>} [libraries] `views.lib` of these
 */

/** `unreached`: no document led to such an expression. `given` is what it was called with, and `answers` are those of both engines, in words.
 *  @typedef {{verdict: 'differ', given: string, answers: [string, string]} | {verdict: 'same' | 'unreached'}} AnswerTrial */
/** @typedef {{verdict: 'tried', byName: Record<string, AnswerTrial>}} AnswerTrials */

/** One call: its arguments, and what is shown of them. @typedef {{given: any[], shown: string, rows?: Document[]}} Call */
/** @typedef {(question: AnswerQuestion, calls: Call[], sandbox: Sandbox, foreign: ForeignAnswers) => Promise<(string | undefined)[]>} Run */

const LIMITS = { functionSteps: 40_000_000, callSteps: 200_000 };
/** Documents of one function, and those of them that are varied. */
const MAX_DOCUMENTS = 80;
const MAX_VARIED = 4;
const MAX_ROWS = 3;
/** Values that show a difference where others do not. @type {Record<string, unknown[]>} */
const TELLING = {
  'number in a locale': [1234.5678],
  'test of a date': ['2019-02-31', 'start-00000'],
  'number without a radix': ['08'],
  [FROZEN]: [['a', 'b']],
  'match of undefined': [undefined],
  'invalid date in ISO format': [undefined, 'no date'],
};

/**
 * @param {AnswerQuestion} question
 * @param {Pick<Sandbox, 'forView'>} sandbox
 * @returns {Promise<AnswerTrials>}
 */
export async function compareAnswers(question, sandbox) {
  const own = sandbox.forView(LIMITS);
  const documents = await documentsOf(question, own);
  const plainly = { ...question, source: `${named(question.source)}$made` };
  const asked = SHOWN.has(question.role) ? question : plainly;
  /** @type {AnswerTrials} */
  const trials = { verdict: 'tried', byName: {} };
  const common = question.foreign[0]?.names.filter((name) => question.foreign[1]?.names.includes(name)) ?? [];
  for (const name of question.names) {
    const calls = await callsOf(
      question,
      varied(documents, TELLING[name] ?? [], name === FROZEN ? arrayPlaces : scalarPlaces),
      own,
    );
    const run = (/** @type {ForeignAnswers} */ foreign) => RUN[question.role](asked, calls, own, foreign);
    const hasOwnRealms = name === IN_MODULE;
    const setOf = (/** @type {number} */ at) => {
      const { names = [], isOld = false } = question.foreign[at] ?? {};
      const isForeign = names.includes(name);
      return { names: [...common, ...(isForeign ? [name] : [])], isOld, hasOwnRealms: hasOwnRealms && !isForeign };
    };
    const [one, other] = [await run(setOf(0)), await run(setOf(1))];
    const shown = calls.findIndex((_, at) => isOther(one[at], other[at]));
    if (shown >= 0) {
      const answers = /** @type {[string, string]} */ ([one[shown], other[shown]]);
      trials.byName[name] = { verdict: 'differ', given: calls[shown]?.shown ?? '', answers };
      continue;
    }
    const plain = await run({ names: [] });
    const probed = await run({ names: [name], isProbe: true, hasOwnRealms });
    trials.byName[name] = { verdict: probed.some((answer, at) => isOther(answer, plain[at])) ? 'same' : 'unreached' };
  }
  return trials;
}

/** @param {string | undefined} one @param {string | undefined} other @returns {boolean} what a limit cut off says nothing */
function isOther(one, other) {
  return one !== undefined && other !== undefined && one !== other;
}

/**
 * @param {AnswerQuestion} question
 * @param {Sandbox} sandbox
 * @returns {Promise<Document[]>} made for the function, or for the maps whose rows it gets
 */
async function documentsOf({ role, source, designDoc, maps, libraries }, sandbox) {
  if (role !== 'map' && maps.length === 0) {
    const made = await withinLimits(async () => documentsAt(source, 0, searchBudget(MAX_DOCUMENTS)));
    return [...('unknown' in made ? [] : made.slice(0, MAX_DOCUMENTS / MAX_VARIED)), {}];
  }
  const lib = role === 'map' ? /** @type {any} */ (designDoc['views'])?.lib : libraries;
  /** @type {Document[]} */
  const documents = [];
  for (const map of role === 'map' ? [source] : maps) {
    const made = await documentsFor(map, {
      map: (request) => sandbox.map({ ...request, libraries: lib }),
    });
    if ('unknown' in made) continue;
    const others = await made.vary();
    documents.push(.../** @type {Document[]} */ ([...made.fitting, ...('unknown' in others ? [] : others)]));
  }
  return documents.slice(0, MAX_DOCUMENTS);
}

/** @param {Document[]} documents @param {unknown[]} values @param {typeof scalarPlaces} placesOf @returns {Document[]} with each value in each place of some of them */
function varied(documents, values, placesOf) {
  const others = documents
    .filter((document) => placesOf(document).length > 0)
    .slice(0, MAX_VARIED)
    .flatMap((document) =>
      placesOf(document).flatMap((path) =>
        values.map((value) => /** @type {Document} */ (withValueAt(document, path, value))),
      ),
    );
  return [...others, ...documents].slice(0, MAX_DOCUMENTS);
}

/** @param {AnswerQuestion} question @param {Document[]} documents @param {Sandbox} sandbox @returns {Promise<Call[]>} */
async function callsOf({ role, source, maps, libraries = {} }, documents, sandbox) {
  if (role === 'map') return documents.map((doc) => ({ given: [doc], shown: shownOf(doc) }));
  const names = [...source.matchAll(/\.query\.(\w+)/g)].map(([, name = '']) => name);
  const requests = [{ shown: '', query: {} }];
  if (names.length > 0)
    requests.push({ shown: `, \`?${names[0]}=08\``, query: Object.fromEntries(names.map((name) => [name, '08'])) });
  if (role !== 'reduce' && role !== 'list') {
    // Both are also called without a document.
    const none = role === 'show' || role === 'update' ? [null] : [];
    return requests.flatMap(({ query, shown }) =>
      [...documents, ...none].map((doc) => ({
        given: [doc, { ...REQUEST, query }],
        shown: (doc ? shownOf(doc) : 'null') + shown,
      })),
    );
  }
  /** @type {Call[]} */
  const calls = [];
  for (const map of maps) {
    for (const [at, answer] of (await sandbox.map({ source: map, libraries, docs: documents })).entries()) {
      if (!('emits' in answer) || answer.emits.length === 0) continue;
      const rows = answer.emits.slice(0, MAX_ROWS).map((row) => ({ id: `doc-${at}`, ...row }));
      const head = { total_rows: rows.length, offset: 0 };
      for (const { query, shown } of role === 'list' ? requests : requests.slice(0, 1))
        calls.push({ given: [head, { ...REQUEST, query }], rows, shown: JSON.stringify(rows) + shown });
    }
  }
  return calls.slice(0, MAX_DOCUMENTS);
}

/** @param {Document} document @returns {string} */
function shownOf({ _id: id, _rev, ...rest }) {
  return JSON.stringify(rest);
}

const ERROR = 'an error';

/** @type {Record<AnswerQuestion['role'], Run>} */
const RUN = {
  map: async ({ source, designDoc }, calls, sandbox, foreign) => {
    const libraries = /** @type {any} */ (designDoc['views'])?.lib;
    const answers = await sandbox.map({ source, libraries, docs: calls.map(({ given }) => given[0]), foreign });
    return answers.map((answer) => {
      if ('error' in answer) return answerOf(answer.error, 'no row');
      return (
        answer.emits.map(({ key, value }) => `emit(${JSON.stringify(key)}, ${JSON.stringify(value)})`).join(' and ') ||
        'no row'
      );
    });
  },
  reduce: async ({ source }, calls, sandbox, foreign) => {
    const trees = calls.map(({ rows = [] }) => ({ rows: /** @type {any} */ (rows) }));
    const answers = await sandbox.reduce({ source, trees, foreign });
    return answers.map((answer) => ('error' in answer ? answerOf(answer.error) : JSON.stringify(answer.value)));
  },
  filter: async (question, calls, sandbox, foreign) => {
    const answers = await runShown(question, calls, sandbox, foreign);
    return answers.map((answer) => {
      if (answer === undefined || answer === ERROR) return answer;
      return JSON.parse(answer)[0] ? 'passed on' : 'left out';
    });
  },
  validate: async ({ source, designDoc }, calls, sandbox, foreign) => {
    const writes = calls.flatMap(({ given: [doc] }) => writesOf(doc).slice(0, 1));
    const answers = await sandbox.validate({ source, designDoc, writes, foreign });
    return answers.map((answer) => {
      if ('error' in answer) return answerOf(answer.error);
      const judged = judgeThrown(answer.thrown);
      return 'fault' in judged ? ERROR : judged.passes ? 'saved' : `refused with ${JSON.stringify(answer.thrown)}`;
    });
  },
  show: runShown,
  update: runShown,
  list: runShown,
};

/** What these return is thrown by a function around them. */
const SHOWN = new Set(['filter', 'show', 'update', 'list']);

/** @type {Run} Runs a show, an update or a list function: what it returns is thrown, and read as what a validation function throws. */
async function runShown({ source, designDoc }, calls, sandbox, foreign) {
  const writes = calls.map(({ given, rows = [] }) => ({ doc: given, oldDoc: rows, user: null, security: null }));
  const answers = await sandbox.validate({ source: throwing(source), designDoc, writes, foreign });
  return answers.map((answer) => ('error' in answer ? answerOf(answer.error) : JSON.stringify(answer.thrown)));
}

/** @param {string} source of a show, an update or a list function @returns {string} one that throws what is sent (share/server/render.js, 3.5.2) */
function throwing(source) {
  return `function ($given, $rows) {
    ${named(source)}
    var $sent = [], $types = [];
    start = registerType = function () {};
    send = function (part) { $sent.push(part.toString()); };
    getRow = function () { return $rows.shift() || null; };
    provides = function (type, make) { $types.push(make); };
    var $result = $made.apply(this, $given);
    if ($types.length > 0) $result = $types[0]();
    throw $sent.length > 0 ? $sent.join('') + (typeof $result === 'string' ? $result : '') : [$result];
  }`;
}

/** @param {string} source @returns {string} statements that name the function, wherever it stands in its text: `$made` */
function named(source) {
  const tree = parseFunction(source);
  const [at, before] = tree.ok && tree.fn ? [tree.fn.start, tree.parenthesised ? '' : ';'] : [0, ''];
  return `var $made; ${source.slice(0, at)}${before}$made = ${source.slice(at)}\n;`;
}

/** @param {SandboxError} error @param {string} [thrown] @returns {string | undefined} undefined where it says nothing about the function */
function answerOf(error, thrown = ERROR) {
  return error.kind === 'threw' && !isCutOff(error) ? thrown : undefined;
}
