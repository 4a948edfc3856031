// Makes records of a server's responses. Trusts nothing about their shape: what is not as CouchDB sends it counts as
// missing.

import { decodeEscapes } from '../../shared/attempt.js';
import { asCount, asObject } from '../../shared/values.js';
import { joinFunctionLines } from '../design-docs/function-lines.js';
import { replicationOf } from '../design-docs/replication.js';
import { parseJsonTree } from '../design-docs/value-tree.js';
import { member } from '../record.js';
import {
  COMPACTIONS,
  changesPath,
  databasePath,
  designDocsPath,
  FAILING_JOBS,
  indexInfoPath,
  JOBS,
} from './allowed-requests.js';
import {
  booleanOf,
  compactionsOf,
  conflictsOf,
  countersOf,
  designDocsOf,
  engineOf,
  hasAllJobs,
  okAnswer,
  queryOf,
  sizesOf,
  sketchOf,
  textsOf,
  versionOf,
} from './answer-parts.js';
import { createConfigRecord } from './config-record.js';
import { DatabaseGroups } from './database-groups.js';
import { createPlaceOf, isTooDeep, showAnswer, tooDeep } from './show-answer.js';

/** @import { DesignDocRecord, ReadError, ReadResult, SourceRecord } from '../record.js' */
/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { Answers } from './answers-file.js' */
/** @import { DatabaseRecord, NodeRecord, Shown, ViewIndexRecord } from './record.js' */

/** A query whose plan is requested; `database` is a name or a glob. @typedef {{database: string, body: Record<string, unknown>}} DeclaredQuery */
/** @typedef {{path: string, reason: string}} Note */

const CONFIG = '/_node/_local/_config';
/** How the reasons of notes end about what the server refuses to these credentials. */
export const NOT_ALLOWED = 'may not be read';

export class LiveRecords {
  /** @type {SourceRecord[]} */
  records = [];
  /** @type {ReadError[]} */
  errors = [];
  /** @type {Note[]} */
  notes = [];
  /** @type {SourceFile[]} */
  shown = [];
  /** @type {NodeRecord | undefined} */
  #node;
  #databaseCount = 0;
  #groups = new DatabaseGroups();
  /** The first record of each design document, by its text. @type {Map<string, DesignDocRecord>} */
  #documents = new Map();

  /** @param {string} origin `http://host:5984`, which all addresses begin with */
  constructor(origin) {
    this.origin = origin;
  }

