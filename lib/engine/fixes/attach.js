// Works out what the fix of each finding would change, and drops fixes that cannot be made. Changes no text.

import { chooseFixes } from './edit.js';
import { fixes } from './index.js';

/** @import { Item, Subject } from '../../facts/fact.js' */
/** @import { Finding } from '../findings/finding.js' */
/** @import { TextEdit } from '../../shared/source-file.js' */

/** @typedef {{finding: Finding, subject: Subject, item: Item | undefined, others?: Link[] | undefined}} Link a finding with what its fix needs */

/**
 * Adds to each finding what its fix does, and removes fixes that cannot be made.
 * @param {Link[]} links their findings are changed
 * @returns {Map<string, TextEdit[]>} the edits by key of the finding
 */
export function attachFixes(links) {
  /** @type {Map<string, TextEdit[]>} */
  const edits = new Map();
  for (const { finding, others = [], ...about } of links) {
    if (!finding.fix) continue;
    const fix = fixes.get(finding.fix.id);
    const perPlace = [about, ...others].map(
      ({ subject, item }) => fix?.apply({ subject, item })?.filter((edit) => !isIdle(edit)) ?? [],
    );
    // A place that would disturb another waits: it is found again when that one is fixed.
    const made = [...chooseFixes(perPlace).chosen.values()].flat();
    if (fix && made.length > 0) {
      const caveat = fix.caveatOf?.(about.subject);
      finding.fix = { id: fix.id, safe: fix.safe, title: caveat ? `${fix.title}; ${caveat}` : fix.title };
      edits.set(finding.key, made);
    } else finding.fix = undefined;
  }
  return edits;
}

/**
 * @param {TextEdit} edit
 * @returns {boolean} whether it leaves everything as it is
 */
function isIdle({ file, start, end, text }) {
  return file.text.slice(start, end) === text;
}
