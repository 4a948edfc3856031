// Names that somebody else chose: no line of the log is a command to the runner of CI, no command of a deploy runs anything else,
// and nothing but text comes out of the Markdown.

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, expect, test } from 'vitest';
import { deploySteps } from '../../../lib/cli/ci/deploy-steps.js';
import { changeDocument } from '../../../lib/cli/ci/document.js';
import { findIndexBuilds } from '../../../lib/cli/ci/index-builds.js';
import { formats } from '../../../lib/index.js';
import { readJson, renderMarkdownDocument, renderTextDocument } from '../../helpers/internals.js';
import fc from '../../helpers/property.js';
import { SourceFile } from '../../helpers/read-source.js';
import { shopReport } from '../../helpers/sample-report.js';

/** @import { Report } from '../../../lib/reports/report.js' */

const folder = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-steps-'));
afterAll(() => rmSync(folder, { recursive: true }));

const nasty = fc.oneof(
  fc.constantFrom(
    '\n::error::owned',
    '\r::set-output name=x::y',
    '::add-path::/tmp',
    '##[group]x',
    '%0A::error::x',
    '```\n# x',
    "'; touch stolen; '",
    '$(touch stolen)',
    '`touch stolen`',
    '"; touch stolen; "',
    '\\"; touch stolen #',
    '-o stolen',
    '../../etc',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '@somebody',
    '\u2028::error::x',
    '\u001b[2J',
    '|',
    '__proto__',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
const name = fc.array(nasty, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' '));

/** @param {string} id @param {string} file @param {Record<string, string>} views maps by name */
async function read(id, file, views) {
  const members = Object.entries(views).map(([key, map]) => `${JSON.stringify(key)}:{"map":${JSON.stringify(map)}}`);
  const search = '"indexes":{"by_name":{"index":"function (doc) { index(\'a\', doc.a); }"}}';
  const text = `{"_id":${JSON.stringify(`_design/${id}`)},"views":{${members.join(',')}},${search}}`;
  return (await readJson(new SourceFile(file, text), { isDiscovered: false })).records;
}

/** @param {{id: string, file: string, view: string}} names */
async function pricesOf({ id, file, view }) {
  const before = await read(id, file, { [view]: 'function (doc) { emit(1); }' });
  const after = await read(id, file, { [view]: 'function (doc) { emit(2); }' });
  return findIndexBuilds(before, after, { documents: undefined, rate: undefined });
}

/** @param {string} output */
function expectNoCommands(output) {
  // The runner passes over white space before a command, and ends a line at a carriage return too (actions/runner, ActionCommand).
  for (const line of output.split(/\r\n|\n|\r|\u2028|\u2029/)) expect(line.trimStart()).not.toMatch(/^(?:::|##\[)/);
  expect(output).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e]/);
}

const names = fc.record({ id: name, file: name.map((text) => `ddocs/${text}.json`), view: name, message: name });

/** @param {{message: string, file: string}} names @returns {Report} */
function reportWith({ message, file }) {
  const report = shopReport();
  const findings = report.findings.map((finding) => ({
    ...finding,
    message,
    why: message,
    advice: message,
    rule: 'view/emit-whole-doc',
    place: { file, line: 1, column: 1, endLine: 1, endColumn: 2 },
  }));
  return {
    ...report,
    findings,
    errors: [{ code: 'unreadable', message, place: { file, line: 1, column: 1 }, hint: message }],
  };
}

test('the format for GitHub issues one command a finding, whatever is in it', async () => {
  await fc.assert(
    fc.asyncProperty(names, async (given) => {
      const report = reportWith(given);
      const output = (await formats.get('github')?.render(report)) ?? '';
      const lines = output.split(/[\r\n\u2028\u2029]/).filter((line) => line !== '');
      expect(lines).toHaveLength(report.findings.length + 1);
      for (const line of lines) {
        expect(line).toMatch(
          /^::(?:error|warning|notice) file=[^:,]*,line=1,endLine=1,col=1,endColumn=2,title=[^:,]*::|^::error file=[^:,]*,line=1,col=1,title=unreadable::/,
        );
      }
    }),
    { numRuns: 200 },
  );
});

test('the text and the Markdown of a change issue no command and no markup', async () => {
  await fc.assert(
    fc.asyncProperty(names, async (given) => {
      const outcome = {
        base: { name: given.id, commit: '0123456789abcdef' },
        touched: [given.file],
        report: reportWith(given),
        old: reportWith(given).findings,
        elsewhere: 1,
        gone: 1,
        builds: await pricesOf(given),
      };
      const document = changeDocument(outcome, { database: given.view });
      expectNoCommands(renderTextDocument(document));
      const markdown = renderMarkdownDocument(document);
      const prose = markdown.replace(/^(`{3,})[\s\S]*?^\1$/gm, '');
      expect(prose).not.toMatch(/<(?!\/?(?:code|details|summary|sub)>|!-- couch-advisor ci -->|!-- -->|https:\/\/)/);
      expect(prose).not.toMatch(/\]\((?!<https:)/);
      expect(prose).not.toMatch(/@(?!<!-- -->)/);
    }),
    { numRuns: 100 },
  );
});

test('the commands of a deploy run nothing but curl and jq', async () => {
  const bin = path.join(folder, 'bin');
  execFileSync('mkdir', [bin]);
  for (const tool of ['curl', 'jq']) {
    writeFileSync(path.join(bin, tool), '#!/bin/sh\nexit 0\n');
    chmodSync(path.join(bin, tool), 0o755);
  }
  await fc.assert(
    fc.asyncProperty(names, async (given) => {
      const steps = deploySteps(await pricesOf(given), given.view);
      expect(steps.length).toBeGreaterThan(5);
      const script = `set -eu\n${steps.join('\n')}\n`;
      const env = { PATH: bin, COUCHDB_URL: 'http://127.0.0.1:1' };
      const printed = execFileSync('/bin/bash', ['--norc', '-c', script], { cwd: folder, env, encoding: 'utf8' });
      expect(printed).toBe('');
      expect(existsSync(path.join(folder, 'stolen'))).toBe(false);
    }),
    { numRuns: 60 },
  );
  expect(process.platform).not.toBe('win32');
});
