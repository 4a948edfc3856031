// Prepares an arm in a database before it is measured: the documents on all nodes, its design document or index, built,
// and records what that took.

import { formatCount } from '../../../shared/units.js';
import { UserError } from '../../../shared/user-error.js';

/** @import { Target } from '../../servers/target.js' */
/** @import { Arm, ArmSetup } from '../experiment.js' */
/** @import { Built } from '../summary.js' */
/** @import { Request } from '../workload.js' */

/**
 * Saves the design documents and indexes of an arm. Functions get a comment of their own: two views with the same functions share one
 * index whatever their documents are called (couch_mrview_util.erl ddoc_to_mrst, CouchDB 3.5.0), and an arm must pay for its own.
 * @param {Target} target
 * @param {string} database
 * @param {Arm} arm
 * @param {string} name of its design document, where the arm gives none
 * @returns {Promise<void>}
 */
export async function saveIndex(target, database, { designDoc, index, setup }, name) {
  const { indexes, designDocs } = setup ?? {
    indexes: index ? [{ ...index, designDoc: name, name }] : [],
    designDocs: designDoc ? [{ id: name, ...designDoc }] : [],
  };
  for (const { designDoc: ddoc, name: own, ...definition } of indexes) {
    await target.write(database, 'POST', '_index', { index: definition, ddoc, name: own, type: 'json' });
  }
  for (const { id, views = {}, filters } of designDocs) {
    const marked = Object.entries(views).map(([view, { map, reduce }]) => [
      view,
      { map: `${map} /* ${name} */`, ...(reduce === undefined ? {} : { reduce }) },
    ]);
    await target.write(database, 'PUT', `_design/${encodeURIComponent(id)}`, {
      language: 'javascript',
      // Else the server builds it by itself, whenever it likes.
      autoupdate: false,
      ...(marked.length > 0 ? { views: Object.fromEntries(marked) } : {}),
      ...(filters ? { filters } : {}),
    });
  }
}

/**
 * Brings all views and indexes of an arm up to date, whether or not its requests use them. CouchDB 3.5.0 answers `_view` of an index of Mango,
 * too; PouchDB builds one while it is saved.
 * @param {Target} target
 * @param {string} database
 * @param {ArmSetup} setup
 * @param {() => number} clock milliseconds
 * @returns {Promise<number>} how long it took, in milliseconds
 */
export async function buildSetup(target, database, { designDocs, indexes }, clock) {
  const started = clock();
  const first = [
    ...designDocs.map(({ id, views }) => [id, Object.keys(views)[0]]),
    ...(target.server.kind === 'embedded' ? [] : indexes.map(({ designDoc, name }) => [designDoc, name])),
  ];
  for (const [id = '', view = ''] of first) {
    const path = `_design/${encodeURIComponent(id)}/_view/${encodeURIComponent(view)}`;
    await target.read(database, `${path}?limit=1&reduce=false`);
  }
  return Math.max(0, clock() - started);
}

/** Between looks at a cluster, in milliseconds, and how often it is looked. */
const LOOK_EVERY = 100;
const MAX_LOOKS = 300;

/**
 * Waits until each copy of a shard has the documents. A write is answered when most copies have it, and what is read of a cluster comes from
 * any copy, which may still be without (fabric_db_info.erl, 3.5.0).
 * @param {Target} target
 * @param {string} database
 * @param {number} documents
 * @param {(milliseconds: number) => Promise<void>} pause
 * @throws {UserError} where fewer arrive
 */
export async function waitForDocuments(target, database, documents, pause) {
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    const { doc_count: count } = await target.read(database, '');
    if (typeof count !== 'number' || count >= documents) return;
    await pause(LOOK_EVERY);
  }
  throw new UserError(
    'wrong-answer',
    `fewer than ${formatCount(documents)} documents were visible after ${(MAX_LOOKS * LOOK_EVERY) / 1000} s`,
  );
}

/**
 * Waits until no copy of an index is being built: a query is answered by the first copies that have it, and the others go on.
 * @param {Target} target
 * @param {string} database
 * @param {(milliseconds: number) => Promise<void>} pause
 */
export async function waitForIndexers(target, database, pause) {
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    const { status, body } = await target.server.ask('GET', '_active_tasks');
    const tasks = status === 200 && Array.isArray(body) ? body : [];
    if (!tasks.some((task) => task?.type === 'indexer' && String(task?.database).includes(database))) return;
    await pause(LOOK_EVERY);
  }
}

/**
 * Queries until the whole index is built.
 * @param {Target} target
 * @param {string} database
 * @param {Arm} arm
 * @param {Request} request the arm's own, which makes the server build
 * @param {() => number} clock milliseconds
 * @returns {Promise<number>} how long it took, in milliseconds
 */
export async function buildIndex(target, database, arm, request, clock) {
  const started = clock();
  if (request.method === 'GET') await target.read(database, request.path);
  else {
    const body = request.body === undefined ? undefined : JSON.parse(request.body);
    await target.write(database, 'POST', request.path, body);
  }
  const took = clock() - started;
  if (took < 0) throw new UserError('clock-ran-back', `the clock was set back while \`${arm.id}\` was built`);
  return took;
}

/**
 * @param {Target} target
 * @param {string} database
 * @param {string[]} names of design documents
 * @returns {Promise<Built['sizes']>} bytes of their indexes; empty where the server reports none
 */
export async function readIndexSizes(target, database, names) {
  let bytes = 0;
  for (const name of new Set(names)) {
    const { view_index: index } = await target.read(database, `_design/${encodeURIComponent(name)}/_info`);
    const active = index?.sizes?.active;
    if (typeof active === 'number') bytes += active;
  }
  return bytes > 0 ? { index: bytes } : {};
}

/**
 * @param {ArmSetup} setup
 * @returns {string[]} names of its design documents
 */
export function designDocsOf({ designDocs, indexes }) {
  return [...designDocs.map(({ id }) => id), ...indexes.map(({ designDoc }) => designDoc)];
}

/**
 * @param {Target} target
 * @param {string} database
 * @returns {Promise<Built['sizes']>} bytes of the database's files; empty where the server reports none
 */
export async function readDatabaseSizes(target, database) {
  const { sizes } = await target.read(database, '');
  if (typeof sizes?.file !== 'number' || typeof sizes?.active !== 'number') return {};
  return { file: sizes.file, active: sizes.active };
}
