// Reads the sections and options of a CouchDB `.ini` file with their places, by the rules of CouchDB itself (config.erl
// parse_ini/1 and parse_fold/2; the same from 3.3.0 to 3.5.2 except for empty values). Does not judge what is set.

import { limitErrors } from './record.js';

/** @import { SourceFile } from '../shared/source-file.js' */
/** @import { ConfigOption, ReadError, ReadResult, ServerConfigRecord } from './record.js' */

/** @typedef {{start: number, end: number}} Range offsets of the first character and behind the last */

/** Characters of a file: default.ini of CouchDB 3.5.2 has 45,337. */
const MAX_LENGTH = 1024 * 1024;

/** What ends a line for CouchDB: the last is the end-of-file character of old editors. */
const LINE_END = /\r\n|\n|\r|\x1a/g;

/** What `string:trim/1` of Erlang takes away, as far as one byte can stand for it. */
const WHITE_SPACE = ' \t\n\v\f\r';

/** Where a comment begins behind a value. */
const COMMENT = / ;|\t;/;

/** Sections that no other program has in its `.ini` files (default.ini of 1.6.1 and 3.5.2). */
const OWN_SECTIONS = new Set([
  'chttpd',
  'chttpd_auth',
  'couch_httpd_auth',
  'couch_httpd_oauth',
  'couch_peruser',
  'couch_scanner',
  'couchdb_engines',
  'compaction_daemon',
  'ddoc_cache',
  'dreyfus',
  'httpd_db_handlers',
  'httpd_design_handlers',
  'httpd_global_handlers',
  'ken',
  'native_query_servers',
  'os_daemons',
  'query_server_config',
  'query_servers',
  'smoosh',
  'uuids',
  'view_compaction',
]);

/**
 * Options of the section `couchdb`, a name under which other programs keep the address of their server (default.ini of
 * 1.6.1 to 3.5.2, and the source of 3.5.2).
 */
const COUCHDB_KEYS = new Set([
  'attachment_stream_buffer_size',
  'btree_chunk_size',
  'changes_doc_ids_optimization_threshold',
  'database_dir',
  'default_engine',
  'default_security',
  'delayed_commits',
  'file_compression',
  'index_cleanup_delay_msec',
  'js_engine',
  'maintenance_mode',
  'max_attachment_size',
  'max_dbs_open',
  'max_document_size',
  'max_partition_size',
  'os_process_timeout',
  'plugin_dir',
  'single_node',
  'stem_interactive_updates',
  'update_lru_on_read',
  'uri_file',
  'users_db_security_editable',
  'users_db_suffix',
  'util_driver_dir',
  'uuid',
  'view_index_dir',
]);

/**
 * @param {string} text
 * @param {string} path
 * @returns {boolean} true where the file ends in `.ini` and has a section that only CouchDB has, or `httpd` and `cors`, or
 *   `couchdb` with an option of the server
 */
export function looksLikeCouchdbIni(text, path) {
  if (!/\.ini$/i.test(path)) return false;
  let section = '';
  let hasHttpd = false;
  let hasCors = false;
  // A byte order mark is an error of such a file, to be reported by its reader.
  const content = text.slice(0, MAX_LENGTH).replace(/^\ufeff/, '');
  for (const line of listLines(content)) {
    const { start, end } = withoutComment(content, line);
    if (content[start] === '[' && content[end - 1] === ']') {
      section = content.slice(start + 1, end - 1);
      if (OWN_SECTIONS.has(section) || section.startsWith('smoosh.')) return true;
      hasHttpd ||= section === 'httpd';
      hasCors ||= section === 'cors' || section.startsWith('cors:');
    } else if (section === 'couchdb') {
      const key = content.slice(start, end).split('=', 1)[0] ?? '';
      if (COUCHDB_KEYS.has(key.trim())) return true;
    }
  }
  return hasHttpd && hasCors;
}

/**
 * @param {SourceFile} file
 * @returns {ReadResult} one record, and an error for each line that CouchDB silently ignores though it is neither
 *   blank nor a comment. An option without a value is no error: CouchDB then keeps its default.
 */
