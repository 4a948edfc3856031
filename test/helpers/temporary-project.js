// Makes a folder for one test, with the files it needs; it is removed when the test is over.

import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { runMain } from './run-main.js';

/** @typedef {Record<string, string | Buffer | object>} Files content by path; what is no text is written as JSON */

/**
 * @typedef {object} Project
 * @property {string} cwd
 * @property {(files: Files) => void} write
 * @property {(file: string) => string} read
 * @property {() => string[]} list every file, links included, in order
 * @property {(argv: string[], input?: string | Buffer) => ReturnType<typeof runMain>} run
 * @property {(argv?: string[], input?: string) => Promise<LintJson>} lint with `--format json`, whatever the exit code is
 */

/** @typedef {{exitCode: number, stderr: string, findings: import('../../lib/engine/findings/finding.js').Finding[], errors: {code: string, message: string, place?: import('../../lib/shared/source-file.js').Place}[], silenced: {ignored: number, baseline: number}, notes: {path: string, reason: string}[], cannotTell: unknown[], read: {designDocs: number, views: number}, codes: string[]}} LintJson
 *  `codes`: `rule#outcome` of each finding */

/**
 * @param {Files} [files]
 * @returns {Project}
 */
export function createProject(files = {}) {
  const cwd = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  /** @type {Project} */
  const project = {
    cwd,
    write: (more) => {
      for (const [name, content] of Object.entries(more)) {
        const file = path.join(cwd, name);
        mkdirSync(path.dirname(file), { recursive: true });
        const isRaw = typeof content === 'string' || Buffer.isBuffer(content);
        writeFileSync(file, isRaw ? content : JSON.stringify(content, null, 2));
      }
    },
    read: (file) => readFileSync(path.join(cwd, file), 'utf8'),
    list: () => {
      const all = readdirSync(cwd, { recursive: true }).map(String);
      return all.filter((name) => !lstatSync(path.join(cwd, name)).isDirectory()).sort();
    },
    run: (argv, input) => runMain(argv, { cwd, input }),
    lint: async (argv = [], input) => {
      const { stdout, stderr, exitCode } = await project.run(['lint', ...argv, '--format', 'json'], input);
      if (stdout === '') throw new Error(stderr);
      const report = JSON.parse(stdout);
      const codes = report.findings.map(
        (/** @type {{rule: string, outcome: string}} */ { rule, outcome }) => `${rule}#${outcome}`,
      );
      return { ...report, exitCode, stderr, codes };
    },
  };
  // The folder is the root of a project: no configuration above it counts.
  project.write({ '.git/HEAD': 'ref: refs/heads/main\n', ...files });
  return project;
}

/**
 * A design document whose one view has this reduce: `_sum` is sound, `_sum;` a warning with a safe fix, ` _sum` an error
 * with one, `_total` an error without.
 * @param {string} [reduce]
 * @param {string} [name]
 * @returns {object}
 */
export function ordersWith(reduce = '_sum', name = 'orders') {
  const map =
    "function (doc) {\n  if (doc.type === 'order' && typeof doc.total === 'number') {\n    emit(doc.date, doc.total);\n  }\n}";
  return { _id: `_design/${name}`, language: 'javascript', views: { revenue: { map, reduce } } };
}
