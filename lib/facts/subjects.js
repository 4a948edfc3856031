// Makes the subjects that rules are about from records (documents, views, functions, filters, indexes, settings), linked to their parents. Judges
// nothing; what has the wrong shape gives no subject and is reported by the facts of the document.

import { entry, entryPlace, member, memberOrOpen, nodePlace } from '../sources/record.js';
import { modulesElsewhere } from './javascript/requires.js';

/** @import { ChangeRecord, DesignDocRecord, ObjectNode, SourceRecord, StringNode, ValueNode } from '../sources/record.js' */
/** @import { DatabaseRecord, FindQueryRecord, NodeRecord, ViewIndexRecord } from '../sources/live/record.js' */
/** @import { ChangeSubject, DatabaseSubject, DesignDocSubject, FindQuerySubject, FunctionSubject, NodeSubject, RunSubject, SearchIndexSubject, ServerSubject, Subject, Target, ViewIndexSubject, ViewSubject } from './fact.js' */
/** @import { FunctionRole } from '../javascript/engines.js' */

/** Members that hold functions by name, and what these are for (CouchDB 3.5 docs, ddocs/ddocs). @type {[string, FunctionRole][]} */
const FUNCTION_GROUPS = [
  ['filters', 'filter'],
  ['updates', 'update'],
  ['shows', 'show'],
  ['lists', 'list'],
];

/** Members that hold full-text indexes, each an object with an `index` function: Clouseau, Nouveau, couchdb-lucene. */
const SEARCH_GROUPS = /** @type {const} */ ([
  ['indexes', 'clouseau'],
  ['nouveau', 'nouveau'],
  ['fulltext', undefined],
]);

/** Names of built-in reduces begin so; anything else is source text (couch_query_servers.erl, 3.5.2). */
const BUILTIN_PREFIX = '_';

/**
 * @param {SourceRecord[]} records
 * @param {Target} target of the run
 * @param {(file: string) => Target} [targetOf] of what a file holds, where folders have their own
 * @returns {RunSubject} with every subject of the run, itself the last parent of each that has its target; the others have one that
 *   differs in the target alone
 */
export function createSubjects(records, target, targetOf = () => target) {
  /** @type {RunSubject} */
  const main = { kind: 'run', name: 'run', place: { file: '.', line: 1, column: 1 }, target, subjects: [] };
  const code = records.find((record) => record.kind === 'code');
  if (code) main.code = code;
  const runs = new Map([[nameOfTarget(target), main]]);
  /** Those of servers, for the subjects that belong to them. @type {Map<SourceRecord, NodeSubject | DatabaseSubject>} */
  const parents = new Map();
  for (const record of records) {
    const own = targetOf(record.file.path);
    const run = runs.get(nameOfTarget(own)) ?? { ...main, target: own };
    runs.set(nameOfTarget(own), run);
    if (record.kind === 'design-doc') run.subjects.push(...designDocSubjects(record, run));
    else if (record.kind === 'mango-index') {
      const place = nodePlace(record.node);
      const name = record.name ?? record.ddoc ?? (record.isInCode ? `${place.file}:${place.line}` : place.file);
      run.subjects.push({ kind: 'index', name, record, place, parent: run });
    } else if (record.kind === 'request') {
      const [example = { file: record.file.path, line: 1 }] = record.examples;
      run.subjects.push({ kind: 'request', name: record.name, record, place: linePlace(example), parent: run });
    } else if (record.kind === 'build') {
      run.subjects.push({ kind: 'build', name: record.name, record, place: record.file.place(0), parent: run });
    } else if (record.kind === 'container') {
      run.subjects.push({ kind: 'container', name: record.name, record, place: record.place, parent: run });
    } else if (record.kind === 'replication') {
      run.subjects.push({ kind: 'replication', name: record.name, record, place: record.place, parent: run });
    } else if (record.kind === 'log') {
      run.subjects.push({ kind: 'log', name: record.file.path, record, place: record.file.place(0), parent: run });
    } else if (record.kind === 'call') {
      const place = record.file.place(record.start, record.end);
      run.subjects.push({ kind: 'call', name: record.name, record, place, parent: run });
    } else if (record.kind === 'change') run.subjects.push(changeSubject(record, run));
    else if (record.kind === 'node' || record.kind === 'database') {
      const subject = record.kind === 'node' ? nodeSubject(record, run) : databaseSubject(record, parents, run);
      parents.set(record, subject);
      run.subjects.push(subject);
    } else if (record.kind === 'view-index' || record.kind === 'find-query') {
      const parent = parents.get(record.database);
      if (parent?.kind === 'database') run.subjects.push(partSubject(record, parent));
    } else if (record.kind !== 'code') {
      const place = record.file.place(0);
      const about = { name: record.file.path, place, parent: run };
      if (record.kind === 'load') run.subjects.push({ kind: 'load', record, ...about });
      else run.subjects.push(...serverSubjects({ kind: 'server', record, ...about }));
    }
  }
  return main;
}

