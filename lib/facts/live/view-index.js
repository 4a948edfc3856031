// Facts about the index of a design document as it is stored on a server: its size, what it lacks, what waits for it.

import { isKnown } from '../fact.js';
import { declareAbout, figureAt, fileFacts, ratio } from './server-figures.js';

/** @import { Ask, Extracted, FactDeclaration, ViewIndexSubject } from '../fact.js' */
/** @import { ViewIndexRecord } from '../../sources/live/record.js' */
/** @import { DeclareFact } from './server-figures.js' */

/** @type {DeclareFact<ViewIndexSubject>} */
const fact = declareAbout('view-index', 'viewindex');

/** @type {FactDeclaration<ViewIndexSubject>[]} */
export const viewIndexFacts = [
  ...fileFacts(fact, {
    files: 'Size of the index files.',
    shardFile: 'Mean size of the index file of a shard.',
    whole: 'the index',
    shard: 'a shard of the index',
    shardCount: (record) => record.database.shardCount,
  }),
  fact('shareOfData', 'share', {
    meaning: 'Size of the index relative to the database, counting only data in use.',
    phrases: 'the index is {value} of the size of the data',
    extract: (record) => figureAt(record, ratio(record.sizes.active, record.database.sizes.active), 'sizes', 'active'),
  }),
  fact('pendingCount', 'count', {
    meaning: 'Number of database changes that are not indexed yet.',
    phrases: '{value} {change is|changes are} not indexed yet',
    extract: (record) => figureAt(record, record.pendingCount, 'updates_pending', 'total'),
  }),
  fact('isUpdating', 'boolean', {
    meaning: 'Whether an index build is running.',
    phrases: ['a build is running', 'no build is running'],
    extract: (record) => figureAt(record, record.isUpdating, 'updater_running'),
  }),
  fact('isUpdatedAlone', 'boolean', {
    meaning: 'Whether its design document lets the server update the index in the background (`autoupdate`).',
    phrases: ['the server updates the index by itself', 'only queries update the index'],
    extract: ({ database, designDoc }) => {
      const document = database.designDocs?.find(({ id }) => id === designDoc);
      return document ? { value: document.isUpdatedAlone } : { unknown: 'the user may not read its design document' };
    },
  }),
  fact('wholeDocViews', 'list', {
    meaning: 'The views of the index that emit whole documents.',
    phrases: '{value} emits whole documents',
    sources: ['live-server', 'design-docs'],
    basis: 'inferred',
    extract: wholeDocViews,
  }),
];

/**
 * @param {ViewIndexRecord} record
 * @param {ViewIndexSubject} subject
 * @param {Ask} ask
 * @returns {Extracted}
 */
function wholeDocViews({ designDoc, database }, { parent }, ask) {
  const run = parent.parent.kind === 'run' ? parent.parent : parent.parent.parent;
  const document = run.subjects.find(
    (subject) =>
      subject.kind === 'design-doc' && subject.record.database === database && subject.record.id === designDoc,
  );
  if (document?.kind !== 'design-doc') return { unknown: 'its design document was checked with another database' };
  const views = document.views.filter((view) => {
    const emits = ask(view, 'view.emitsWholeDoc');
    return isKnown(emits) && emits.value === true;
  });
  return { value: views.map(({ name, place }) => ({ value: name, place })) };
}
