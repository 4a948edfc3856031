// Renders every subject with its facts, as text or as JSON (share/schemas/facts.schema.json), for people who write rules.

import { printable } from '../shared/printable.js';
import { createColors } from './colors.js';
import { stringifyJson } from './stringify-json.js';

/** @import { Place } from '../shared/source-file.js' */
/** @import { Colors } from './colors.js' */

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
 * @param {{color?: boolean}} [options]
 * @returns {string} a block for each subject, a line for each fact, lists with a line for each member
 */
export function renderFactsText(subjects, { color = false } = {}) {
  const colors = createColors(color);
  return subjects.map((subject) => `${renderSubject(subject, colors).join('\n')}\n`).join('\n');
}

/**
 * @param {SubjectFacts} subject
 * @param {Colors} colors
 * @returns {string[]}
 */
function renderSubject({ kind, name, designDoc, view, place, facts }, colors) {
  const own = kind === 'design-doc' && designDoc !== undefined ? undefined : (name ?? view);
  const about = [designDoc, own].filter((part) => part !== undefined).join(' ');
  const where = `${place.file}:${place.line}:${place.column}`;
  const lines = [`${colors.bold(printable(`${kind} ${about}`.trim()))} ${colors.dim(printable(where))}`];
  const width = Math.max(0, ...[...facts.keys()].map((id) => id.length));
  for (const [id, fact] of facts) {
    const head = `  ${printable(id).padEnd(width)}  `;
    if ('unknown' in fact) {
      lines.push(`${head}${colors.yellow('unknown:')} ${printable(fact.unknown)}`);
      continue;
    }
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
