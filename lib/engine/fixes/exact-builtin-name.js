// Fix: corrects the name of a built-in reduce to its exact spelling: `_sumx` and ` _sum ` become `_sum`. CouchDB then
// runs what it ran before, or what it refused because of the spaces.

/** @import { TextEdit } from '../../shared/source-file.js' */
/** @import { Fix } from './index.js' */

/** The built-ins, with their numbers where they have one (couch_mrview.erl, 3.5.2): CouchDB takes what begins like them. */
const BUILTIN = /^(?:_sum|_count|_stats|_approx_count_distinct|_first|_last|_(?:top|bottom)_\d+)/;

/** @type {Fix} */
export const exactBuiltinName = {
  id: 'exact-builtin-name',
  title: 'Write the exact name of the built-in',
  safe: true,
  apply({ subject }) {
    if (subject.kind !== 'view' || subject.reduceNode?.type !== 'string') return undefined;
    const { text } = subject.reduceNode;
    const written = text.text;
    const start = written.length - written.trimStart().length;
    const name = BUILTIN.exec(written.slice(start))?.[0];
    if (name === undefined) return undefined;
    const end = start + name.length;
    /** @type {TextEdit[]} */
    const edits = [];
    for (const [from, to] of [/** @type {const} */ ([0, start]), /** @type {const} */ ([end, written.length])]) {
      if (from === to) continue;
      const edit = text.edit(from, to, '');
      if (!edit) return undefined;
      edits.push(edit);
    }
    return edits;
  },
};
