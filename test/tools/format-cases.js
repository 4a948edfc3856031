// Writes each cases.json of the rules with one case a line: `npm run format` calls it.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readRuleFolders } from '../helpers/rule-folders.js';
import { denseCases } from '../helpers/strict-cases.js';

for (const { folder, cases } of readRuleFolders()) {
  const file = path.join(folder, 'cases.json');
  const text = denseCases(cases);
  if (text === readFileSync(file, 'utf8')) continue;
  writeFileSync(file, text);
  console.log(`formatted ${file}`);
}
