// Fix: sets an option of a CouchDB `.ini` file to another value. Unsafe: it changes what the server does.

/** @import { ConfigOption, ServerConfigRecord } from '../../sources/record.js' */
/** @import { TextEdit } from '../../shared/source-file.js' */
/** @import { Fix } from './index.js' */

/** @type {Fix} */
export const setConfigValue = {
  id: 'set-config-value',
  title: 'Set the option to the safe value',
  safe: false,
  apply({ subject, item }) {
    const { section, key, value } = item?.detail ?? {};
    if (subject.kind !== 'server' || typeof section !== 'string' || typeof key !== 'string') return undefined;
    const { record } = subject;
    if (value === undefined || record.isYaml) return undefined;
    const inSection = record.options.filter((option) => option.section === section);
    const option = inSection.findLast((candidate) => candidate.key === key);
    if (option) return [{ file: record.file, start: option.valueStart, end: option.valueEnd, text: String(value) }];
    // A section of a host may only inherit the option: it gets a line of its own there.
    const last = inSection.at(-1);
    return last && [lineBehind(record, last, `${key} = ${value}`)];
  },
};

/**
 * @param {ServerConfigRecord} record
 * @param {ConfigOption} option
 * @param {string} line
 * @returns {TextEdit} inserts the line behind the option's, with the line end of the file
 */
function lineBehind({ file }, option, line) {
  const { text } = file;
  const length = text.slice(option.valueEnd).search(/\r\n|\n|\r/);
  const end = length === -1 ? text.length : option.valueEnd + length;
  const lineEnd = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  return { file, start: end, end, text: `${lineEnd}${line}` };
}
