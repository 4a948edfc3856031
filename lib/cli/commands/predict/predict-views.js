// Predicts the index files of design documents and Mango indexes: runs their maps on sample documents in the sandbox.

import { createSubjects, entries, isJavaScript } from '../../../facts/subjects.js';
import { openSandbox } from '../../../sandbox/sandbox.js';
import { asObject } from '../../../shared/values.js';
import { member, plainValue } from '../../../sources/record.js';
import { readViews } from '../../read-views.js';
import { rowsOfMango, runMap, sizeIndex } from '../../sample-rows.js';

/** @import { DesignDocSubject, Target } from '../../../facts/fact.js' */
/** @import { IndexDefinition } from '../../../facts/mango/index-rows.js' */
/** @import { PredictedView } from '../../../storage-model/predict-index.js' */
/** @import { IndexReport } from '../../../reports/predict.js' */
/** @import { Row, SampleDocument } from '../../sample-rows.js' */
/** @import { Sandbox } from '../../../sandbox/sandbox.js' */
/** @import { MangoIndexRecord, SourceRecord } from '../../../sources/record.js' */

/**
 * @typedef {object} Surrounding
 * @property {SampleDocument[]} documents of the sample
 * @property {number} total documents in the database
 * @property {number} shards
 * @property {{perSecond: number, from: string} | undefined} rate documents indexed in a second
 * @property {Target} target
 */

/**
 * @param {SourceRecord[]} records
 * @param {Surrounding} surrounding
 * @returns {Promise<IndexReport[]>} in the order of the records
 */
export async function predictViews(records, surrounding) {
  const sandbox = openSandbox();
  /** @type {IndexReport[]} */
  const reports = [];
  try {
    for (const subject of createSubjects(records, surrounding.target).subjects) {
      if (subject.kind === 'design-doc') {
        const report = await predictDesignDoc(subject, sandbox, surrounding);
        if (report) reports.push(report);
      } else if (subject.kind === 'index') reports.push(predictMango(subject.record, surrounding));
    }
  } finally {
    await sandbox.close();
  }
  return reports;
}

/**
 * @param {DesignDocSubject} subject
 * @param {Sandbox} sandbox
 * @param {Surrounding} surrounding
 * @returns {Promise<IndexReport | undefined>} undefined where it has no views
 */
async function predictDesignDoc(subject, sandbox, surrounding) {
  const { record } = subject;
  const views = readViews([record], surrounding.target);
  const about = { designDoc: record.id, name: '', file: record.file.path, kind: /** @type {const} */ ('views') };
  const language = member(record.node, 'language');
  const name = language?.type === 'string' ? language.value : 'javascript';
  if (name === 'query') {
    const stored = entries(member(record.node, 'views'));
    if (stored.length === 0) return undefined;
    const names = stored.map(({ key }) => key);
    const trees = stored.map(({ node }) =>
      rowsOfMango(asDefinition(asObject(plainValue(node))?.['map']), surrounding.documents),
    );
    const problem = trees.find((tree) => 'unknown' in tree);
    if (problem && 'unknown' in problem) return { ...about, views: names, notes: [], unknown: problem.unknown };
    return figuresOf(
      { ...about, views: names, notes: [] },
      trees.map((rows) => ({ rows: 'unknown' in rows ? [] : rows, reduce: '_count' })),
      surrounding,
    );
  }
  if (subject.views.length === 0) return undefined;
  const names = subject.views.map((view) => view.name);
  if (!isJavaScript(name) || views.length < subject.views.length)
    return { ...about, views: names, notes: [], unknown: 'a map is missing or not JavaScript' };
  /** @type {string[]} */
  const notes = [];
  // Views with the same map share a B-tree (couch_mrview_util.erl, `ddoc_to_mrst`).
  /** @type {Map<string, {rows: Row[], reduce: string[]}>} */
  const trees = new Map();
  for (const [at, view] of views.entries()) {
    const reduce = view.builtin ?? view.reduce?.text;
    const known = trees.get(view.map.text);
    const tree = known ?? { rows: [], reduce: [] };
    if (reduce !== undefined) tree.reduce.push(reduce);
    if (known) continue;
    trees.set(view.map.text, tree);
    const { rows, problem } = await runMap(view, surrounding.documents, sandbox);
    tree.rows = rows;
    if (problem !== undefined) notes.push(`view \`${names[at]}\` ${problem}`);
  }
  return figuresOf({ ...about, views: names, notes }, [...trees.values()], surrounding);
}

/**
 * @param {MangoIndexRecord} record
 * @param {Surrounding} surrounding
 * @returns {IndexReport}
 */
function predictMango({ ddoc, name, file, node }, surrounding) {
  const designDoc = ddoc === null || ddoc.startsWith('_design/') ? ddoc : `_design/${ddoc}`;
  const about = {
    designDoc,
    name: name ?? '',
    file: file.path,
    views: [],
    notes: [],
    kind: /** @type {const} */ ('mango'),
  };
  const type = member(node, 'type');
  if (node.isOpen) return { ...about, unknown: 'code computes the definition of the index' };
  if (type?.type === 'string' && type.value !== 'json')
    return { ...about, unknown: `the files of a ${type.value} index are of another kind` };
  const index = member(node, 'index');
  const rows = rowsOfMango(asDefinition(index && plainValue(index)), surrounding.documents);
  if ('unknown' in rows) return { ...about, unknown: rows.unknown };
  const notes = rows.length === 0 ? ['no document has all columns of the index'] : [];
  return figuresOf({ ...about, notes }, [{ rows, reduce: '_count' }], surrounding);
}

/**
 * @param {Omit<IndexReport, 'prediction' | 'buildSeconds'>} about
 * @param {PredictedView[]} views
 * @param {Surrounding} surrounding
 * @returns {IndexReport}
 */
function figuresOf(about, views, { documents, total, shards, rate }) {
  const prediction = sizeIndex(views, { documents, total, shards });
  const notes = prediction.isReduceGuessed
    ? [...about.notes, 'the size of the results of a reduce is guessed from the emitted values']
    : about.notes;
  return { ...about, notes, prediction, buildSeconds: rate && total / rate.perSecond };
}

/** @param {unknown} value @returns {IndexDefinition | undefined} */
function asDefinition(value) {
  const fields = asObject(value)?.['fields'];
  return typeof fields === 'object' && fields !== null ? /** @type {IndexDefinition} */ (value) : undefined;
}
