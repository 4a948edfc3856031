// Facts about views whose map is nothing but tests and one emit: whether `_all_docs` has the same rows already, whether
// a Mango index would do, and what the view costs compared with that.

import { parsed } from '../../javascript/analyse.js';
import { memberOrOpen } from '../../sources/record.js';
import { factsOf } from '../fact.js';
import { treeOf } from '../index-groups/index-groups.js';
import { idFilter, idKey } from '../javascript/id-key.js';
import { mangoIndexOf } from '../javascript/map-index.js';
import { plainMap } from '../javascript/plain-map.js';
import { figureAt, ratio } from '../live/server-figures.js';

/** @import { DeclareFact, Extracted, FactDeclaration, ViewSubject } from '../fact.js' */
/** @import { PlainMap } from '../javascript/plain-map.js' */
/** @import { MappedText } from '../../shared/mapped-text.js' */

/** Unknown where the map does more. @type {DeclareFact<ViewSubject, (map: PlainMap, text: MappedText) => Extracted>} */
const plainFact = factsOf({ subject: 'view', sources: ['design-docs'] }, (extract) => ({ map }) => {
  const tree = map && parsed(map);
  if (!map || !tree?.ok) return { unknown: 'the view has no map that parses as a function' };
  const plain = plainMap(tree);
  return 'unknown' in plain ? plain : extract(plain, map.text);
});

/** @type {DeclareFact<ViewSubject>} */
const viewFact = factsOf({ subject: 'view', sources: ['design-docs'], basis: 'measured' });

/** @type {FactDeclaration<ViewSubject>[]} */
export const viewPlainFacts = [
  plainFact('view.idKey', 'text', {
    meaning:
      'How the key relates to the document id: `whole`, `parts` (cut from it from the left, in order), or `other`.',
    phrases: { whole: 'the key is the id', parts: 'the key is made of parts of the id', '*': 'the key is not the id' },
    extract: (map, text) => {
      const [key = map.call] = map.call.arguments;
      return { value: idKey(map, idFilter(map)), place: text.place(key.start, key.end) };
    },
  }),
  plainFact('view.idFilter', 'text', {
    meaning:
      'What selects the documents that the map emits for: `none` (every document), `prefix` (ids that start with one string), or `other`.',
    phrases: { none: 'every document is emitted', prefix: 'ids are filtered by a prefix', '*': 'rows are filtered' },
    extract: (map) => ({ value: idFilter(map).kind }),
  }),
  plainFact('view.fitsMangoIndex', 'boolean', {
    meaning:
      'Whether a Mango index on the same fields has the same rows, except for documents in which a field of its key is missing or falsy.',
    phrases: ['a Mango index can have the same rows', 'no Mango index has the same rows'],
    extract: (map, text) => {
      const found = mangoIndexOf(map);
      return 'unknown' in found ? found : { value: true, place: text.place(map.call.start, map.call.end) };
    },
  }),
  plainFact('view.mangoIndex', 'text', {
    meaning: 'That index, as the body of a request to `_index`.',
    extract: (map) => {
      const found = mangoIndexOf(map);
      return 'unknown' in found ? found : { value: JSON.stringify(found.index) };
    },
  }),
  viewFact('view.sharesIndex', 'boolean', {
    meaning:
      'Whether another view of the design document has exactly the same map and options, and so shares its index.',
    phrases: ['another view shares its index', 'no other view shares its index'],
    extract: (view) => ({
      value:
        view.map !== undefined &&
        view.parent.views.some((other) => other !== view && other.map !== undefined && treeOf(other) === treeOf(view)),
    }),
    basis: 'inferred',
  }),
  viewFact('view.isSortedByBytes', 'boolean', {
    basis: 'declared',
    meaning: 'Whether the view has the option `collation: raw`, which sorts strings as `_all_docs` does.',
    phrases: ['its collation is `raw`', 'its collation is the default'],
    extract: ({ node }) => {
      const collation = memberOrOpen(memberOrOpen(node, 'options'), 'collation');
      if (collation?.type === 'unknown') return { unknown: collation.reason };
      return { value: collation?.type === 'string' && collation.value === 'raw' };
    },
  }),
  viewFact('view.docCount', 'count', {
    sources: ['live-server'],
    meaning: 'Number of documents in its database, including design documents.',
    phrases: 'the database has {value} {document|documents}',
    extract: ({ parent }) => {
      const { database } = parent.record;
      if (!database) return { unknown: 'the design document was not read from a server' };
      return figureAt(database, database.docCount, 'doc_count');
    },
  }),
  viewFact('view.meanDocBytes', 'bytes', {
    sources: ['live-server'],
    meaning: 'Mean uncompressed size of a document of its database with its attachments.',
    phrases: 'documents have {value} on average',
    extract: ({ parent }) => {
      const { database } = parent.record;
      if (!database) return { unknown: 'the design document was not read from a server' };
      const mean = ratio(database.sizes.external, database.docCount);
      return figureAt(database, mean === undefined ? undefined : Math.round(mean), 'sizes', 'external');
    },
  }),
];
