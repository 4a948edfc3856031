// `node test/bench/application.js`: speed and memory of reading the code of an application.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { figures, peakMemory, timeRun } from './measure.js';
import { readNumber, readOptions } from './read-options.js';

const HELP = `Measures how fast couch-advisor lint reads the code of an application, and the memory that it takes.

  node test/bench/application.js [options]

  --files N  of the project (5000): one in ten uses a client, six in ten import from these, across up to three files
  --runs N   (3)
`;

const { values } = readOptions(HELP, {
  files: { type: 'string', default: '5000' },
  runs: { type: 'string', default: '3' },
});
const files = readNumber('--files', values.files, HELP);
const runs = readNumber('--runs', values.runs, HELP);

/** A file of a project has some 4 KB: so much code stands in each that has nothing to do with a database. */
const FILLER = Array.from(
  { length: 24 },
  (_, at) => `
export function format${at}(items: readonly Item[], options: Options = {}): string[] {
  const { currency = 'EUR', locale } = options;
  return items.filter((item) => item.price > ${at}).map((item) => \`\${item.name}: \${item.price.toFixed(2)} \${currency} \${locale ?? ''}\`);
}`,
).join('\n');

const folder = mkdtempSync(path.join(tmpdir(), 'couch-advisor-bench-'));
try {
  const bytes = writeProject(files);
  const bin = path.resolve(import.meta.dirname, '../../bin/couch-advisor.js');
  const command = { args: [bin, 'lint', '--no-cache'], cwd: folder, exitCodes: [0] };
  const times = Array.from({ length: runs }, () => timeRun(command));
  const { min, median, max } = figures(times);
  const memory = peakMemory(command);
  process.stdout.write(`${files} files, ${(bytes / 1e6).toFixed(1)} MB\n`);
  process.stdout.write(
    `lint         ${seconds(min)} to ${seconds(max)}, median ${seconds(median)}  target: below 10 s for 5,000 files\n`,
  );
  process.stdout.write(`peak memory  ${Math.round(memory)} MiB  target: below 300 MiB\n`);
} finally {
  rmSync(folder, { recursive: true });
}

/** @param {number} ms @returns {string} */
function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}

/**
 * @param {number} count
 * @returns {number} bytes written
 */
function writeProject(count) {
  let bytes = 0;
  const write = (/** @type {string} */ name, /** @type {string} */ text) => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    bytes += text.length;
  };
  write(
    'src/database.ts',
    "import nano from 'nano';\nexport const shop = nano(process.env.COUCHDB_URL!).use('shop');\n",
  );
  for (let at = 0; at < count - 1; at += 1) write(`src/part${at % 50}/file${at}.ts`, textOf(at));
  return bytes;
}

/**
 * @param {number} at number of the file
 * @returns {string} one in ten is a repository, three in ten each are services above these and pages above the services
 */
function textOf(at) {
  const types =
    'interface Item { name: string; price: number }\ninterface Options { currency?: string; locale?: string }\n';
  const group = Math.floor(at / 10) * 10;
  const from = (/** @type {number} */ number) => `../part${number % 50}/file${number}`;
  switch (at % 10) {
    case 0:
      return `import { shop } from '../database';\n${types}export class Orders${at} {\n  async open() {\n    const { rows } = await shop.view<Item>('orders', 'by_status', { key: 'open', include_docs: true });\n    return rows.map((row) => row.doc);\n  }\n  get(id: string) { return shop.get(id); }\n}\n${FILLER}\n`;
    case 1:
    case 2:
    case 3:
      return `import { Orders${group} } from '${from(group)}';\n${types}export class Service${at} {\n  constructor(private readonly orders: Orders${group}) {}\n  load(ids: string[]) { return Promise.all(ids.map((id) => this.orders.get(id))); }\n}\n${FILLER}\n`;
    case 4:
    case 5:
    case 6:
      return `import { Service${group + 1} } from '${from(group + 1)}';\n${types}export class Page${at} {\n  constructor(private readonly service: Service${group + 1}) {}\n  show(ids: string[]) { return this.service.load(ids); }\n}\n${FILLER}\n`;
    default:
      return `import { useState } from 'react';\n${types}${FILLER}\n`;
  }
}
