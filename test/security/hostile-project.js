// Builds a project with one name everywhere that somebody else may choose one: documents, views, filters, fields,
// files, settings, logs, loads.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** @typedef {{about: string, name: string}} HostileName */

/** @type {readonly HostileName[]} */
export const HOSTILE_NAMES = JSON.parse(
  readFileSync(new URL('../../fixtures/hostile/names.json', import.meta.url), 'utf8'),
);

/** Names of files are no longer than this, in bytes; a folder and an ending are added. */
const MAX_FILE_BYTES = 120;

/**
 * @param {string} name
 * @returns {string} the same as the name of a file, as far as file systems take it
 */
export function fileNameOf(name) {
  let file = name.replace(/[\0/]/g, '_').replace(/\p{Surrogate}/gu, '\ufffd');
  while (Buffer.byteLength(file) > MAX_FILE_BYTES) file = file.slice(0, Math.floor(file.length / 2));
  return file === '' || file === '.' || file === '..' ? `_${file}` : file;
}

/** @param {string} name @returns {string} a part of a path of a request */
function encode(name) {
  return encodeURIComponent(name.replace(/\p{Surrogate}/gu, '\ufffd'));
}

/** @param {Record<string, unknown>} members with a member of any name @param {string} name @param {unknown} value */
function withMember(members, name, value) {
  return Object.fromEntries([...Object.entries(members), [name, value]]);
}

/**
 * @param {string} name
 * @param {string} [emitted] differs between two versions of the project
 * @returns {Record<string, unknown>} a design document
 */
export function hostileDesignDoc(name, emitted = 'doc') {
  const text = JSON.stringify(name);
  const map = `function (doc) {\n  // ${name}\n  if (doc[${text}].total > 1) emit(doc[${text}], ${emitted});\n}`;
  const sum = "function (doc) {\n  if (typeof doc.total === 'number') emit(doc.customer, doc.total);\n}";
  return withMember(
    {
      _id: `_design/${name}`,
      language: 'javascript',
      views: withMember(
        {
          totals: { map: sum, reduce: 'function (keys, values) { return sum(values); }' },
          twin: { map: sum, reduce: '_sum;' },
          lib: withMember({}, name, `exports[${text}] = ${text};`),
        },
        name,
        { map, reduce: ' _sum' },
      ),
      filters: withMember({}, name, `function (doc, req) { return doc[${text}] === req.query[${text}]; }`),
      updates: withMember({}, name, `function (doc, req) { return [doc, ${text}]; }`),
      shows: withMember({}, name, `function (doc, req) { return ${text}; }`),
      lists: withMember({}, name, `function (head, req) { send(${text}); }`),
      indexes: withMember({}, name, { index: `function (doc) { index(${text}, doc[${text}]); }`, analyzer: name }),
      options: withMember({}, name, name),
      validate_doc_update: `function (doc, old) {\n  if (old[${text}] !== doc[${text}]) throw ${text};\n}`,
    },
    name,
    name,
  );
}

/**
 * @param {string} name
 * @returns {Record<string, unknown>} documents that the maps of the project emit
 */
function documents(name) {
  return Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => {
      const fields = { total: at, customer: at % 2 ? name : `customer-${at}`, date: '2026-11-21', type: name };
      const id = at === 0 && !name.startsWith('_') && name !== '' ? name : `order-${at}`;
      return [id, withMember({ ...fields, _id: id }, name, { total: 2 + at, text: name })];
    }),
  );
}

