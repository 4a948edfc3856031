// Writes share/upgrade/options.json from the releases of CouchDB: which option of the `.ini` which release lists, with its default, and from when on no
// line of the source names it: `node test/tools/write-server-options.js REPOSITORY`, where REPOSITORY is a git directory of apache/couchdb with its
// tags. Only names and defaults are taken.

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { compareVersions } from '../../lib/shared/version.js';

const repository = process.argv[2];
if (repository === undefined) {
  console.error('usage: node test/tools/write-server-options.js REPOSITORY');
  process.exit(2);
}

const FILES = ['rel/overlay/etc/default.ini', 'etc/couchdb/default.ini.tpl.in', 'etc/couchdb/default.ini'];
/** Before it, much of the source stood in other repositories. */
const WHOLE_SINCE = '2.3.0';
/** Values of a build, and of one server. */
const OWN = /^(?:%|@|\{\{)|\{\{/;
/** Sections whose keys are not options: handlers and daemons that CouchDB has for itself. */
const WIRING =
  /^(?:vendor|daemons|httpd_\w*handlers|query_servers|native_query_servers|admins|couch_httpd_oauth\w*|oauth_\w+|feature_flags|os_daemon_settings|stats)$/;

/** @param {string[]} args @returns {string} */
function git(...args) {
  try {
    return execFileSync('git', ['-C', String(repository), ...args], {
      encoding: 'utf8',
      maxBuffer: 1e8,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}

/** @param {string} text of a `default.ini` @returns {Map<string, string>} defaults by `section/key` */
function readOptions(text) {
  /** @type {Map<string, string>} */
  const found = new Map();
  let section = '';
  for (const line of text.split('\n')) {
    const head = /^\s*;?\s*\[([\w.]+)\]\s*$/.exec(line);
    if (head) section = String(head[1]);
    // What is switched off by a semicolon right before its name is a default; prose has a blank or no `=` there.
    const option = /^;?\s?([A-Za-z][\w.-]*)\s*=\s*(.*)$/.exec(line);
    if (!option || section === '' || WIRING.test(section)) continue;
    const value = String(option[2])
      .replace(/\s+;.*$/, '')
      .replace(/^(\w+);.*$/, '$1')
      .trim();
    const isSet = !line.startsWith(';');
    const name = `${section}/${option[1]}`;
    // An example behind the default is no default.
    if (!found.has(name) || isSet) found.set(name, OWN.test(value) ? '' : value);
  }
  return found;
}

const releases = git('tag')
  .split('\n')
  .filter((tag) => /^[1-9]\d*\.\d+\.\d+$/.test(tag))
  .sort((one, other) => compareVersions(one, other));

/** @type {Record<string, {at: (string | null)[], named: (boolean | null)[]}>} */
const options = {};
releases.forEach((tag, index) => {
  const text = FILES.map((file) => git('show', `${tag}:${file}`)).find((one) => one !== '') ?? '';
  for (const [name, value] of readOptions(text)) {
    options[name] ??= { at: releases.map(() => null), named: releases.map(() => null) };
    options[name].at[index] = value;
  }
});
releases.forEach((tag, index) => {
  if (compareVersions(tag, WHOLE_SINCE) < 0) return;
  const names = new Set(git('grep', '-h', '-o', '"[A-Za-z0-9_.-]*"', tag, '--', 'src/*.erl', 'src/*.hrl').split('\n'));
  for (const [name, one] of Object.entries(options)) one.named[index] = names.has(`"${name.split('/')[1]}"`);
});

/** @type {Record<string, Record<string, (string | number | null)[]>>} */
const sections = {};
for (const [name, { at, named }] of Object.entries(options)) {
  const [section = '', key = ''] = name.split('/');
  /** @type {(string | number | null)[]} */
  const row = [];
  at.forEach((value, index) => {
    if (value !== (index === 0 ? null : at[index - 1])) row.push(index, value);
  });
  const last = named.lastIndexOf(true);
  // Only what the source named once, and what neither it nor `default.ini` names since, is known to be gone.
  if (last !== -1 && last < releases.length - 1 && at.slice(last + 1).every((value) => value === null))
    row.push(last + 1, 0);
  sections[section] ??= {};
  sections[section][key] = row;
}
const file = path.resolve(import.meta.dirname, '../../share/upgrade/options.json');
const lines = Object.entries(sections)
  .sort(([one], [other]) => (one < other ? -1 : 1))
  .map(([name, keys]) => `    ${JSON.stringify(name)}: ${JSON.stringify(keys)}`);
writeFileSync(file, `{\n  "releases": ${JSON.stringify(releases)},\n  "options": {\n${lines.join(',\n')}\n  }\n}\n`);
