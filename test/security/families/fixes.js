// Attacks by ending `lint --fix` at any moment: every file is the old one or the fixed one, as a whole.

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { runCli, startCli } from '../../helpers/run-cli.js';
import { writeFiles } from '../hostile-project.js';
import { createRandom } from '../mutate.js';

/** @import { Family } from '../attack.js' */

const FILES = 40;
/** Text in each file that nobody judges, so that writing it takes a moment. */
const TEXT = 'order '.repeat(50_000);
const VIEWS = 2;

/** @type {Family} */
export const fixes = {
  id: 'fixes',
  about: '`lint --fix` that is killed at any moment leaves whole files',
  least: { short: 3 * FILES, full: 30 * FILES },
  async *attack({ folder, isFull, seed }) {
    const cwd = path.join(folder, 'shop');
    const before = Object.fromEntries(
      Array.from({ length: FILES }, (_, at) => [`ddocs/orders-${at}.json`, fixable(at)]),
    );
    writeFiles(cwd, { ...before, '.git/HEAD': 'ref: refs/heads/main\n' });
    const old = readAll(cwd, before);
    runCli(['lint', '--fix'], { cwd });
    const fixed = readAll(cwd, before);
    if ([...old].every(([name, text]) => fixed.get(name) === text)) throw new Error('nothing is fixed');
    const random = createRandom(seed);
    let cutShort = 0;
    for (let run = 0; run < (isFull ? 30 : 3); run += 1) {
      rmSync(path.join(cwd, 'ddocs'), { recursive: true });
      writeFiles(cwd, before);
      const written = await killWhileFixing(cwd, 1 + Math.floor(random() * (FILES - 1)));
      const now = readAll(cwd, before);
      if (written < FILES) cutShort += 1;
      for (const [name, text] of now) {
        const isWhole = text === old.get(name) || text === fixed.get(name);
        yield {
          name: `run ${run}, killed after ${written} files: ${name}`,
          failure: isWhole ? undefined : 'it is neither old nor fixed',
        };
      }
    }
    if (cutShort === 0) throw new Error('no run was killed before it had fixed every file');
  },
};

/** @param {number} at @returns {object} a design document with fixes in every view */
function fixable(at) {
  const view = {
    map: "function (doc) {\n  if (typeof doc.total === 'number') emit(doc.customer, doc.total);\n}",
    reduce: '_sum;',
  };
  return {
    _id: `_design/orders-${at}`,
    language: 'javascript',
    about: TEXT,
    views: Object.fromEntries(
      Array.from({ length: VIEWS }, (_, number) => [
        `by_${at}_${number}`,
        { ...view, map: view.map.replace('customer', `customer_${number}`) },
      ]),
    ),
  };
}

/** @param {string} cwd @param {object} files @returns {Map<string, string>} */
function readAll(cwd, files) {
  const there = new Set(readdirSync(path.join(cwd, 'ddocs')));
  return new Map(
    Object.keys(files).map((name) => [
      name,
      there.has(path.basename(name)) ? readFileSync(path.join(cwd, name), 'utf8') : '',
    ]),
  );
}

/** @param {string} cwd @param {number} count @returns {Promise<number>} how many files it reported as fixed */
async function killWhileFixing(cwd, count) {
  const { child, ended } = startCli(['lint', '--fix'], { cwd });
  let stderr = '';
  child.stderr?.on('data', (data) => {
    stderr += data;
    if ((stderr.match(/^fixed /gm)?.length ?? 0) >= count) child.kill('SIGKILL');
  });
  await ended;
  return stderr.match(/^fixed /gm)?.length ?? 0;
}
