// `npm run docs`: writes what is generated: rules/README.md, share/presets/server.json, how to install, and in each rule's page its tree and the outputs of its examples.
// With `--check` it writes nothing, names what is stale and ends with 1.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fixes } from '../../lib/engine/fixes/index.js';
import { factCatalog } from '../../lib/facts/catalog.js';
import { INSTALL_PAGES, IS_PUBLISHED, refreshInstall } from '../helpers/install-pages.js';
import { readRuleFolders, rulesRoot, serverPreset } from '../helpers/rule-folders.js';
import { refreshPage } from '../helpers/rule-page.js';
import { rulesIndex } from '../helpers/rules-index.js';
import { root } from '../helpers/run-cli.js';

const isCheck = process.argv.includes('--check');
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const folders = readRuleFolders();
let staleCount = 0;

/**
 * @param {string} file
 * @param {string} text
 */
function put(file, text) {
  if (readOrEmpty(file) === text) return;
  staleCount += 1;
  console.log(`${isCheck ? 'stale' : 'wrote'} ${path.relative(root, file)}`);
  if (!isCheck) writeFileSync(file, text);
}

/**
 * @param {string} file
 * @returns {string}
 */
function readOrEmpty(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

put(path.join(rulesRoot, 'README.md'), rulesIndex(folders, factCatalog, fixes));
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
for (const name of INSTALL_PAGES) {
  const file = path.join(root, name);
  put(file, refreshInstall(name, readFileSync(file, 'utf8'), { isPublished: IS_PUBLISHED, version }));
}
const preset = serverPreset(folders.map(({ rule }) => rule));
put(path.join(root, 'share/presets/server.json'), `${JSON.stringify(preset, undefined, 2)}\n`);
for (const { id, rule, page, pageFile } of folders) {
  if (page === '' || (wanted.length > 0 && !wanted.includes(id))) continue;
  const { page: fresh, faults } = await refreshPage(page, rule);
  put(pageFile, fresh);
  for (const fault of faults) console.log(`${id} cannot be run: ${fault.split('\n').slice(0, 3).join(' ')}`);
  if (faults.length > 0) process.exitCode = 1;
}
if (isCheck && staleCount > 0) {
  console.log('run: npm run docs');
  process.exitCode = 1;
}
