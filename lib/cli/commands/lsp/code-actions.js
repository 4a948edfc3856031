// Lists what an editor may do about a finding: its fix, an ignore beside the code, an ignore in the configuration.
// Changes nothing itself.

import { applyEdits, modify } from 'jsonc-parser';
import { samePlaces } from '../../../engine/findings/finding.js';
import { rangeOf } from './to-protocol.js';

/** @import { Finding } from '../../../engine/findings/finding.js' */
/** @import { Place, SourceFile, TextEdit } from '../../../shared/source-file.js' */
/** @import { CodeAction, Diagnostic, TextDocumentEdit, CreateFile } from 'vscode-languageserver-protocol' */

const IGNORE = 'couch-advisor-ignore-next-line';

/** Where a reason is to be written. */
const REASON = 'say why here';

/** Files that hold code as it is, where a comment can stand on a line of its own. */
const CODE = /\.[cm]?[jt]sx?$/i;
const SETTINGS = /\.ini$/i;

/**
 * @typedef {object} ActionContext
 * @property {(file: string) => string} uriOf
 * @property {(file: string) => number | null} versionOf of an open document; null where it is not open
 * @property {{uri: string, text: string | undefined, folder: (file: string) => string}} config the configuration file that ignores are
 *   written to, absent or not; `folder` gives a file as it is written there
 */

/**
 * @param {Finding} finding
 * @param {Diagnostic} diagnostic
 * @param {{edits: TextEdit[] | undefined, place: Place, file: SourceFile | undefined}} known `place`: that of the finding which was asked
 *   about, `file`: the file of it
 * @param {ActionContext} context
 * @returns {CodeAction[]}
 */
export function codeActionsOf(finding, diagnostic, { edits, place, file }, context) {
  /** @type {CodeAction[]} */
  const actions = [];
  if (finding.fix && edits && edits.length > 0) actions.push(fixAction(finding.fix, diagnostic, edits, context));
  const beside = file && commentEdit(finding.rule, place, file);
  if (beside) {
    actions.push({
      title: `Ignore ${finding.rule} for this line`,
      kind: 'quickfix',
      diagnostics: [diagnostic],
      edit: { documentChanges: documentEdits([beside], context) },
    });
  }
  actions.push(configAction(finding, diagnostic, context));
  return actions;
}

/**
 * @param {NonNullable<Finding['fix']>} fix
 * @param {Diagnostic} diagnostic
 * @param {TextEdit[]} edits
 * @param {ActionContext} context
 * @returns {CodeAction}
 */
function fixAction({ title, safe }, diagnostic, edits, context) {
  return {
    title: safe ? title : `${title} (may change results)`,
    kind: 'quickfix',
    diagnostics: [diagnostic],
    // Editors apply what is preferred without a question.
    isPreferred: safe,
    edit: { documentChanges: documentEdits(edits, context) },
  };
}

/**
 * @param {TextEdit[]} edits
 * @param {ActionContext} context
 * @returns {TextDocumentEdit[]} one for each file
 */
function documentEdits(edits, { uriOf, versionOf }) {
  /** @type {Map<string, TextDocumentEdit>} */
  const byFile = new Map();
  for (const { file, start, end, text } of edits) {
    const known = byFile.get(file.path) ?? {
      textDocument: { uri: uriOf(file.path), version: versionOf(file.path) },
      edits: [],
    };
    known.edits.push({ range: rangeOf(file.place(start, end)), newText: text });
    byFile.set(file.path, known);
  }
  return [...byFile.values()];
}

/**
 * @param {string} rule
 * @param {Place} place
 * @param {SourceFile} file
 * @returns {TextEdit | undefined} a comment on a line of its own; undefined where the file is no code
 */
function commentEdit(rule, place, file) {
  const mark = CODE.test(file.path) ? '//' : SETTINGS.test(file.path) ? ';' : undefined;
  if (mark === undefined) return undefined;
  const lines = file.text.split('\n');
  const start = lines.slice(0, place.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
  const line = lines[place.line - 1] ?? '';
  const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
  const end = line.endsWith('\r') ? '\r\n' : '\n';
  return { file, start, end: start, text: `${indent}${mark} ${IGNORE} ${rule} -- ${REASON}${end}` };
}

/**
 * @param {Finding} finding
 * @param {Diagnostic} diagnostic
 * @param {ActionContext} context
 * @returns {CodeAction}
 */
function configAction(finding, diagnostic, { config: { uri, text, folder } }) {
  const { rule } = finding;
  const before = text ?? '{}\n';
  const eol = before.includes('\r\n') ? '\r\n' : '\n';
  const formattingOptions = { insertSpaces: !/^\t/m.test(before), tabSize: 2, eol };
  let after = before;
  for (const { key, place } of [finding, ...samePlaces(finding)]) {
    const entry = { rule, key, file: folder(place.file), reason: REASON };
    after = applyEdits(after, modify(after, ['ignore', -1], entry, { formattingOptions, isArrayInsertion: true }));
  }
  const lastLine = before.split('\n').length;
  /** @type {(TextDocumentEdit | CreateFile)[]} */
  const documentChanges = [
    {
      textDocument: { uri, version: null },
      edits: [
        {
          range: {
            start: { line: 0, character: 0 },
            end: text === undefined ? { line: 0, character: 0 } : { line: lastLine, character: 0 },
          },
          newText: after,
        },
      ],
    },
  ];
  if (text === undefined) documentChanges.unshift({ kind: 'create', uri, options: { ignoreIfExists: true } });
  return {
    title: `Ignore this ${rule} finding in the configuration`,
    kind: 'quickfix',
    diagnostics: [diagnostic],
    edit: { documentChanges },
  };
}
