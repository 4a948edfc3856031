// Compares lib/facts/server/config-options.js with the source of one CouchDB version, from which its rows were looked up:
// `node test/tools/check-config-options.js FOLDER VERSION`, where FOLDER is a checkout of apache/couchdb at the tag VERSION. Prints each row that
// the source contradicts, and ends with 1 if there is one. An option counts as read where the source calls `config:get…` with its section and
// key, or where `default.ini` has it. A row that says it is read also holds if the source names both anywhere (`get_chttpd_config` puts them together).

import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { globSync } from 'tinyglobby';
import { LATER_OPTIONS, MOVED_OPTIONS, REMOVED_OPTIONS, SPELLINGS } from '../../lib/facts/server/config-options.js';
import { compareVersions } from '../../lib/shared/version.js';

const [folder, version] = process.argv.slice(2);
if (folder === undefined || version === undefined) {
  console.error('usage: node test/tools/check-config-options.js FOLDER VERSION');
  process.exit(2);
}

const files = globSync(['src/**/*.erl', 'src/**/*.hrl', 'rel/overlay/etc/default.ini', 'etc/couchdb/default.ini*'], {
  cwd: folder,
  ignore: ['**/test/**', '**/eunit/**'],
});
if (files.length === 0) {
  console.error(`${folder} has no source of CouchDB: name a checkout of apache/couchdb`);
  process.exit(2);
}
const source = files
  .filter((file) => file.endsWith('rl'))
  .map((file) => readFileSync(path.join(folder, file), 'utf8'))
  .join('\n');
const ini = files
  .filter((file) => !file.endsWith('rl'))
  .map((file) => readFileSync(path.join(folder, file), 'utf8'))
  .join('\n');

/** @param {string} text */
const quoted = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * @param {string} section
 * @param {string} [key]
 * @returns {{surely: boolean, perhaps: boolean}} whether one call or `default.ini` shows that it is read; whether names of it occur at all
 */
function findReader(section, key) {
  const start = ini.search(new RegExp(`^;?\\s*\\[${quoted(section)}\\]`, 'm'));
  const length = ini.slice(start + 1).search(/^;?\s*\[/m);
  const block = start === -1 ? '' : ini.slice(start, length === -1 ? undefined : start + 1 + length);
  const name = key === undefined ? '' : `,\\s*"${quoted(key)}"`;
  const isCalled = new RegExp(`config:(?:get\\w*|section)\\(\\s*"${quoted(section)}"${name}`).test(source);
  const isSet = key === undefined ? start !== -1 : new RegExp(`^;?\\s*${quoted(key)}\\s*=`, 'm').test(block);
  const surely = isCalled || isSet;
  return { surely, perhaps: surely || [section, key ?? section].every((part) => source.includes(`"${part}"`)) };
}

/** Rows that look wrong and are right, with the reason. */
const EXPLAINED = new Map([
  ['daemons', 'only `httpsd` is read (couch_secondary_sup.erl, 3.5.0)'],
  ['httpd_design_handlers', 'stands as a comment in default.ini, and nothing reads it (3.5.0)'],
]);

/** @type {string[]} */
const faults = [];
for (const { section, key, from, before } of [...MOVED_OPTIONS, ...REMOVED_OPTIONS, ...LATER_OPTIONS]) {
  const isSaid =
    (from === undefined || compareVersions(version, from) >= 0) &&
    (before === undefined || compareVersions(version, before) < 0);
  const name = `[${section}]${key === undefined ? '' : ` ${key}`}`;
  const { surely, perhaps } = findReader(section, key);
  if ((isSaid ? perhaps : !surely) || EXPLAINED.has(section)) continue;
  faults.push(`${name}: the table says that ${version} ${isSaid ? 'reads it' : 'does not read it'}`);
}
for (const [section, keys] of SPELLINGS) {
  // A key that one version lacks may be one of those above.
  for (const key of keys) {
    const isOfOthers = [...MOVED_OPTIONS, ...REMOVED_OPTIONS, ...LATER_OPTIONS].some(
      (row) => row.key === key || row.section === section,
    );
    if (!isOfOthers && !findReader(section, key).perhaps)
      faults.push(`[${section}] ${key}: ${version} does not name it`);
  }
}
console.log(faults.length === 0 ? `${version} agrees with the table` : faults.join('\n'));
process.exitCode = faults.length === 0 ? 0 : 1;
