// Joins what was judged for several versions of CouchDB: each finding once, with the versions that it holds for. Pure.

import { keysOf } from '../../engine/findings/finding.js';
import { byPlace } from '../../engine/findings/order.js';
import { joinWords } from '../../shared/join-words.js';

/** @import { Finding } from '../../engine/findings/finding.js' */

/** @typedef {{report: {findings: Finding[], target: {version: string}}, links: {finding: Finding}[], known: {finding: Finding}[]}} Judged */

/**
 * @template {Judged} Analysis
 * @param {Analysis[]} analyses of the same records, that for the target first
 * @returns {Analysis} that one, with the findings of all of them
 */
export function joinTargets(analyses) {
  const [main, ...others] = /** @type {[Analysis, ...Analysis[]]} */ (analyses);
  if (others.length === 0) return main;
  const links = [...main.links];
  const keys = new Set(links.flatMap(({ finding }) => keysOf(finding)));
  for (const { links: more } of others) {
    for (const link of more) {
      if (keysOf(link.finding).every((key) => keys.has(key))) continue;
      links.push(link);
      for (const key of keysOf(link.finding)) keys.add(key);
    }
  }
  links.sort((one, other) => byPlace(one.finding, other.finding));
  for (const { finding } of links) noteVersions(finding, analyses);
  return { ...main, links, report: { ...main.report, findings: links.map(({ finding }) => finding) } };
}

/** @param {Finding} finding @param {Judged[]} analyses */
function noteVersions(finding, analyses) {
  const holding = analyses.filter(({ report }) => report.findings.some((other) => keysOf(other).includes(finding.key)));
  finding.versions = holding.map(({ report }) => report.target.version);
  if (holding.length < analyses.length) finding.message += ` (on CouchDB ${joinWords(finding.versions)})`;
}