export function readServerConfig(file) {
  /** @type {ServerConfigRecord} */
  const record = { kind: 'server-config', file, sections: [], options: [] };
  /** @type {ReadError[]} */
  const errors = [];
  let section = '';
  let isOutsideReported = false;
  if (file.text.length > MAX_LENGTH) {
    const message = `the configuration is larger than ${MAX_LENGTH / 1024 / 1024} MiB`;
    const hint = 'split it into several files; CouchDB reads all files of `local.d`';
    return { records: [], errors: [{ code: 'too-large', message, place: file.place(0), hint }] };
  }
  for (const line of listLines(file.text)) {
    const range = withoutComment(file.text, line);
    if (range.start === range.end) continue;
    const text = file.text.slice(range.start, range.end);
    const place = file.place(range.start, range.end);
    /** @param {string} code @param {string} message @param {string} hint */
    const report = (code, message, hint) => errors.push({ code, message, place, hint });

    if (text.startsWith('\ufeff')) {
      const message = 'the file starts with a byte order mark, so CouchDB ignores its first line';
      report('ini-byte-order-mark', message, 'save the file as UTF-8 without a byte order mark');
      isOutsideReported = true;
    } else if (text.startsWith('[')) {
      const close = text.indexOf(']');
      if (close > 1 && close === text.length - 1) {
        section = text.slice(1, close);
        record.sections.push({ name: section, place });
      } else {
        const message = 'this is not a section header, so the next lines belong to the previous section';
        report('ini-section', message, 'write only `[name]` on the line');
      }
    } else if (section === '') {
      // One error for all of them: the cause is the missing header.
      if (!isOutsideReported) {
        report('ini-outside-section', 'CouchDB ignores lines before the first section', 'start with `[section]`');
      }
      isOutsideReported = true;
    } else {
      const option = readOption(file, section, text, range);
      if (option === 'broken') {
        const isContinued = line.start < range.start;
        const message = isContinued
          ? 'CouchDB ignores this line: it does not join lines, and this one has no `=`'
          : 'CouchDB ignores this line, which is not `key = value`';
        report(isContinued ? 'ini-continuation' : 'ini-line', message, 'write `key = value` on one line');
      } else if (option) record.options.push(option);
    }
  }
  return { records: [record], errors: limitErrors(errors) };
}

/**
 * The first ` = ` parts key and value, or else the first `=`.
 * @param {SourceFile} file
 * @param {string} section
 * @param {string} text of the line, neither blank nor a comment
 * @param {Range} range where it stands
 * @returns {ConfigOption | 'broken' | undefined} undefined for an option without a value
 */
function readOption(file, section, text, range) {
  const spaced = text.indexOf(' = ');
  const at = spaced === -1 ? text.indexOf('=') : spaced;
  const width = spaced === -1 ? 1 : 3;
  if (at <= 0) return 'broken';
  if (at + width === text.length) return undefined;
  const key = trimmed(file.text, { start: range.start, end: range.start + at });
  const value = trimmed(file.text, { start: range.start + at + width, end: range.end });
  return {
    section,
    key: file.text.slice(key.start, key.end),
    value: file.text.slice(value.start, value.end),
    place: file.place(range.start, range.end),
    valuePlace: file.place(value.start, value.end),
    valueStart: value.start,
    valueEnd: value.end,
  };
}

/**
 * @param {string} text
 * @returns {Range[]}
 */
function listLines(text) {
  /** @type {Range[]} */
  const lines = [];
  let start = 0;
  for (const match of text.matchAll(LINE_END)) {
    lines.push({ start, end: match.index });
    start = match.index + match[0].length;
  }
  lines.push({ start, end: text.length });
  return lines;
}

/**
 * @param {string} text
 * @param {Range} line
 * @returns {Range} what is left of the line without white space and comment
 */
function withoutComment(text, line) {
  const range = trimmed(text, line);
  if (text[range.start] === ';') return { start: range.start, end: range.start };
  const comment = text.slice(range.start, range.end).search(COMMENT);
  return comment === -1 ? range : trimmed(text, { start: range.start, end: range.start + comment });
}

/**
 * @param {string} text
 * @param {Range} range
 * @returns {Range} the range without white space around it
 */
function trimmed(text, range) {
  let { start, end } = range;
  while (start < end && WHITE_SPACE.includes(text.charAt(start))) start += 1;
  while (end > start && WHITE_SPACE.includes(text.charAt(end - 1))) end -= 1;
  return { start, end };
}