/** @param {string} name @returns {string} lines of a log of CouchDB 3 */
function couchdbLog(name) {
  const paths = [
    `/${encode(name)}/_design/${encode(name)}/_view/${encode(name)}?include_docs=true&${encode(name)}=${encode(name)}`,
    `/${encode(name)}/_changes?filter=${encode(`${name}/${name}`)}&${encode(name)}=1`,
    `/shop/${encode(name)}?rev=1`,
    `/${name}/_find?${name}`,
  ];
  const lines = paths.flatMap((target) =>
    Array.from(
      { length: 15 },
      (_, at) =>
        `[notice] 2026-11-21T02:45:${String(10 + at)}.111722Z couchdb@127.0.0.1 <0.169.3> 28f101ecd${at} shop:5984 10.0.0.7 ${name} GET ${target} 200 ok ${1000 + at}`,
    ),
  );
  lines.push(
    `[info] 2026-11-21T02:46:00.000000Z couchdb@127.0.0.1 <0.200.3> -------- Starting index update for db: shards/00000000-7fffffff/${name}.1795229120 idx: _design/${name}`,
    `[info] 2026-11-21T02:47:00.000000Z couchdb@127.0.0.1 <0.200.3> -------- Index update finished for db: shards/00000000-7fffffff/${name}.1795229120 idx: _design/${name}`,
    `[error] 2026-11-21T02:47:01.000000Z couchdb@127.0.0.1 <0.200.3> -------- OS Process Error <0.1.0> :: {os_process_error,"${name}"}`,
  );
  return `${lines.join('\n')}\n`;
}

/** @param {string} name @returns {string} lines of a log of a proxy */
function proxyLog(name) {
  const target = `/${encode(name)}/_design/${encode(name)}/_view/${encode(name)}?key=${encode(name)}`;
  const line = `10.0.0.7 - ${name} [21/Nov/2026:02:45:19 +0000] "GET ${target} HTTP/1.1" 200 512 "${name}" "${name}" 0.120`;
  return `${Array.from({ length: 12 }, () => line).join('\n')}\n`;
}

/** @param {string} name @returns {object} a HAR file */
function harFile(name) {
  const entry = (/** @type {object} */ request) => ({
    startedDateTime: '2026-11-21T02:45:19.111Z',
    time: 120,
    request: { headers: [], ...request },
    response: {
      status: 200,
      bodySize: 268,
      content: { size: 268, text: JSON.stringify({ docs: [], bookmark: name, warning: name }) },
    },
  });
  const url = `http://shop:5984/${encode(name)}/`;
  return {
    log: {
      version: '1.2',
      creator: { name, version: name },
      entries: [
        entry({ method: 'GET', url: `${url}_design/${encode(name)}/_view/${encode(name)}` }),
        entry({
          method: 'POST',
          url: `${url}_find`,
          postData: {
            text: JSON.stringify({ selector: withMember({}, name, { $gt: name }), sort: [name], use_index: name }),
          },
        }),
        entry({ method: name, url: name }),
      ],
    },
  };
}

/**
 * @param {string} name
 * @returns {Record<string, string | object>} content by path; what is no text is written as JSON
 */
export function hostileProject(name) {
  const file = fileNameOf(name);
  return {
    [`ddocs/${file}.json`]: hostileDesignDoc(name),
    [`app/${file}/views/${file}/map.js`]: `function (doc) { emit(doc[${JSON.stringify(name)}].x, doc); }`,
    [`app/${file}/_id`]: `_design/${name}`,
    [`indexes/${file}.json`]: {
      index: {
        fields: [name, withMember({}, name, 'desc')],
        partial_filter_selector: withMember({}, name, { $regex: name }),
      },
      name,
      ddoc: name,
      type: 'json',
    },
    [`broken/${file}.json`]: `{"_id": "_design/${name}", "views": {"a": {"map": "function (doc) {" }},`,
    [`module/${file}.js`]: `module.exports = { _id: '_design/module', views: { a: { map: function (doc) { emit(doc[${JSON.stringify(name)}], doc); } } } };`,
    'couchdb/local.ini': `[cors]\norigins = *\ncredentials = true\n[chttpd]\nenable_cors = true\n${name} = ${name}\n[${name}]\n${name} = ${name}\n[uuids]\nalgorithm = ${name}\n`,
    'logs/couch.log': couchdbLog(name),
    'logs/proxy.log': proxyLog(name),
    'logs/session.har': harFile(name),
    'orders.jsonl': `${Object.values(documents(name))
      .map((one) => JSON.stringify(one))
      .join('\n')}\n`,
  };
}

/**
 * @param {string} folder
 * @param {Record<string, string | object>} files
 */
export function writeFiles(folder, files) {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }
}
