// `node test/tools/write-measurements.js [result.json ...]`: keeps results of `bench --format json` without their samples as
// docs/measurements/<scenario>.json, and writes tables and pictures of docs/measurements.md from all that are kept. `name=result.json` gives the file
// a name of its own. Results of test/bench/planted.js are kept in docs/measurements/planted.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { benchJson } from '../../lib/reports/bench.js';
import { stringifyJson } from '../../lib/reports/stringify-json.js';
import { drawKept, readKept, refreshMeasurements } from '../helpers/measurements-page.js';
import { readPlanted, refreshPlanted } from '../helpers/planted-page.js';
import { root } from '../helpers/run-cli.js';

for (const given of process.argv.slice(2)) {
  const [file = '', name] = given.split('=').reverse();
  const result = JSON.parse(readFileSync(file, 'utf8'));
  if (result.state !== 'done') throw new Error(`${file} holds a run that was not finished`);
  const kept = stringifyJson(benchJson({ ...result, samples: result.samples.length }));
  writeFileSync(path.join(root, 'docs/measurements', `${name ?? result.scenario}.json`), kept);
}
for (const [name, svg] of drawKept(readKept())) writeFileSync(path.join(root, 'docs/measurements', name), svg);
const page = path.join(root, 'docs/measurements.md');
writeFileSync(page, refreshPlanted(refreshMeasurements(readFileSync(page, 'utf8'), readKept()), readPlanted()));
// As `npm run lint` wants them.
spawnSync('npx', ['biome', 'check', '--write', 'docs/measurements'], { cwd: root, stdio: 'inherit' });
