// Measures builds of one view under every query server that the server has, with no, an external and a built-in
// reducer, for small and for large documents; polls _active_tasks while they run.

import { UserError } from '../../../shared/user-error.js';
import { makeScore } from '../documents.js';
import { makeId } from '../ids.js';
import { armOf, LANGUAGES, REDUCERS, setOfBytes } from '../index-build.js';
import { BUILT_IN, FUNCTIONS, languageOf, markOf } from '../score-views.js';
import { watchIndexers } from './active-tasks.js';
import { countDocuments, interleave, loadDocuments } from './rounds.js';
import { listIn } from './timed-requests.js';

/** @import { Reducer } from '../index-build.js' */
/** @import { Workbench } from './workbench.js' */

/** A request of a load holds about so many bytes. */
const LOAD_BYTES = 4_000_000;

/**
 * @param {Workbench} bench
 * @returns {Promise<void>}
 */
export async function run(bench) {
  if (!bench.has('query-server')) {
    bench.missing.push(
      `${bench.server.about.name} has no query servers: it runs JavaScript in its own process and has no _active_tasks`,
    );
  }
  const languages = await findLanguages(bench);
  const arms = languages.flatMap((language) =>
    REDUCERS.map((reducer) => ({ id: armOf(language, reducer), language, reducer })),
  );
  const [small = 1000, large = 300_000] = bench.numbers('document-bytes');
  const [few, many] = [bench.number('large-size'), bench.number('size')];
  for (const [bytes, documents] of /** @type {[number, number][]} */ ([
    [small, many],
    [large, few],
  ])) {
    const set = setOfBytes(bytes);
    const database = await bench.create(bench.number('shard-count'));
    bench.options.onProgress(`load ${set}`);
    const batch = Math.max(2, Math.min(1000, Math.floor(LOAD_BYTES / bytes)));
    await loadDocuments(bench, database, { documents, batch, make: (number) => makeDocument(bench, number, bytes) });
    await countDocuments(bench, database, documents);
    // The first build of a language starts its processes; it is not among the samples.
    for (const { language } of arms.filter(({ reducer }) => reducer === 'none')) {
      await build(bench, database, { language, reducer: 'external', name: `warm-${language}` });
    }
    for (const { arm, round } of interleave(
      bench,
      set,
      arms.map(({ id }) => id),
      bench.number('rounds'),
    )) {
      const { language = '', reducer = 'none' } = arms.find(({ id }) => id === arm) ?? {};
      await bench.sample({ set, arm, round }, async () => {
        const built = await build(bench, database, { language, reducer, name: `${language}-${reducer}-${round}` });
        return { ...built, things: documents };
      });
    }
    await bench.drop(database);
  }
}

/**
 * @param {Workbench} bench
 * @param {number} number
 * @param {number} bytes
 * @returns {Record<string, unknown>} of the user's own, what the view reads is put in
 */
function makeDocument({ options: { seed, ownDocuments } }, number, bytes) {
  const own = ownDocuments[number % Math.max(1, ownDocuments.length)];
  const made = makeScore(seed, number, own ? 0 : bytes);
  return { ...own, ...made, _id: makeId('sequential', seed, number) };
}

/**
 * @param {Workbench} bench
 * @param {string} database
 * @param {{language: string, reducer: Reducer, name: string}} order
 * @returns {Promise<{ms: number, curve?: import('../scenario.js').CurvePoint[]}>}
 */
async function build(bench, database, { language, reducer, name }) {
  const written = languageOf(language);
  const { map, reduce } = FUNCTIONS[written];
  const reduces = reducer === 'none' ? {} : { reduce: reducer === 'external' ? reduce : BUILT_IN };
  await bench.write(database, 'PUT', `_design/${name}`, {
    language,
    // Else the server builds it by itself, whenever it likes.
    autoupdate: false,
    views: { scores: { map: markOf(written, name) + map, ...reduces } },
  });
  const query = reducer === 'none' ? 'limit=1' : 'group_level=1';
  const watch = bench.has('query-server') ? watchIndexers(bench, { database, designDoc: name }) : undefined;
  try {
    const { ms, text } = await bench.time('GET', database, `_design/${name}/_view/scores?${query}`, { keeps: true });
    if (listIn(text, 'rows').length === 0)
      throw new UserError('wrong-answer', `${language} with ${reducer} reducer returned no rows`);
    const curve = await watch?.stop();
    return { ms, ...(curve && curve.length > 0 ? { curve } : {}) };
  } finally {
    await watch?.stop();
  }
}

/**
 * Tries every language on one document, as no server lists those it has.
 * @param {Workbench} bench
 * @returns {Promise<string[]>}
 */
async function findLanguages(bench) {
  if (!bench.has('query-server')) return ['javascript'];
  const database = await bench.create(1);
  await loadDocuments(bench, database, { documents: 1, batch: 2, make: (number) => makeDocument(bench, number, 1000) });
  await countDocuments(bench, database, 1);
  const engine = bench.server.about.engine?.split(' ')[0];
  if (engine !== undefined) bench.notes.push(`plain javascript is ${bench.server.about.engine} on this server`);
  /** @type {string[]} */
  const found = [];
  for (const language of LANGUAGES) {
    // The one that plain `javascript` is needs no second row.
    if (language === `javascript_${engine}`) continue;
    bench.options.onProgress(`is there ${language}?`);
    try {
      await build(bench, database, { language, reducer: 'external', name: `probe-${language}` });
      found.push(language);
    } catch (error) {
      if (!(error instanceof UserError) || !['server-refused', 'wrong-answer'].includes(error.code)) throw error;
      bench.missing.push(reasonOf(language, error, bench));
    }
  }
  await bench.drop(database);
  return found;
}

/**
 * @param {string} language
 * @param {UserError} error
 * @param {Workbench} bench
 * @returns {string}
 */
function reasonOf(language, { message }, { server }) {
  const name = server.about.name;
  if (!message.includes('unknown_query_language') && !/unknown.*language/i.test(message))
    return `${language} failed on ${name}: ${message}`;
  // A request may not change this section (src/couch/src/couch_util.erl, check_config_blacklist, 3.5.0).
  if (language === 'erlang')
    return `${name} has Erlang disabled: set enable_erlang_query_server = true in [native_query_servers]`;
  if (language.startsWith('python'))
    return `${name} has no ${language}: set COUCHDB_QUERY_SERVER_${language.toUpperCase()} to its command before the start`;
  return `${name} has no ${language}`;
}
