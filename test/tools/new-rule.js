// `npm run new family/name`: writes the folder of a rule from test/tools/new-rule, with texts that its tests refuse until they are replaced.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { root } from '../helpers/run-cli.js';

const TEMPLATE = path.join(import.meta.dirname, 'new-rule');

process.exitCode = scaffold(process.argv[2] ?? '', process.argv[3] ?? path.join(root, 'rules'));

/**
 * @param {string} id
 * @param {string} rulesFolder
 * @returns {number} the exit code
 */
function scaffold(id, rulesFolder) {
  if (!/^[a-z]+\/[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id)) {
    console.error('name the rule by its family and the problem: npm run new view/emit-whole-doc');
    return 2;
  }
  const folder = path.join(rulesFolder, id);
  if (existsSync(folder)) {
    console.error(`${folder} exists already`);
    return 2;
  }
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(TEMPLATE)) {
    const text = readFileSync(path.join(TEMPLATE, name), 'utf8');
    writeFileSync(path.join(folder, name), text.replace('FAMILY/NAME', id).replace('VERSION', version));
  }
  console.log(`wrote ${folder}`);
  console.log('1. rule.json: write the questions; rules/README.md lists the facts');
  console.log('2. cases.json: a row for each way through the tree');
  console.log(`3. README.md: prose and examples; npm run docs ${id} fills in outputs and tree`);
  console.log(`4. npm run test:long -- test/rules.test.js -t ${id}`);
  return 0;
}
