// Holds the view of the index scenario in every language that query servers speak: the sum of scores by year and month.
// Functions as text; nothing here runs them.

/** @typedef {'javascript' | 'python' | 'erlang'} Language in which functions are written */

/**
 * @typedef {object} Functions
 * @property {string} map
 * @property {string} reduce an external one
 */

/** The built-in reducer that computes the same. */
export const BUILT_IN = '_sum';

/** @type {Record<Language, Functions>} */
export const FUNCTIONS = {
  javascript: {
    map: `function (doc) {
  if (doc.metadata && doc.metadata.createdAt) {
    var parts = doc.metadata.createdAt.split('-');
    emit([parts[0], parts[1]], doc.score);
  }
}`,
    reduce: `function (keys, values, rereduce) {
  return sum(values);
}`,
  },
  python: {
    map: `def map_score(doc):
    if 'metadata' in doc and 'createdAt' in doc['metadata']:
        year, month, _ = doc['metadata']['createdAt'].split('-')
        yield [year, month], doc['score']
`,
    reduce: `def reduce_scores(keys, values, rereduce):
    return sum(values)
`,
  },
  erlang: {
    map: `fun({Doc}) ->
  case proplists:get_value(<<"metadata">>, Doc) of
    {Metadata} ->
      CreatedAt = proplists:get_value(<<"createdAt">>, Metadata),
      [Year, Month | _] = binary:split(CreatedAt, <<"-">>, [global]),
      Emit([Year, Month], proplists:get_value(<<"score">>, Doc));
    _ -> ok
  end
end.`,
    reduce: `fun(_Keys, Values, _ReReduce) ->
  lists:sum(Values)
end.`,
  },
};

/**
 * @param {string} name of a language as design documents write it
 * @returns {Language} in which its functions are written: `python_simplejson` is Python, `javascript_quickjs` is JavaScript
 */
export function languageOf(name) {
  if (name.startsWith('python')) return 'python';
  return name === 'erlang' ? 'erlang' : 'javascript';
}

/**
 * @param {Language} language
 * @param {string} mark a text of its own for each build: equal functions share one index
 * @returns {string} a comment
 */
export function markOf(language, mark) {
  if (language === 'python') return `# ${mark}\n`;
  return language === 'erlang' ? `% ${mark}\n` : `// ${mark}\n`;
}

/**
 * What a right map gives of a document, and CouchDB gets as rows.
 * @param {Record<string, any>} document of documents.js
 * @returns {[[string, string], number]}
 */
export function rowOf({ metadata, score }) {
  const [year = '', month = ''] = String(metadata.createdAt).split('-');
  return [[year, month], score];
}
