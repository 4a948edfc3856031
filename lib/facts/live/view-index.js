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
    files: 'The size of its files.',
    shardFile: 'The mean size of its file on a shard.',
    shardCount: (record) => record.database.shardCount,
  }),
  fact(
    'shareOfData',
    'share',
    'Its size as a share of that of the database, both without what is out of use.',
    (record) => figureAt(record, ratio(record.sizes.active, record.database.sizes.active), 'sizes', 'active'),
  ),
  fact('pendingCount', 'count', 'How many changes of the database are not in it yet.', (record) =>
    figureAt(record, record.pendingCount, 'updates_pending', 'total'),
  ),
  fact(
    'pendingShare',
    'share',
    'Those changes as a share of all documents and tombstones of the database.',
    (record) => {
      const { docCount, deletedCount = 0 } = record.database;
      const all = docCount === undefined ? undefined : docCount + deletedCount;
      return figureAt(record, ratio(record.pendingCount, all), 'updates_pending', 'total');
    },
  ),
  fact('waitingCount', 'count', 'How many requests wait for it to be brought up to date.', (record) =>
    figureAt(record, record.waitingCount, 'waiting_clients'),
  ),
  fact('isUpdating', 'boolean', 'Whether it is being brought up to date.', (record) =>
    figureAt(record, record.isUpdating, 'updater_running'),
  ),
  fact(
    'isUpdatedAlone',
    'boolean',
    'Whether its design document lets the server bring it up to date without being asked (`autoupdate`).',
    ({ database, designDoc }) => {
      const document = database.designDocs?.find(({ id }) => id === designDoc);
      return document ? { value: document.isUpdatedAlone } : { unknown: 'its design document may not be read' };
    },
  ),
  {
    ...fact('wholeDocViews', 'list', 'Its views that emit whole documents.', wholeDocViews),
    sources: ['live-server', 'design-docs'],
    basis: 'inferred',
  },
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
  if (document?.kind !== 'design-doc') return { unknown: 'its design document was judged at another database' };
  const views = document.views.filter((view) => {
    const emits = ask(view, 'view.emitsWholeDoc');
    return isKnown(emits) && emits.value === true;
  });
  return { value: views.map(({ name, place }) => ({ value: name, place })) };
}
