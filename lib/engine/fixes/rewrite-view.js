// Fix: replaces a reduce by a built-in that equals it once the map emits a different value, and changes that map.

import { reduceEdit } from './use-builtin.js';

/** @import { Fix } from './index.js' */

/** Rows hold other values then, which queries with `reduce=false` read. @type {Fix} */
export const rewriteView = {
  id: 'rewrite-view',
  title: 'Emit what the built-in adds, and use it; `reduce=false` then reads the new values',
  safe: false,
  apply: ({ subject }) => {
    if (subject.kind !== 'view' || !subject.map || subject.mapNode?.type !== 'string') return undefined;
    const { map, mapNode, proof } = subject;
    const { builtin, rewrite } = proof ?? {};
    // A function of a module may be the map of other views too.
    if (builtin === undefined || !rewrite?.changes || rewrite.changesShape || mapNode.isFunction) return undefined;
    const edits = rewrite.changes.map(({ start, end, text }) => map.text.edit(start, end, text));
    const found = [...edits, reduceEdit(subject, builtin)].filter((edit) => edit !== undefined);
    return found.length > edits.length ? found : undefined;
  },
};
