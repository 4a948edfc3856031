// Sorts findings into the order in which they are shown.

/** @import { Cost, Finding } from './finding.js' */

/**
 * @param {Finding} first
 * @param {Finding} second
 * @returns {number} by file, line and column, then by key, so that the order is the same in every run
 */
export function byPlace(first, second) {
  if (first.place.file !== second.place.file) return first.place.file < second.place.file ? -1 : 1;
  const distance = first.place.line - second.place.line || first.place.column - second.place.column;
  if (distance !== 0) return distance;
  return first.key < second.key ? -1 : Number(first.key > second.key);
}

/**
 * @param {Finding[]} findings
 * @returns {(Finding & {cost: Cost})[]} those whose cost the logs show, the costliest first; of equal ones in the order of places
 */
export function byCost(findings) {
  const known = /** @type {(Finding & {cost: Cost})[]} */ (findings.filter(({ cost }) => cost !== undefined));
  return known.sort((first, second) => second.cost.share - first.cost.share || byPlace(first, second));
}

/**
 * What costs most, each request counted once: under the rule whose advice saves most of it.
 * @param {Finding[]} findings
 * @param {readonly {id: string, saves?: number | undefined}[]} rules that made them; `saves` as in rules/rule.schema.json
 * @returns {{finding: Finding & {cost: Cost}, share: number}[]} the costliest first; none whose advice changes nothing about requests
 */
export function costliest(findings, rules) {
  const savesOf = new Map(rules.map(({ id, saves }) => [id, saves]));
  // Those of which nobody measured what they save come behind those that are known to save.
  const savedBy = (/** @type {Finding} */ { rule, verdict }) => verdict?.ratio ?? savesOf.get(rule) ?? 0;
  const saving = byCost(findings).filter(({ rule }) => savesOf.get(rule) !== 1);
  /** @type {Set<string>} */
  const counted = new Set();
  const ranked = saving
    .sort((first, second) => savedBy(second) - savedBy(first))
    .flatMap((finding) => {
      const own = finding.cost.shapes.filter(({ id }) => !counted.has(id));
      for (const { id } of own) counted.add(id);
      const share = own.reduce((sum, shape) => sum + shape.share, 0);
      return own.length > 0 ? [{ finding, share: Number(share.toPrecision(6)) }] : [];
    });
  return ranked.sort((first, second) => second.share - first.share || byPlace(first.finding, second.finding));
}
