// Silences findings by comments beside the code, by the configuration and by a baseline, and counts what each ignore
// silenced.

/** @import { Ignore } from '../facts/fact.js' */
/** @import { Finding } from './findings/finding.js' */
/** @import { Place } from '../shared/source-file.js' */

/** @typedef {Pick<Finding, 'key' | 'subject' | 'place'>} Covered what an ignore can go by, beside the rule */
/** An ignore with what it covers. @typedef {{ignore: Ignore, covers: (finding: Covered) => boolean}} Mute */

/**
 * @param {Finding} finding
 * @param {Mute[]} mutes
 * @returns {boolean} whether some ignore covers it; every ignore that does is counted
 */
export function isMuted(finding, mutes) {
  let muted = false;
  for (const { ignore, covers } of mutes) {
    if (ignore.rule !== finding.rule || !covers(finding)) continue;
    ignore.silencedCount += 1;
    muted = true;
  }
  return muted;
}

/**
 * @param {Place} line the stretch of a file that a comment speaks of
 * @returns {(finding: Pick<Covered, 'place'>) => boolean} whether a finding begins in it
 */
export function coversLine(line) {
  return ({ place }) => {
    if (place.file !== line.file) return false;
    const endLine = line.endLine ?? line.line;
    if (place.line < line.line || place.line > endLine) return false;
    if (place.line === line.line && place.column < line.column) return false;
    return place.line !== endLine || place.column <= (line.endColumn ?? Number.POSITIVE_INFINITY);
  };
}
