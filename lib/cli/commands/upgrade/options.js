// Compares the options of two releases: which of those that a project sets are gone, and which defaults changed.

/** @import { ConfigOption, SourceRecord } from '../../../sources/record.js' */
/** @import { OptionTable } from './changes.js' */

/** @typedef {{section: string, key: string, before: string, after: string, isSet: boolean}} Redefault `isSet`: whether the project sets it, so that nothing changes */

/** A default that can be compared as text: others are examples, lists of Erlang or paths. */
const PLAIN = /^(?:\d+(?:\.\d+)?|true|false|infinity|enforce|warn|off)$/;

/**
 * @param {(number | string | null)[]} row
 * @param {number} release
 * @returns {string | 0 | null} its default there; null where it is not listed, 0 where the source does not name it
 */
function valueAt(row, release) {
  /** @type {string | 0 | null} */
  let value = null;
  for (let at = 0; at < row.length; at += 2) {
    if (Number(row[at]) <= release) value = /** @type {string | 0 | null} */ (row[at + 1] ?? null);
  }
  return value;
}

/** @param {OptionTable} table @param {string} section @param {string} key @returns {(number | string | null)[] | undefined} names are those of a file, such as `__proto__` */
function rowOf({ options }, section, key) {
  const keys = Object.hasOwn(options, section) ? options[section] : undefined;
  return keys && Object.hasOwn(keys, key) ? keys[key] : undefined;
}

/**
 * @param {OptionTable} table
 * @param {string} version
 * @returns {number} of the last release that is not newer
 */
function numberOf({ releases }, version) {
  const at = releases.indexOf(version);
  return at === -1 ? releases.length - 1 : at;
}

/**
 * @param {SourceRecord[]} records
 * @param {OptionTable} table
 * @param {string} from
 * @returns {ConfigOption[]} options that somebody set: a server reports its defaults too
 */
export function setOptions(records, table, from) {
  const release = numberOf(table, from);
  return records.flatMap((record) => {
    if (record.kind !== 'server-config') return [];
    if (!record.file.path.includes('://')) return record.options;
    return record.options.filter(({ section, key, value }) => {
      const row = rowOf(table, section, key);
      return row === undefined || valueAt(row, release) !== value;
    });
  });
}

/**
 * @param {ConfigOption[]} set
 * @param {OptionTable} table
 * @param {{from: string, to: string}} between
 * @returns {{option: ConfigOption, since: string}[]} those that the source no longer names
 */
export function goneOptions(set, table, { from, to }) {
  const [first, last] = [numberOf(table, from), numberOf(table, to)];
  return set.flatMap((option) => {
    const row = rowOf(table, option.section, option.key);
    if (row === undefined || valueAt(row, last) !== 0 || valueAt(row, first) === 0) return [];
    const since = table.releases[Number(row[row.lastIndexOf(0) - 1])];
    return since === undefined ? [] : [{ option, since }];
  });
}

/**
 * @param {ConfigOption[]} set
 * @param {OptionTable} table
 * @param {{from: string, to: string}} between
 * @returns {Redefault[]}
 */
export function changedDefaults(set, table, { from, to }) {
  const [first, last] = [numberOf(table, from), numberOf(table, to)];
  return Object.entries(table.options).flatMap(([section, keys]) =>
    Object.entries(keys).flatMap(([key, row]) => {
      const [before, after] = [valueAt(row, first), valueAt(row, last)];
      if (typeof before !== 'string' || typeof after !== 'string' || before === after) return [];
      if (!PLAIN.test(before) || !PLAIN.test(after)) return [];
      const isSet = set.some((option) => option.section === section && option.key === key);
      return [{ section, key, before, after, isSet }];
    }),
  );
}