/** @param {Target} target @returns {string} */
function nameOfTarget({ version, engine }) {
  return `${version} ${engine}`;
}

/**
 * @param {ServerSubject} server
 * @returns {Subject[]} the configuration, and each of its options
 */
function serverSubjects(server) {
  const options = server.record.options.map((option) => {
    const name = `[${option.section}] ${option.key}`;
    return { kind: /** @type {const} */ ('option'), name, option, place: option.place, parent: server };
  });
  return [server, ...options];
}

/**
 * @param {{file: string, line: number}} line of a log
 * @returns {import('../shared/source-file.js').Place}
 */
export function linePlace({ file, line }) {
  return { file, line, column: 1 };
}

/**
 * @param {NodeRecord} record
 * @param {RunSubject} run
 * @returns {NodeSubject}
 */
function nodeSubject(record, run) {
  return { kind: 'node', name: record.origin, record, place: record.placeOf('version'), parent: run };
}

/**
 * @param {DatabaseRecord} record
 * @param {ReadonlyMap<SourceRecord, NodeSubject | DatabaseSubject>} parents
 * @param {RunSubject} run
 * @returns {DatabaseSubject}
 */
function databaseSubject(record, parents, run) {
  const node = record.server && parents.get(record.server);
  const parent = node?.kind === 'node' ? node : run;
  return { kind: 'database', name: record.name, record, place: record.file.place(0), parent };
}

/**
 * @param {ViewIndexRecord | FindQueryRecord} record
 * @param {DatabaseSubject} parent
 * @returns {ViewIndexSubject | FindQuerySubject}
 */