  /** @returns {Required<ReadResult>} */
  result() {
    const { records, errors, shown } = this;
    const notes = [...this.notes, ...this.#groups.notes((name) => this.#address(databasePath(name)))];
    return { records, errors, notes, shown, databases: this.#databaseCount };
  }

  /**
   * @param {Answers} answers of the server itself: they come before those of databases
   * @param {{databases: number | undefined, own: string[] | undefined, at: string | undefined}} about how many databases it has and which of those of
   *   CouchDB itself, where that is known; when it was read
   */
  addServer(answers, { databases, own, at }) {
    const welcome = asObject(answers.get('/'));
    const shown = this.#show('/', welcome ?? {});
    const versions = asObject(okAnswer(answers, '/_node/_local/_versions'));
    const membership = asObject(okAnswer(answers, '/_membership'));
    const members = namesOf(membership?.['cluster_nodes']);
    const connected = namesOf(membership?.['all_nodes']);
    if (shown) {
      this.#node = {
        kind: 'node',
        ...shown,
        origin: this.origin,
        version: versionOf(welcome?.['version']),
        engine: engineOf(asObject(versions?.['javascript_engine'])),
        databaseCount: databases,
        own,
        members,
        compactions: compactionsOf(okAnswer(answers, COMPACTIONS)),
        hasAllJobs: hasAllJobs(okAnswer(answers, JOBS)),
        recording: { at, records: this.records },
        nodeCount: members?.length,
        downNodes: connected && members?.filter((name) => !connected.includes(name)),
        counters: countersOf(okAnswer(answers, '/_node/_local/_stats')),
      };
      this.records.push(this.#node);
    }
    this.#addJobs(FAILING_JOBS, okAnswer(answers, FAILING_JOBS));
    this.#addJobs(JOBS, okAnswer(answers, JOBS));
    const config = asObject(okAnswer(answers, CONFIG));
    if (config) this.#add(createConfigRecord(`${this.origin}${CONFIG}`, config));
    // CouchDB before 2.0 has no such path.
    else if (answers.has(CONFIG) && errorOf(answers.get(CONFIG)) !== 'not_found')
      this.#addUnread(CONFIG, answers.get(CONFIG), 'the configuration');
  }

  /** @param {string} path of the scheduler @param {unknown} answer */
  #addJobs(path, answer) {
    const [place = ''] = path.split('?');
    const shown = asObject(answer) && showAnswer(`${this.origin}${place}`, answer);
    const jobs = shown && member(parseJsonTree(shown).node, path === JOBS ? 'jobs' : 'docs');
    const records = jobs?.type === 'array' ? jobs.items.flatMap((job) => replicationOf(job) ?? []) : [];
    for (const record of records) this.records.push(record);
    if (shown && records.length > 0) this.shown.push(shown);
  }

  /**
   * @param {string} name
   * @param {Answers} answers about the database
   */
  addDatabase(name, answers) {
    const base = databasePath(name);
    const info = asObject(okAnswer(answers, base));
    const shown = info && this.#show(base, info);
    if (!shown) {
      if (!info) this.#addSkipped(base, answers.get(base));
      return;
    }
    this.#databaseCount += 1;
    const documents = designDocsOf(okAnswer(answers, designDocsPath(name)));
    const isInFull = answers.has(`${base}/_security`);
    const hasDocuments = answers.has(designDocsPath(name));
    const cluster = asObject(info['cluster']);
    const props = asObject(info['props']);
    /** @type {DatabaseRecord} */
    const database = {
      kind: 'database',
      ...shown,
      name,
      server: this.#node,
      docCount: asCount(info['doc_count']),
      deletedCount: asCount(info['doc_del_count']),
      sizes: sizesOf(info),
      shardCount: asCount(cluster?.['q']),
      copyCount: asCount(cluster?.['n']),
      isPartitioned: props && props['partitioned'] === true,
      isCompacting: booleanOf(info['compact_running']),
      security: this.#securityOf(`${base}/_security`, okAnswer(answers, `${base}/_security`)),
      conflicts: conflictsOf(okAnswer(answers, changesPath(name))),
      revsLimit: asCount(okAnswer(answers, `${base}/_revs_limit`)),
      designDocs: documents?.map(sketchOf),
      unread: isInFull ? undefined : 'the database was not read in full',
    };
    this.records.push(database);
    const text = documents?.some(isTooDeep) ? undefined : textOf(documents ?? []);
    const isKnown = this.#groups.add({ name, isInFull, hasDocuments, documents: documents?.length ? text : undefined });
    if (documents && !isKnown) this.#addDesignDocs(database, documents);
    else if (!documents && hasDocuments)
      this.#addUnread(base, answers.get(designDocsPath(name)), 'its design documents');
    this.#addMangoIndexes(database, answers);
    for (const document of documents ?? []) this.#addViewIndex(database, document, answers);
    this.#addQueries(database, answers);
  }

  /** @param {string[]} names of databases that were to be read as far as requests allow it */
  addUnread(names) {
    this.#groups.addMissed(names);
  }

  /** @param {SourceRecord} record */
  #add(record) {
    this.records.push(record);
    this.shown.push(record.file);
  }

