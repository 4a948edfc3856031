// Kinds of subjects in, the facts about them out. A run loads the code for what it has read, and no more.

/** @import { FactDeclaration, Subject } from './fact.js' */

/** @typedef {Subject['kind']} Kind */
/** Facts by id. @typedef {ReadonlyMap<string, FactDeclaration>} FactCatalog */

/** Only collects: each fact is declared beside its extractor. @type {Record<Kind, () => Promise<FactDeclaration[][]>>} */
const FACTS = {
  run: async () => [(await import('./run.js')).runFacts],
  'design-doc': async () => {
    const [plain, spelling, language, background] = await Promise.all([
      import('./design-doc.js'),
      import('./design-doc-spelling.js'),
      import('./design-doc-language.js'),
      import('./design-doc-background.js'),
    ]);
    return [
      plain.designDocFacts,
      spelling.designDocSpellingFacts,
      language.designDocLanguageFacts,
      background.designDocBackgroundFacts,
    ];
  },
  view: async () => {
    const [duplicates, map, notNumbers, copies, plain, rows, reduce, changes, proof, requests, reduced] =
      await Promise.all([
        import('./view-duplicates.js'),
        import('./view-map.js'),
        import('./view-not-numbers.js'),
        import('./view-copies.js'),
        import('./view-plain.js'),
        import('./view-rows.js'),
        import('./reduce.js'),
        import('./reduce-changes.js'),
        import('./reduce-proof.js'),
        import('./view-requests.js'),
        import('./view-reduce-requests.js'),
      ]);
    return [
      duplicates.viewDuplicateFacts,
      map.viewMapFacts,
      notNumbers.viewNotNumberFacts,
      copies.viewCopyFacts,
      plain.viewPlainFacts,
      rows.viewRowFacts,
      reduce.reduceFacts,
      changes.reduceChangeFacts,
      proof.reduceProofFacts,
      requests.viewRequestFacts,
      reduced.viewReduceRequestFacts,
    ];
  },
  function: async () => {
    const [plain, needs, rows] = await Promise.all([
      import('./function.js'),
      import('./function-needs.js'),
      import('./function-rows.js'),
    ]);
    return [plain.functionFacts, needs.functionNeedFacts, rows.functionRowFacts];
  },
  filter: async () => [(await import('./filter.js')).filterFacts],
  validate: async () => [(await import('./validate.js')).validateFacts],
  index: async () => {
    const [plain, twins] = await Promise.all([import('./mango-index.js'), import('./index-twins.js')]);
    return [plain.indexFacts, twins.indexTwinFacts];
  },
  server: async () => {
    const [plain, limits] = await Promise.all([import('./server.js'), import('./server-limits.js')]);
    return [plain.serverFacts, limits.serverLimitFacts];
  },
  option: async () => [(await import('./server-dead-options.js')).deadOptionFacts],
  load: async () => [(await import('./load.js')).bulkLoadFacts],
  request: async () => {
    const [plain, rows, joined, selector, sort, hint, reads] = await Promise.all([
      import('./request.js'),
      import('./request-parts.js'),
      import('./request-view.js'),
      import('./request-selector.js'),
      import('./request-sort.js'),
      import('./request-hint.js'),
      import('./request-fetch.js'),
    ]);
    return [
      plain.requestFacts,
      rows.requestPartFacts,
      joined.requestViewFacts,
      selector.requestSelectorFacts,
      sort.requestSortFacts,
      hint.requestHintFacts,
      reads.requestFetchFacts,
    ];
  },
  build: async () => [(await import('./build.js')).buildFacts],
  log: async () => [(await import('./log.js')).logFacts],
  change: async () => [(await import('./change.js')).changeFacts],
  node: async () => [(await import('./live/node.js')).nodeFacts],
  database: async () => [(await import('./live/database.js')).databaseFacts],
  'view-index': async () => [(await import('./live/view-index.js')).viewIndexFacts],
  'find-query': async () => [(await import('./live/find-query.js')).findQueryFacts],
  ignore: async () => [(await import('./ignore.js')).ignoreFacts],
};

/** Every kind there is, in the order of the documentation. */
export const KINDS = /** @type {Kind[]} */ (Object.keys(FACTS));

/**
 * @param {Iterable<Kind>} kinds
 * @returns {Promise<FactCatalog>}
 */
export async function loadFacts(kinds) {
  const lists = await Promise.all([...new Set(kinds)].map((kind) => FACTS[kind]()));
  return new Map(lists.flat(2).map((declaration) => [declaration.id, declaration]));
}
