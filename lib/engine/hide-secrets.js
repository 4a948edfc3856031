// Masks the passwords that code, settings and addresses contain in everything that a run reports, wherever they stand again.

import { SecretMask, secretsIn } from '../shared/mask-secrets.js';
import { SourceFile } from '../shared/source-file.js';

/** @import { Link } from './judge.js' */
/** @import { Finding } from './findings/finding.js' */
/** @import { SourceRecord } from '../sources/record.js' */
/** @import { ReplicationRecord } from '../sources/design-docs/replication.js' */
/** @import { TextEdit } from '../shared/source-file.js' */

/** Larger files are dumps of data. */
const MAX_SEARCHED = 8 * 1024 * 1024;
/** What a program reads: keys, names of rules, paths of files. */
const LEFT = new Set(['key', 'rule', 'place', 'outcome', 'severity', 'kind', 'fact', 'id', 'code', 'path', 'parts']);

/**
 * @param {Iterable<SourceFile>} files
 * @param {readonly SourceRecord[]} records
 * @returns {SecretMask} of every secret in them
 */
export function maskOf(files, records) {
  /** @type {Set<string>} */
  const secrets = new Set();
  for (const { path, text } of new Set([...files, ...records.map(({ file }) => file)])) {
    if (text.length > MAX_SEARCHED) continue;
    for (const secret of secretsIn(text, path)) secrets.add(secret);
  }
  for (const record of records) {
    for (const secret of record.kind === 'replication' ? wordsOf(record) : []) secrets.add(secret);
    const found = record.kind === 'call' ? record.connection?.credentials : undefined;
    if (!found) continue;
    secrets.add(found.node.file.text.slice(found.start, found.end));
    if (found.password !== found.user) secrets.add(found.password);
  }
  return new SecretMask(secrets);
}

/**
 * @param {ReadonlyMap<string, SourceFile>} files
 * @param {readonly SourceRecord[]} records
 * @param {SecretMask} mask
 * @returns {Map<string, SourceFile>} copies with signs of the same length instead of secrets; the originals stay as they are
 */
export function hideSecrets(files, records, mask) {
  const shown = new Map(files);
  for (const record of records) {
    // A password that is an ordinary word is hidden here only.
    if (record.kind === 'replication') cover(shown, record.file.path, record.secrets);
    const secret = record.kind === 'call' ? record.connection?.credentials : undefined;
    if (secret) cover(shown, secret.node.file.path, [secret]);
  }
  if (mask.isEmpty) return shown;
  for (const [path, file] of shown) {
    const text = mask.cover(file.text);
    if (text !== file.text) shown.set(path, new SourceFile(path, text));
  }
  return shown;
}

/**
 * @param {Map<string, SourceFile>} shown changed
 * @param {string} path
 * @param {readonly {start: number, end: number}[]} secrets
 */
function cover(shown, path, secrets) {
  const file = shown.get(path);
  if (!file || secrets.length === 0) return;
  const parts = [];
  let from = 0;
  for (const { start, end } of secrets.toSorted((one, other) => one.start - other.start)) {
    if (start < from) continue;
    parts.push(file.text.slice(from, start), file.text.slice(start, end).replace(/[^\n]/g, '*'));
    from = end;
  }
  shown.set(path, new SourceFile(path, parts.join('') + file.text.slice(from)));
}

/** @param {ReplicationRecord} record @returns {string[]} what authorizes in its file, passwords apart from their users */
function wordsOf({ file, secrets }) {
  return secrets.flatMap(({ start, end }) => {
    const word = file.text.slice(start, end);
    const [, user, password] = /^([^:]*):(.+)$/s.exec(word) ?? [];
    return password === undefined || password === user ? [word] : [word, password];
  });
}

/**
 * @template T
 * @param {T} value of a report, without source files
 * @param {SecretMask} mask
 * @returns {T}
 */
export function maskReported(value, mask) {
  return mask.deep(value, (key) => LEFT.has(key));
}

/**
 * @param {readonly Link[]} links their findings are changed
 * @param {SecretMask} mask
 */
export function maskFindings(links, mask) {
  if (mask.isEmpty) return;
  for (const { finding } of links) {
    // The questions of a path are those of the rule; what was answered is of the source.
    const path = finding.path.map((step) => maskReported(step, mask));
    Object.assign(finding, /** @type {Finding} */ (maskReported({ ...finding }, mask)), { path });
  }
}

/**
 * @param {Map<string, TextEdit[]>} edits of fixes, by key of the finding
 * @param {SecretMask} mask
 * @param {ReadonlyMap<string, SourceFile>} sources masked
 * @returns {Map<string, TextEdit[]>} as they may be shown; one that would write a secret is left out, as half of it would be worse
 */
export function maskEdits(edits, mask, sources) {
  if (mask.isEmpty) return edits;
  const shown = new Map();
  for (const [key, list] of edits) {
    if (list.some(({ text }) => mask.text(text) !== text)) continue;
    shown.set(
      key,
      list.map((edit) => ({ ...edit, file: sources.get(edit.file.path) ?? edit.file })),
    );
  }
  return shown;
}
