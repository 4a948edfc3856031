// Facts about what CouchDB reports in its log about itself: results of couch_scanner, joined with the design documents that were read, and errors.

import { formatCount } from '../../shared/units.js';
import { factsOf } from '../fact.js';
import { compareBytes } from '../index-groups/erlang-term.js';

/** @import { LogRecord, ReportFigures } from '../../sources/record.js' */
/** @import { DeclareFact, DesignDocSubject, FactDeclaration, Item, LogSubject, ViewSubject } from '../fact.js' */

/** Functions with one of these are left out of the comparison (INTEDERMINISM_HEURISTICS, couch_quickjs_scanner_plugin.erl, 3.5.2). */
const NOT_COMPARED = ['Math.random()', 'Date.now()', 'new Date()'];
const MS_PER_MINUTE = 60_000;
/** Without `_users` CouchDB reports it every 5 seconds (chttpd_auth_cache.erl, 3.5.2). */
const MISSING_EVERY_MINUTES = 1;

/** @type {DeclareFact<LogSubject>} */
const logFact = factsOf({ subject: 'log', sources: ['logs'], basis: 'measured' });

/** @type {FactDeclaration<LogSubject>[]} */
export const serverReportFacts = [
  logFact('log.engineDifferences', 'list', {
    meaning:
      'Functions that gave other results in QuickJS than in SpiderMonkey, as `couch_quickjs_scanner_plugin` reports.',
    phrases: '`{value}` gave other results in QuickJS',
    extract: ({ record, parent }) => {
      const documents = parent.subjects.filter((subject) => subject.kind === 'design-doc');
      const items = reportsOf(record, 'engines-differ').map((report) => differingItem(report, documents));
      // A reduce is compared in both of its passes.
      return { value: items.filter(({ value }, at) => items.findIndex((other) => other.value === value) === at) };
    },
  }),
  errorCount('log.openDatabaseErrorCount', 'databases-open', 'that all open databases are in use (`all_dbs_active`)'),
  errorCount('log.fileDescriptorErrorCount', 'file-descriptors', 'that no file descriptor is left (`emfile`)'),
  errorCount('log.closedShardErrorCount', 'no-shards', 'that no shard of a database could be opened'),
  errorCount('log.searchUnreachableCount', 'search-unreachable', 'that Clouseau cannot be reached'),
  errorCount('log.searchTooOldCount', 'search-too-old', 'that Clouseau cannot talk to this version of Erlang'),
  logFact('log.usersMissingMinutes', 'count', {
    meaning:
      'Minutes during which CouchDB reports that `_users` does not exist; 0 where it does not do so at the end of the log.',
    phrases: '`_users` is missing for {value} {minute|minutes}',
    extract: ({ record }) => {
      const [report] = reportsOf(record, 'users-missing');
      if (!report) return { value: 0 };
      if (report.from === null || report.to === null || record.to === null)
        return { unknown: 'the log lines have no timestamps', place: placeOf(report) };
      const silent = (Date.parse(record.to) - Date.parse(report.to)) / MS_PER_MINUTE;
      const minutes = Math.floor((Date.parse(report.to) - Date.parse(report.from)) / MS_PER_MINUTE);
      return { value: silent > MISSING_EVERY_MINUTES ? 0 : minutes, place: placeOf(report) };
    },
  }),
  logFact('log.mostConflictingRevisions', 'count', {
    meaning:
      'The largest number of conflicting revisions of one document, the winning one included, that `couch_scanner` reports.',
    phrases: 'one document has {value} conflicting {revision|revisions}',
    extract: ({ record }) => {
      const [first] = reportsOf(record, 'conflicted-document').sort((one, other) => other.most - one.most);
      return { value: first?.most ?? 0, place: first && placeOf(first) };
    },
  }),
  logFact('log.conflictedDatabases', 'list', {
    meaning:
      'Databases in which `couch_scanner` reports conflicts, with the number of conflicting revisions where it counts them.',
    extract: ({ record }) => {
      const counts = new Map(reportsOf(record, 'conflicted-document').map((report) => [report.database, report]));
      for (const report of reportsOf(record, 'conflicts')) counts.set(report.database, report);
      const value = [...counts.values()].map((report) => ({
        value: `${report.database}${report.kind === 'conflicts' ? `: ${formatCount(report.most)}` : ''}`,
        place: placeOf(report),
      }));
      return { value };
    },
  }),
];

