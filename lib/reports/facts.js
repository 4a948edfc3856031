// Renders every subject with its facts, as text or as JSON (share/schemas/facts.schema.json), for people who write rules.

import { groupBy } from '../shared/group-by.js';
import { printable } from '../shared/printable.js';
import { countOf } from '../shared/units.js';
import { createColors } from './colors.js';
import { wrap } from './display-width.js';
import { stringifyJson } from './stringify-json.js';

/** @import { Place } from '../shared/source-file.js' */
/** @import { Colors } from './colors.js' */

/** Where no terminal has its own. */
const USUAL_WIDTH = 80;

/** @typedef {{value: string, place?: Place, detail?: Record<string, string | number | boolean>}} ReportedItem */
/** @typedef {boolean | number | string | ReportedItem[]} ReportedValue */
/** @typedef {{value: ReportedValue, basis: string, place?: Place} | {unknown: string, place?: Place}} ReportedFact */

/**
 * @typedef {object} SubjectFacts
 * @property {string} kind
 * @property {string} [name]
 * @property {string} [designDoc]
 * @property {string} [view]
 * @property {Place} place
 * @property {Map<string, ReportedFact>} facts by id
 */

/**
 * @param {SubjectFacts[]} subjects
 * @returns {string} version 1 of the shape: keys may be added to it, and none is renamed or removed
 */
export function renderFactsJson(subjects) {
  return stringifyJson({
    version: 1,
    subjects: subjects.map(({ kind, name, designDoc, view, place, facts }) => ({
      kind,
      name,
      designDoc,
      view,
      place,
      facts: Object.fromEntries([...facts].map(([id, fact]) => [id, describeFact(fact)])),
    })),
  });
}

/**
 * @param {ReportedFact} fact
 * @returns {object}
 */
function describeFact(fact) {
  if ('unknown' in fact) return { unknown: fact.unknown, place: fact.place };
  const { value, basis, place } = fact;
  if (!Array.isArray(value)) return { value, basis, place };
  return { value: value.map((item) => ({ value: item.value, place: item.place, detail: item.detail })), basis, place };
}

/**
 * @param {SubjectFacts[]} subjects
 * @param {{color?: boolean, verbose?: boolean | undefined, width?: number}} [options] `verbose`: with unknown facts, by their reasons
 * @returns {string} a block for each subject: a line for each known fact, lists with a line for each member, and how many are unknown
 */
export function renderFactsText(subjects, { color = false, verbose = false, width = USUAL_WIDTH } = {}) {
  const colors = createColors(color);
  const blocks = subjects.map((subject) => {
    const options = { colors, verbose, width };
    const lines = renderSubject(subject, options);
    const brief = verbose ? [] : renderEmpty(subject, options);
    return `${[...lines, ...brief, ...renderUnknown(subject, options)].join('\n')}\n`;
  });
  return blocks.join('\n');
}

/** @param {ReportedFact} fact @returns {'false' | 'none' | undefined} that it says, where it says that there is nothing */
function emptyValueOf(fact) {
  if ('unknown' in fact) return undefined;
  const { value } = fact;
  if (value === false) return 'false';
  return value === 'none' || (Array.isArray(value) && value.length === 0) ? 'none' : undefined;
}

/**
 * @param {SubjectFacts} subject
 * @param {RenderOptions} options
 * @returns {string[]} the facts of which there is nothing to say, together
 */
function renderEmpty({ facts }, { colors, width }) {
  return /** @type {const} */ (['false', 'none']).flatMap((value) => {
    const ids = [...facts].filter(([, fact]) => emptyValueOf(fact) === value).map(([id]) => id);
    if (ids.length === 0) return [];
    return [`  ${colors.cyan(`${value}:`)}`, ...listOf(ids, width)];
  });
}

/** @param {string[]} ids @param {number} width @returns {string[]} */
function listOf(ids, width) {
  return wrap(printable(ids.join(', ')), width - 4).map((line) => `    ${line}`);
}

/** @typedef {{colors: Colors, verbose: boolean, width: number}} RenderOptions */

/**
 * @param {SubjectFacts} subject
 * @param {RenderOptions} options
 * @returns {string[]}
 */
function renderUnknown({ facts }, { colors, verbose, width }) {
  const unknown = [...facts].flatMap(([id, fact]) => ('unknown' in fact ? [{ id, reason: fact.unknown }] : []));
  if (unknown.length === 0) return [];
  if (!verbose) return [colors.dim(`  ${countOf(unknown.length, 'unknown fact')}; --verbose lists them`)];
  return [...groupBy(unknown, ({ reason }) => reason)].flatMap(([reason, group]) => [
    `  ${colors.yellow('unknown:')} ${printable(reason)}`,
    ...listOf(
      group.map(({ id }) => id),
      width,
    ),
  ]);
}

/**
 * @param {SubjectFacts} subject
 * @param {RenderOptions} options
 * @returns {string[]}
 */
function renderSubject({ kind, name, designDoc, view, place, facts }, { colors, verbose }) {
  const own = kind === 'design-doc' && designDoc !== undefined ? undefined : (name ?? view);
  const about = [designDoc, own].filter((part) => part !== undefined).join(' ');
  const where = `${place.file}:${place.line}:${place.column}`;
  const lines = [`${colors.bold(printable(`${kind} ${about}`.trim()))} ${colors.dim(printable(where))}`];
  const known = [...facts].filter(([, fact]) => !('unknown' in fact) && (verbose || emptyValueOf(fact) === undefined));
  const width = Math.max(0, ...known.map(([id]) => id.length));
  for (const [id, fact] of known) {
    const head = `  ${printable(id).padEnd(width)}  `;
    if ('unknown' in fact) continue;
    const { value, basis } = fact;
    const tail = colors.dim(`  ${basis}${showPlace(fact.place, place)}`);
    if (!Array.isArray(value)) lines.push(`${head}${colors.cyan(printable(String(value)))}${tail}`);
    else {
      lines.push(`${head}${colors.cyan(value.length === 0 ? 'none' : String(value.length))}${tail}`);
      for (const item of value) {
        lines.push(`    - ${printable(item.value)}${colors.dim(showPlace(item.place, place))}`);
      }
    }
  }
  return lines;
}

/**
 * @param {Place | undefined} place
 * @param {Place} subject the subject's own place
 * @returns {string} without the file where it is the subject's
 */
function showPlace(place, subject) {
  if (!place) return '';
  const where = `${place.line}:${place.column}`;
  return `  ${place.file === subject.file ? where : printable(`${place.file}:${where}`)}`;
}
