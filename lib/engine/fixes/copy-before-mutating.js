// Fix: makes a call that changes an array of the frozen document change a copy instead.

/** @import { Fix } from './index.js' */

/** @type {Fix} */
export const copyBeforeMutating = {
  id: 'copy-before-mutating',
  title: 'Copy the array first',
  safe: true,
  apply({ subject, item }) {
    const { arrayEnd, optional } = item?.detail ?? {};
    if (subject.kind !== 'function' || typeof arrayEnd !== 'number') return undefined;
    const edit = subject.text.edit(arrayEnd, arrayEnd, optional === true ? '?.slice()' : '.slice()');
    return edit && [edit];
  },
};
