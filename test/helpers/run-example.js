// Runs the examples of a rule's page: the files it shows, written to a folder of their own, through the real program.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { growLoad, readGrowth } from './grow-load.js';
import { growLog, readTraffic } from './grow-log.js';
import { readBlocks } from './markdown.js';
import { runMain } from './run-main.js';

/** @import { Rule } from '../../lib/engine/rule.js' */
/** @import { Finding } from '../../lib/engine/findings/finding.js' */

/** @typedef {{name: string, text: string, option?: string | undefined}} ExampleFile `option`: what it is given to, where it is no path */
/** @typedef {{files: ExampleFile[], target: string | undefined, output: {text: string, start: number, end: number} | undefined}} Example
 *  `start` and `end` are offsets of the output in the section it was found in */
/** @typedef {{text: string, findings: Finding[], faults: string[], files: ExampleFile[]}} ExampleResult
 *  `text` of the findings, without their links and what the run says of itself; `files` as they are afterwards */

/** At the end of each finding: to the page that shows it, and to what its page has under Further reading. */
const LINKS = /^ {2}(?:rule|docs): .*\n/gm;

const CONFIG_FILE = 'couch-advisor.config.json';
const REPORT_FILE = 'report.json';

/**
 * @param {string} section Markdown: blocks with `file=name` in their info, then one `text output`, which may say
 *   `target=3.2`. A block with `as=docs` is given to `--docs`; `documents=2000 ids=uuid4` makes it longer (grow-load.js), `as=log
 *   requests=200 minutes=20` does so with a log, `rows=20000` with its answers (grow-log.js). Where no outputs are, blocks with prose between them are examples of their own.
 * @returns {Example[]}
 */
export function readRuleExamples(section) {
  /** @type {Example[]} */
  const examples = [];
  /** @type {Example | undefined} */
  let open;
  let endOfLast = 0;
  const hasOutputs = readBlocks(section).some(({ info }) => info.startsWith('text output'));
  for (const block of readBlocks(section)) {
    if (block.info.startsWith('text output')) {
      if (open) {
        open.output = { text: block.text, start: block.start, end: block.end };
        open.target = /\btarget=(\S+)/.exec(block.info)?.[1];
      }
      open = undefined;
    } else {
      const name = /\bfile=(\S+)/.exec(block.info)?.[1];
      if (name === undefined) continue;
      // Behind a block stands its closing fence; anything else between two blocks is prose.
      const between = section.slice(endOfLast, block.start).replace(/^`+/, '').split('\n').slice(0, -2).join('').trim();
      if (!open || (!hasOutputs && between !== '')) {
        open = { files: [], target: /\btarget=(\S+)/.exec(block.info)?.[1], output: undefined };
        examples.push(open);
      }
      const growth = readGrowth(block.info);
      const traffic = readTraffic(block.info);
      const text = growth ? growLoad(block.text, growth) : traffic ? growLog(block.text, traffic) : block.text;
      open.files.push({ name, text, option: /\bas=(\w+)/.exec(block.info)?.[1] });
    }
    endOfLast = block.end;
  }
  return examples;
}

/**
 * @param {ExampleFile[]} files
 * @param {object} options
 * @param {Rule} options.rule the only rule that is on; rules about ignores need the others
 * @param {string | undefined} [options.target]
 * @param {boolean} [options.fix] whether all fixes are applied first
 * @returns {Promise<ExampleResult>} `faults`: what could not be read
 */
export async function runExample(files, { rule, target, fix = false }) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-'));
  try {
    for (const { name, text } of files) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    const isConfigured = files.some(({ name }) => name === CONFIG_FILE);
    // What a package.json says is read beside the code.
    const beside = [CONFIG_FILE, 'package.json'];
    const names = files.filter(({ name, option }) => !beside.includes(name) && !option).map(({ name }) => name);
    const args = ['lint', ...names, '--format', 'text', '--format', `json=${REPORT_FILE}`];
    if (rule.subject !== 'ignore') args.push('--rule', rule.id);
    for (const { name, option } of files) if (option) args.push(`--${option}`, name);
    if (!isConfigured) args.push('--no-config');
    if (target !== undefined) args.push('--target', target);
    if (fix) args.push('--fix-unsafe');
    const { stdout, stderr, exitCode } = await runMain(args, { cwd: folder });
    if (exitCode > 1) return { text: stdout, findings: [], faults: [stdout + stderr], files };
    const report = JSON.parse(readFileSync(path.join(folder, REPORT_FILE), 'utf8'));
    return {
      text: stdout.slice(0, stdout.trimEnd().lastIndexOf('\n\n') + 1).replace(LINKS, ''),
      findings: report.findings,
      faults: [],
      files: files.map(({ name, option }) => ({ name, option, text: readFileSync(path.join(folder, name), 'utf8') })),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
