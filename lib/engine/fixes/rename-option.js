// Fix: gives misspelled options of a call their right names. Unsafe: CouchDB then does what it ignored before.

import { meantNames } from '../../shared/misspelt-parameters.js';

/** @import { Fix } from './index.js' */

/** @type {Fix} */
export const renameOption = {
  id: 'rename-option',
  title: 'Use the name that CouchDB knows',
  safe: false,
  apply({ subject }) {
    if (subject.kind !== 'call') return undefined;
    const { record } = subject;
    const { file } = record;
    const entries = record.options.node?.entries ?? [];
    const meantOf = meantNames(entries.map(({ key }) => key));
    return entries.flatMap(({ key, keyStart, keyEnd }) => {
      const meant = meantOf.get(key);
      // An object with a name may be used elsewhere too.
      if (meant === undefined || keyStart < record.start || keyEnd > record.end) return [];
      const written = file.text.slice(keyStart, keyEnd);
      const isShorthand = !/^\s*:/.test(file.text.slice(keyEnd, keyEnd + 20));
      const quote = /^['"]/.exec(written)?.[0] ?? '';
      return [
        { file, start: keyStart, end: keyEnd, text: isShorthand ? `${meant}: ${written}` : `${quote}${meant}${quote}` },
      ];
    });
  },
};