function partSubject(record, parent) {
  const place = record.file.place(0);
  if (record.kind === 'find-query') return { kind: 'find-query', name: record.name, record, place, parent };
  return { kind: 'view-index', name: record.designDoc.replace(/^_design\//, ''), record, place, parent };
}

/**
 * @param {ChangeRecord} record
 * @param {RunSubject} run
 * @returns {ChangeSubject}
 */
function changeSubject(record, run) {
  const [before, after] = [record.before, record.after].map((version) => designDocSubjects(version, run)[0]);
  if (before?.kind !== 'design-doc' || after?.kind !== 'design-doc')
    throw new TypeError('a design document is no subject');
  return { kind: 'change', name: after.name, record, before, after, place: after.place, parent: run };
}

/**
 * @param {DesignDocRecord} record
 * @param {RunSubject} run
 * @returns {Subject[]} the document, its views, its functions, its filters and its validation function
 */
function designDocSubjects(record, run) {
  const { node } = record;
  const language = member(node, 'language');
  const idNode = member(node, '_id');
  /** @type {DesignDocSubject} */
  const designDoc = {
    kind: 'design-doc',
    record,
    name: record.id?.replace(/^_design\//, '') ?? record.file.path,
    language: language?.type === 'string' && language.value !== '' ? language.value : 'javascript',
    place: idNode ? nodePlace(idNode) : firstPlace(node),
    views: [],
    functions: [],
    parent: run,
  };
  /** @type {Subject[]} */
  const subjects = [designDoc];
  if (designDoc.language === 'query') return subjects;

  addViews(designDoc);
  for (const [group, role] of FUNCTION_GROUPS) {
    for (const item of entries(member(node, group))) addFunction(designDoc, item.node, role, `${group}.${item.key}`);
  }
  /** @type {SearchIndexSubject[]} */
  const searchIndexes = [];
  for (const [group, engine] of SEARCH_GROUPS) {
    for (const item of entries(member(node, group))) {
      const name = `${group}.${item.key}`;
      const fn = addFunction(designDoc, member(item.node, 'index'), 'search', `${name}.index`);
      if (!engine || item.node.type !== 'object') continue;
      const about = { kind: /** @type {const} */ ('search-index'), name, engine, node: item.node, function: fn };
      searchIndexes.push({ ...about, place: entryPlace(item), parent: designDoc });
    }
  }
  addFunction(designDoc, member(node, 'validate_doc_update'), 'validate', 'validate_doc_update');
  addFunction(designDoc, member(node, 'rewrites'), 'rewrite', 'rewrites');
  for (const module of modulesElsewhere(designDoc)) addFunction(designDoc, module.node, 'library', module.name);

  // What was read of a function is kept for a short while: a view comes right before its own functions.
  for (const view of designDoc.views) subjects.push(view, ...designDoc.functions.filter((fn) => fn.view === view.name));
  subjects.push(...designDoc.functions.filter((fn) => fn.view === undefined), ...searchIndexes);
  for (const fn of designDoc.functions) {
    if (fn.role !== 'filter' && fn.role !== 'validate') continue;
    subjects.push({ kind: fn.role, name: fn.name, function: fn, place: fn.place, parent: fn });
  }
  return subjects;
}

/** @param {DesignDocSubject} designDoc */
function addViews(designDoc) {
  for (const { key: name, keyStart, keyEnd, node } of entries(member(designDoc.record.node, 'views'))) {
    if (name === 'lib') {
      addModules(designDoc, node, 'views.lib');
      continue;
    }
    const isShorthand = isBareMap(designDoc.record, node);
    if (node.type !== 'object' && !isShorthand) continue;
    const mapNode = isShorthand ? node : memberOrOpen(node, 'map');
    const reduceNode = memberOrOpen(node, 'reduce');
    const isBuiltin = reduceNode?.type === 'string' && reduceNode.value.trimStart().startsWith(BUILTIN_PREFIX);
    /** @type {ViewSubject} */
    const view = {
      kind: 'view',
      name,
      node,
      mapNode,
      reduceNode,
      map: addFunction(designDoc, mapNode, 'map', `views.${name}.map`, name),
      reduce: isBuiltin ? undefined : addFunction(designDoc, reduceNode, 'reduce', `views.${name}.reduce`, name),
      proof: undefined,
      documentTrial: undefined,
      // A view of a couchapp folder has no characters of its own: it stands where its map does.
      place: keyEnd > keyStart ? node.file.place(keyStart, keyEnd) : firstPlace(mapNode ?? node),
      parent: designDoc,
    };
    designDoc.views.push(view);
  }
}

/**
 * Modules of some projects give a view as its map alone, and a script of theirs makes the view of it.
 * @param {Pick<DesignDocRecord, 'origin'>} record
 * @param {ValueNode} node a member of `views`
 * @returns {boolean}
 */
export function isBareMap(record, node) {
  return record.origin === 'module' && node.type === 'string' && node.isFunction === true;
}

/**
 * @param {DesignDocSubject} designDoc
 * @param {ValueNode} node `views.lib` or an object in it
 * @param {string} path
 */
function addModules(designDoc, node, path) {
  if (node.type === 'string') addFunction(designDoc, node, 'library', path);
  for (const item of entries(node)) addModules(designDoc, item.node, `${path}.${item.key}`);
}

/**
 * @param {DesignDocSubject} designDoc
 * @param {ValueNode | undefined} node
 * @param {FunctionRole} role
 * @param {string} name
 * @param {string} [view]
 * @returns {FunctionSubject | undefined} undefined where there is no text, or it is not JavaScript
 */
function addFunction(designDoc, node, role, name, view) {
  if (node?.type !== 'string' || !isJavaScript(designDoc.language)) return undefined;
  if (role === 'rewrite' && !node.value.includes('function') && !node.value.includes('=>')) return undefined;
  const { text } = node;
  const place = text.wholePlace ?? nodePlace(node);
  const isModule = role === 'library';
  // node.couchapp.js 0.11 pushes `function ` and what stands from the first parenthesis on; nano and others what toString() gives.
  const mayLoseName = node.isFunction === true && node.isConverted !== true;
  const about = { kind: /** @type {const} */ ('function'), role, name, view, place, parent: designDoc };
  /** @type {FunctionSubject} */
  const subject = {
    ...about,
    text,
    isModule,
    mayLoseName,
    inlinable: node.inlinable,
    trial: undefined,
    evidence: undefined,
    witness: undefined,
    writes: undefined,
  };
  designDoc.functions.push(subject);
  return subject;
}

/**
 * The languages whose functions are JavaScript (couch_proc_manager.erl, 3.4: `javascript_quickjs` and
 * `javascript_spidermonkey` name an engine of it).
 * @param {string} language
 * @returns {boolean}
 */
export function isJavaScript(language) {
  return language === 'javascript' || language === 'javascript_quickjs' || language === 'javascript_spidermonkey';
}

/**
 * @param {ValueNode | undefined} node
 * @returns {import('../sources/record.js').Entry[]} the members of an object, the last of equal keys only
 */
export function entries(node) {
  if (node?.type !== 'object') return [];
  return node.entries.filter((item) => entry(node, item.key) === item);
}

/**
 * @param {ObjectNode | StringNode | ValueNode} node
 * @returns {import('../shared/source-file.js').Place} the node's first line
 */
function firstPlace(node) {
  return node.file.place(node.start);
}
