import { expect, test } from 'vitest';
import { readDocument } from '../../helpers/facts-of.js';

const MAP = 'function (doc) { emit(doc.day, 1); }';

/**
 * @param {Record<string, unknown>} document
 * @param {string} name of the fact
 * @returns {string[]} its items
 */
function itemsOf(document, name) {
  const { subjects, ask } = readDocument(document);
  const [designDoc] = subjects;
  const fact = designDoc && ask(designDoc, `ddoc.${name}`);
  if (!fact || 'unknown' in fact || !Array.isArray(fact.value)) throw new Error('no list');
  return fact.value.map(({ value, detail }) => (detail ? `${value}: ${detail['expected']}` : value));
}

/** @param {Record<string, unknown>} more @returns {Record<string, unknown>} a view with these members too */
const view = (more) => ({ views: { by_day: { map: MAP, ...more } } });

test.each([
  [{ view: {} }, ['view: views']],
  [{ filter: {} }, ['filter: filters']],
  [{ Views: {} }, ['Views: views']],
  [{ validate_doc_updates: 'function () {}' }, ['validate_doc_updates: validate_doc_update']],
  [{ view: {}, views: {} }, []],
  [{ view: 'list' }, []],
  [{ libs: {} }, []],
  [view({ redcue: '_sum' }), ['views.by_day.redcue: reduce']],
  [view({ Reduce: 'function (k, v) { return sum(v); }' }), ['views.by_day.Reduce: reduce']],
  [view({ reduse: '(k, v) => sum(v)' }), ['views.by_day.reduse: reduce']],
  [view({ option: { collation: 'raw' } }), ['views.by_day.option: options']],
  [view({ redcue: '_sum', reduce: '_count' }), []],
  [view({ redcue: 'a note' }), []],
  [view({ redcue: { map: MAP } }), []],
  [view({ option: 'raw' }), []],
  [view({ _reduce: '_sum' }), []],
  [view({ reduce2: '_sum' }), []],
  [view({ mapp: MAP }), []],
  [{ views: { lib: { mapp: MAP, redcue: '_sum' } } }, []],
  [{ views: { by_day: { mapp: MAP } } }, []],
])('misspelt in %j: %j', (document, expected) => {
  expect(itemsOf(document, 'misspeltMembers')).toEqual(expected);
});

test.each([
  [{ mapp: MAP }, '`views.by_day` has no `map` function; did you mean `mapp`?'],
  [{ Map: MAP }, '`views.by_day` has no `map` function; did you mean `Map`?'],
  [{ mapp: 'a note' }, '`views.by_day` has no `map` function'],
  [{ reduce: '_sum' }, '`views.by_day` has no `map` function'],
])('a view with %j', (members, expected) => {
  expect(itemsOf({ views: { by_day: members } }, 'structureErrors')).toEqual([expected]);
});
