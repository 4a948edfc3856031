// Applies fixes to files, or shows what they would change. Touches no file that changed since it was read.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { applyEdits } from '../fixes/edit.js';
import { fixes } from '../fixes/index.js';
import { unifiedDiff } from '../fixes/unified-diff.js';
import { UserError } from '../shared/user-error.js';
import { writeFileAtomically } from './write-file.js';

/** @import { Writable } from 'node:stream' */
/** @import { Advice } from '../pipeline.js' */
/** @import { SourceFile, TextEdit } from '../shared/source-file.js' */

/** Two fixes at one place are done one after the other; so many rounds are plenty, and a fix that undoes another ends. */
const MOST_ROUNDS = 10;

/**
 * Tells each finding what its fix would do, and takes the fix from those it cannot be made for.
 * @param {Advice} advice its findings are changed
 * @returns {Map<string, TextEdit[]>} the edits by key of the finding
 */
export function attachFixes({ links }) {
  /** @type {Map<string, TextEdit[]>} */
  const edits = new Map();
  for (const { finding, subject, item } of links) {
    if (!finding.fix) continue;
    const fix = fixes.get(finding.fix.id);
    const made = fix?.apply({ subject, item });
    if (fix && made && made.length > 0) {
      finding.fix = { id: fix.id, safe: fix.safe, title: fix.title };
      edits.set(finding.key, made);
    } else finding.fix = undefined;
  }
  return edits;
}

/**
 * @param {Advice} advice
 * @param {{unsafe: boolean}} options
 * @returns {Map<SourceFile, string>} the new text of each file that would change; fixes that overlap wait for a next round
 */
export function fixedTexts(advice, { unsafe }) {
  const edits = attachFixes(advice);
  /** @type {Map<SourceFile, TextEdit[]>} */
  const byFile = new Map();
  for (const { finding } of advice.links) {
    if (!finding.fix || !(finding.fix.safe || unsafe)) continue;
    for (const edit of edits.get(finding.key) ?? []) {
      const list = byFile.get(edit.file) ?? [];
      list.push(edit);
      byFile.set(edit.file, list);
    }
  }
  /** @type {Map<SourceFile, string>} */
  const texts = new Map();
  for (const [file, list] of byFile) {
    const { text } = applyEdits(file.text, list);
    if (text !== file.text) texts.set(file, text);
  }
  return texts;
}

/**
 * @param {Advice} advice
 * @param {{unsafe: boolean}} options
 * @returns {Promise<string>} one unified diff of all files, for `git apply` or `patch -p1`
 */
export async function previewFixes(advice, options) {
  return [...fixedTexts(advice, options)].map(([file, text]) => unifiedDiff(file.path, file.text, text)).join('');
}

/**
 * Applies fixes until nothing is left to fix.
 * @param {Advice} advice
 * @param {() => Promise<Advice>} again reads and judges everything anew
 * @param {{unsafe: boolean, cwd: string, stderr: Writable}} options
 * @returns {Promise<Advice>} what is found afterwards
 * @throws {UserError} of code `incomplete` where a file changed since it was read, or cannot be written
 */
export async function mend(advice, again, { unsafe, cwd, stderr }) {
  /** @type {Set<string>} */
  const changed = new Set();
  let current = advice;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const texts = fixedTexts(current, { unsafe });
    if (texts.size === 0) break;
    for (const [file, text] of texts) {
      const target = path.resolve(cwd, file.path);
      refuseIfChanged(target, file);
      writeFileAtomically(target, text);
      changed.add(file.path);
    }
    current = await again();
  }
  for (const file of changed) stderr.write(`fixed ${file}\n`);
  return current;
}

/**
 * @param {string} target
 * @param {SourceFile} file as it was read
 */
function refuseIfChanged(target, file) {
  if (readFileSync(target, 'utf8') === file.text) return;
  throw new UserError('incomplete', `${file.path} changed while it was being judged and was left as it is`, {
    hint: 'run the command again',
  });
}
