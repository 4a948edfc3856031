// Fix: replaces a reduce by the built-in that it equals.

/** @import { Subject, ViewSubject } from '../../facts/fact.js' */
/** @import { TextEdit } from '../../shared/source-file.js' */
/** @import { Fix } from './index.js' */

/** For values that all meet the condition, by the code of the map. @type {Fix} */
export const useBuiltin = {
  id: 'use-builtin',
  title: 'Use the built-in reduce',
  caveatOf: (subject) => {
    const builtin = subject.kind === 'view' ? subject.proof?.builtin : undefined;
    return builtin === '_sum' || builtin === '_stats'
      ? 'sums of fractions, or beyond 2^53, can differ in their last digits'
      : undefined;
  },
  safe: true,
  apply: ({ subject }) => nameBuiltin(subject),
};

/**
 * @param {Subject} subject
 * @returns {TextEdit[] | undefined}
 */
export function nameBuiltin(subject) {
  if (subject.kind !== 'view' || subject.proof?.verdict !== 'equal') return undefined;
  const edit = subject.proof.builtin === undefined ? undefined : reduceEdit(subject, subject.proof.builtin);
  return edit && [edit];
}

/**
 * @param {ViewSubject} view
 * @param {string} builtin
 * @returns {TextEdit | undefined} that makes it the reduce of the view
 */
export function reduceEdit({ reduceNode: node }, builtin) {
  if (node?.type !== 'string') return undefined;
  const { text } = node;
  const start = text.text.length - text.text.trimStart().length;
  const end = text.text.trimEnd().length;
  const edit = text.edit(start, end, builtin);
  if (!edit || !node.isFunction) return edit;
  // A function of a module gives way to a string, where it stands as a value and nothing else calls it.
  const before = edit.file.text.slice(0, edit.start).trimEnd();
  const isValue = /[:=]$/.test(before) && /^(?:function\b|\(|[\w$]+\s*=>)/.test(text.text.slice(start));
  return isValue ? { ...edit, text: `'${builtin}'` } : undefined;
}
