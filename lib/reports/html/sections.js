// Divides a report into the sections of its page: one for each design document, then the other files, each with its
// findings.

import { samePlaces } from '../../engine/findings/finding.js';

/** @import { ReadDocument } from '../../engine/details.js' */
/** @import { Finding } from '../../engine/findings/finding.js' */
/** @import { Place, SourceFile } from '../../shared/source-file.js' */
/** @import { Report } from '../report.js' */

/** @typedef {{file: SourceFile, start: number, end: number}} Part of a file, in offsets */

/** @typedef {Finding & {anchor: string}} Anchored `anchor`: its name in the page */

/**
 * @typedef {object} Section
 * @property {string} anchor name in the page
 * @property {string} title
 * @property {string} file that it is about, or its main one
 * @property {string} kind `design document`, `Mango index`, `configuration`, `load`, `log` or `file`
 * @property {string[]} views of a design document
 * @property {Part[]} parts what there is to show of its source
 * @property {Anchored[]} findings in the order of the report
 * @property {Anchored[]} mentions findings of other sections that have a place in this one too
 */

/** What a file is, by the kind of subject that findings in it are about. @type {Record<string, string>} */
const KINDS = {
  index: 'Mango index',
  server: 'configuration',
  load: 'load',
  request: 'log',
  build: 'log',
  log: 'log',
};

/**
 * @param {Report} report
 * @returns {Section[]} design documents first, also those without findings; then files with findings
 */
export function divide({ findings, sources, details }) {
  const documents = (details?.documents ?? []).map((document) => sectionOf(document, sources));
  /** @type {Map<string, {start: number, end: number, section: Section}[]>} */
  const ranges = new Map();
  for (const section of documents) {
    for (const { file, start, end } of section.parts) {
      const list = ranges.get(file.path) ?? [];
      list.push({ start, end, section });
      ranges.set(file.path, list);
    }
  }
  /** @type {Map<string, Section>} */
  const files = new Map();
  /** @param {Place} place @returns {Section | undefined} the document there */
  const documentAt = ({ file: path, line, column }) => {
    const offset = (sources.get(path)?.lineStarts[line - 1] ?? 0) + column - 1;
    return ranges.get(path)?.find(({ start, end }) => offset >= start && offset < Math.max(end, start + 1))?.section;
  };
  for (const [at, finding] of findings.entries()) {
    const { file: path } = finding.place;
    const document = documentAt(finding.place);
    const section = document ?? files.get(path) ?? sectionOfFile(path, sources.get(path), finding);
    if (!document) files.set(path, section);
    const anchored = { ...finding, anchor: `f${at + 1}` };
    section.findings.push(anchored);
    const elsewhere = new Set(samePlaces(finding).map(({ place }) => documentAt(place)));
    for (const other of elsewhere) if (other && other !== section) other.mentions.push(anchored);
  }
  return [...documents, ...files.values()].map((section, at) => ({ ...section, anchor: `s${at + 1}` }));
}

/**
 * @param {ReadDocument} document
 * @param {Report['sources']} sources
 * @returns {Section}
 */
function sectionOf({ id, name, views, parts }, sources) {
  const shown = parts.flatMap(({ file: path, start, end }) => {
    const file = sources.get(path);
    return file ? [{ file, start, end }] : [];
  });
  const file = parts[0]?.file ?? '';
  const kind = 'design document';
  return { anchor: '', title: id ?? name, file, kind, views, parts: shown, findings: [], mentions: [] };
}

/**
 * @param {string} path
 * @param {SourceFile | undefined} file
 * @param {Finding} finding the first one in it
 * @returns {Section}
 */
function sectionOfFile(path, file, finding) {
  const kind = KINDS[finding.subject.kind] ?? 'file';
  const parts = file && file.text !== '' ? [{ file, start: 0, end: file.text.length }] : [];
  return { anchor: '', title: path, file: path, kind, views: [], parts, findings: [], mentions: [] };
}
