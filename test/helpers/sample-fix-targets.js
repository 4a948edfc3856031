// Makes subjects as fixes receive them from the text of a file.

import { applyEdits } from '../../lib/engine/fixes/edit.js';
import { createSubjects } from '../../lib/facts/subjects.js';
import { parseJsonTree } from '../../lib/sources/design-docs/value-tree.js';
import { readServerConfig } from '../../lib/sources/server-config.js';
import { SourceFile } from './read-source.js';

/** @import { Subject } from '../../lib/facts/fact.js' */
/** @import { TextEdit } from '../../lib/shared/source-file.js' */
/** @import { DesignDocRecord } from '../../lib/sources/record.js' */

/**
 * @param {string} text of a design document in JSON
 * @param {Subject['kind']} kind
 * @returns {Subject} the first subject of that kind
 */
export function subjectOf(text, kind) {
  const file = new SourceFile('ddocs/orders.json', text);
  const { node } = parseJsonTree(file);
  if (node?.type !== 'object') throw new Error('no object');
  /** @type {DesignDocRecord} */
  const record = {
    kind: 'design-doc',
    id: '_design/orders',
    origin: 'json',
    node,
    file,
    group: '.',
    sameDatabase: false,
  };
  return first(createSubjects([record], { version: '3.5.2' }).subjects, kind);
}

/**
 * @param {string} text of an `.ini` file
 * @returns {Subject}
 */
export function serverOf(text) {
  const { records } = readServerConfig(new SourceFile('local.ini', text));
  return first(createSubjects(records, { version: '3.5.2' }).subjects, 'server');
}

/**
 * @param {Subject[]} subjects
 * @param {Subject['kind']} kind
 * @returns {Subject}
 */
function first(subjects, kind) {
  const found = subjects.find((subject) => subject.kind === kind);
  if (!found) throw new Error(`no ${kind}`);
  return found;
}

/**
 * @param {TextEdit[] | undefined} edits all of one file
 * @returns {string | undefined} the file afterwards; undefined where there is nothing to do
 */
export function editedText(edits) {
  const [edit] = edits ?? [];
  if (!edits || !edit) return undefined;
  const { text, deferred } = applyEdits(edit.file.text, edits);
  if (deferred.length > 0) throw new Error('edits of one fix overlap');
  return text;
}