/**
 * @param {string} id
 * @param {string} kind of report
 * @param {string} what it says
 * @returns {FactDeclaration<LogSubject>}
 */
function errorCount(id, kind, what) {
  return logFact(id, 'count', {
    meaning: `Number of log lines in which CouchDB reports ${what}.`,
    phrases: `{value} {line|lines} report ${what}`,
    extract: ({ record }) => {
      const reports = reportsOf(record, kind);
      const place = reports[0] && placeOf(reports[0]);
      return { value: reports.reduce((sum, { count }) => sum + count, 0), place };
    },
  });
}

/**
 * @param {LogRecord} record
 * @param {string} kind
 * @returns {ReportFigures[]}
 */
function reportsOf({ serverReports }, kind) {
  return serverReports.filter((report) => report.kind === kind);
}

/**
 * @param {ReportFigures} report
 * @returns {Item['place']} of its first line
 */
function placeOf({ examples: [first] }) {
  return first && { file: first.file, line: first.line, column: 1 };
}

/**
 * @param {ReportFigures} report
 * @param {DesignDocSubject[]} documents
 * @returns {Item} the function, at its place where its design document was read
 */
function differingItem(report, documents) {
  const { database, designDoc, detail } = report;
  const [role = '', ...names] = detail.split(' ');
  const document = documentOf(report, documents);
  const [, number, count] = role === 'map' ? (/^(\d+)\/(\d+)$/.exec(names.join(' ')) ?? []) : [];
  const view = number === undefined ? undefined : viewAt(document, Number(number), Number(count));
  const name = pathOf(role, names.join(' '), { view, number, count });
  const found = document?.functions.find((each) => each.name === name);
  const value = `${[database, designDoc].filter(Boolean).join('/')} ${name}`;
  return { value, place: found?.place ?? placeOf(report) };
}

/**
 * @param {string} role
 * @param {string} name
 * @param {{view: ViewSubject | undefined, number: string | undefined, count: string | undefined}} map
 * @returns {string} as functions of design documents are named, where that is known
 */
function pathOf(role, name, { view, number, count }) {
  if (view) return `views.${view.name}.map`;
  if (role === 'map') return number === undefined ? 'views' : `views (map ${number} of ${count} in the order of names)`;
  if (role === 'reduce') return `views.${name}.reduce`;
  if (role === 'filter' || role === 'update') return `${role}s.${name}`;
  return [role, name].filter(Boolean).join(' ');
}

/**
 * @param {ReportFigures} report
 * @param {DesignDocSubject[]} documents
 * @returns {DesignDocSubject | undefined} the only one of its id; of several the one of its database
 */
function documentOf({ database, designDoc }, documents) {
  const named = documents.filter(({ record }) => record.id === designDoc);
  const [found, ...others] = named;
  return others.length === 0 ? found : named.find(({ record }) => record.database?.name === database);
}

/**
 * @param {DesignDocSubject | undefined} document
 * @param {number} number from 1
 * @param {number} count of results
 * @returns {ViewSubject | undefined} results come in the order of the names of views, those aside that are not compared
 */
function viewAt(document, number, count) {
  const compared = (document?.views ?? []).filter(isCompared).sort((one, other) => compareBytes(one.name, other.name));
  return compared.length === count ? compared[number - 1] : undefined;
}

/** @param {ViewSubject} view @returns {boolean} */
function isCompared({ mapNode, reduceNode }) {
  if (mapNode?.type !== 'string') return false;
  const sources = [mapNode.value, reduceNode?.type === 'string' ? reduceNode.value : ''];
  return !NOT_COMPARED.some((call) => sources.some((source) => source.includes(call)));
}