  /** @param {string} path @returns {string} */
  #address(path) {
    return `${this.origin}${decodeEscapes(path)}`;
  }

  /**
   * @param {string} path
   * @param {unknown} answer
   * @returns {Shown | undefined} undefined where it is nested too deep, which then is an error
   */
  #show(path, answer) {
    const address = this.#address(path);
    const file = showAnswer(address, answer);
    if (!file) {
      this.errors.push(tooDeep(address));
      return undefined;
    }
    this.shown.push(file);
    return { file, placeOf: createPlaceOf(file) };
  }

  /**
   * @param {string} base
   * @param {unknown} answer what there was instead of a description
   */
  #addSkipped(base, answer) {
    if (errorOf(answer) === 'not_found') this.notes.push({ path: this.#address(base), reason: 'it does not exist' });
    else this.#addUnread(base, answer, 'it');
  }

  /**
   * A refusal is a note, as the rest of the server can be judged without it; any other fault is an error.
   * @param {string} path
   * @param {unknown} answer
   * @param {string} what was not read
   */
  #addUnread(path, answer, what) {
    const error = errorOf(answer);
    const address = this.#address(path);
    if (error === 'unauthorized' || error === 'forbidden')
      this.notes.push({ path: address, reason: `${what} ${NOT_ALLOWED}` });
    else {
      const found = error === undefined ? 'an unexpected response' : `\`${error}\``;
      const message = `${address}: cannot read ${what}: the server returned ${found}`;
      this.errors.push({ code: 'database-unreadable', message, place: { file: address, line: 1, column: 1 } });
    }
  }

  /**
   * @param {string} path
   * @param {unknown} answer
   * @returns {DatabaseRecord['security']}
   */
  #securityOf(path, answer) {
    const security = asObject(answer);
    const shown = security && this.#show(path, security);
    if (!shown) return undefined;
    const members = asObject(security['members']) ?? asObject(security['readers']);
    const admins = asObject(security['admins']);
    const admitted = [...textsOf(members?.['names']), ...textsOf(members?.['roles'])];
    const named = [...textsOf(admins?.['names']), ...textsOf(admins?.['roles'])];
    return {
      ...shown,
      // Nobody is named: everybody is let in (couch_db.erl is_member, 3.5.0).
      isPublic: admitted.length === 0,
      admins: named.filter((name) => name !== '_admin'),
    };
  }

  /**
   * @param {DatabaseRecord} database
   * @param {Record<string, unknown>[]} documents
   */
  #addDesignDocs(database, documents) {
    const base = databasePath(database.name);
    for (const document of documents) {
      const id = String(document['_id']);
      const address = `${this.#address(base)}/${id}`;
      const file = showAnswer(address, document);
      const node = file && parseJsonTree(file).node;
      if (!file || node?.type !== 'object') {
        this.errors.push(tooDeep(address));
        continue;
      }
      joinFunctionLines(node);
      const group = this.#address(base);
      /** @type {DesignDocRecord} */
      const record = { kind: 'design-doc', id, origin: 'json', node, file, group, sameDatabase: true, database };
      const text = textOf([document]);
      const original = this.#documents.get(text);
      if (original) record.original = original;
      else this.#documents.set(text, record);
      this.#add(record);
    }
  }

  /**
   * @param {DatabaseRecord} database
   * @param {Answers} answers
   */
  #addMangoIndexes({ name }, answers) {
    const base = databasePath(name);
    const list = asObject(okAnswer(answers, `${base}/_index`))?.['indexes'];
    for (const item of Array.isArray(list) ? list : []) {
      const index = asObject(item);
      const ddoc = index?.['ddoc'];
      if (!index || typeof ddoc !== 'string' || typeof index['name'] !== 'string') continue;
      const type = typeof index['type'] === 'string' ? index['type'] : 'json';
      const address = `${this.#address(base)}/_index/${ddoc}/${type}/${index['name']}`;
      const file = showAnswer(address, { index: index['def'], ddoc, name: index['name'], type });
      const node = file && parseJsonTree(file).node;
      if (!file || node?.type !== 'object') continue;
      const group = this.#address(base);
      this.#add({ kind: 'mango-index', name: index['name'], ddoc, node, file, group, database: name });
    }
  }

  /**
   * @param {DatabaseRecord} database
   * @param {Record<string, unknown>} document
   * @param {Answers} answers
   */
  #addViewIndex(database, document, answers) {
    const id = String(document['_id']);
    const path = indexInfoPath(database.name, id);
    const info = asObject(asObject(okAnswer(answers, path))?.['view_index']);
    const shown = info && this.#show(path, info);
    if (!shown) return;
    const pending = asObject(info['updates_pending']);
    /** @type {ViewIndexRecord} */
    const index = {
      kind: 'view-index',
      ...shown,
      designDoc: id,
      database,
      sizes: sizesOf(info),
      pendingCount: asCount(pending?.['total']),
      isUpdating: booleanOf(info['updater_running']),
      isCompacting: booleanOf(info['compact_running']),
    };
    this.records.push(index);
  }

  /**
   * @param {DatabaseRecord} database
   * @param {Answers} answers
   */
  #addQueries(database, answers) {
    const base = `${databasePath(database.name)}/_explain`;
    let number = 0;
    for (const [path, answer] of answers) {
      if (!path.startsWith(`${base} `)) continue;
      number += 1;
      const text = path.slice(base.length + 1);
      const error = asObject(answer)?.['error'];
      const address = `${this.#address(base)}#${number}`;
      if (error !== undefined) {
        const reason = asObject(answer)?.['reason'];
        const message = `the query ${text} is rejected: ${String(reason ?? error)}`;
        this.errors.push({ code: 'query-refused', message, place: { file: address, line: 1, column: 1 } });
        continue;
      }
      const query = queryOf(text, answer);
      const shown = query && this.#show(`${base}#${number}`, answer);
      if (shown) this.records.push({ ...shown, ...query, kind: 'find-query', database });
    }
  }
}

/**
 * @param {unknown} value
 * @returns {string[] | undefined} undefined where it is no list of names
 */
function namesOf(value) {
  return Array.isArray(value) && value.every((name) => typeof name === 'string') ? value : undefined;
}

/** @param {Record<string, unknown>[]} documents @returns {string} the same for equal documents, whatever their revisions */
function textOf(documents) {
  return JSON.stringify(documents.map(({ _rev, ...rest }) => rest));
}

/** @param {unknown} answer @returns {string | undefined} the error that it names */
function errorOf(answer) {
  const error = asObject(answer)?.['error'];
  return typeof error === 'string' ? error : undefined;
}
