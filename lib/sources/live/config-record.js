// Shows the configuration of a running server as the record of an `.ini` file with the same settings, so that the same
// rules apply.

import { SourceFile } from '../../shared/source-file.js';
import { asObject } from '../../shared/values.js';

/** @import { ConfigOption, ServerConfigRecord } from '../record.js' */

/**
 * @param {string} address of `_config`
 * @param {Record<string, unknown>} config options by section
 * @returns {ServerConfigRecord}
 */
export function createConfigRecord(address, config) {
  let text = '';
  /** @type {{name: string, start: number, end: number}[]} */
  const sections = [];
  /** @type {{section: string, key: string, value: string, start: number, end: number}[]} */
  const options = [];
  for (const [name, members] of Object.entries(config).sort(byName)) {
    const section = oneLine(name);
    const start = text.length;
    text += `[${section}]\n`;
    sections.push({ name: section, start, end: text.length - 1 });
    for (const [member, given] of Object.entries(asObject(members) ?? {}).sort(byName)) {
      const [key, value] = [oneLine(member), oneLine(String(given))];
      options.push({ section, key, value, start: text.length, end: text.length + `${key} = ${value}`.length });
      text += `${key} = ${value}\n`;
    }
    text += '\n';
  }
  const file = new SourceFile(address, text);
  /** @param {{section: string, key: string, value: string, start: number, end: number}} option @returns {ConfigOption} */
  const placed = ({ section, key, value, start, end }) => ({
    section,
    key,
    value,
    place: file.place(start, end),
    valuePlace: file.place(end - value.length, end),
    valueStart: end - value.length,
    valueEnd: end,
  });
  return {
    kind: 'server-config',
    file,
    sections: sections.map(({ name, start, end }) => ({ name, place: file.place(start, end) })),
    options: options.map(placed),
  };
}

/** @param {string} text @returns {string} */
function oneLine(text) {
  return text.replace(/\s+/g, ' ').trim();
}

/** @param {[string, unknown]} first @param {[string, unknown]} second @returns {number} */
function byName([first], [second]) {
  return first < second ? -1 : Number(first > second);
}
