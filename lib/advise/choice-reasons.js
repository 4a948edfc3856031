// Says why a candidate was not chosen, and what the cheapest useful one needs. Pure.

/** @import { ChoiceSpace, ChosenSet, Limit, Totals } from './choice-space.js' */

/**
 * @typedef {'saves-nothing' | 'costs-more' | 'needs-absent' | 'over-budget' | 'alternative' | 'served' | 'not-searched'} RejectionReason
 *   `saves-nothing`: no query gets faster, nothing gets smaller; `costs-more`: keeping it up to date takes more than reading saves, or adds
 *   more to the disk than nothing is worth; `needs-absent`: what it needs is no candidate; `over-budget`: it would improve the plan, but not
 *   within the budget; `alternative`: `by` changes the same thing and gains more; `served`: `by` serve its queries as well or better, so what
 *   it adds does not pay; `not-searched`: the search ended before
 */

/**
 * @typedef {object} Rejection
 * @property {string} id
 * @property {RejectionReason} reason
 * @property {Limit[]} over limits of the budget that it would exceed, of `over-budget`
 * @property {string[]} by ids of chosen candidates, of `alternative` and `served`
 * @property {number} gainAlone savings less writing if only it were made, with what it needs
 * @property {number} adds savings less writing that it would add to what was chosen, instead of its alternative
 */

/**
 * @typedef {object} Cheapest The useful candidate that exceeds the budget least, with what it needs.
 * @property {string} id
 * @property {string[]} needs ids of those that it needs
 * @property {number} bytes of all of these together
 * @property {number} indexes
 * @property {number} writeCost
 * @property {number} gain savings less writing
 * @property {Limit[]} over limits of the budget that it exceeds
 */

/**
 * @param {ChoiceSpace} space
 * @param {ChosenSet} chosen
 * @param {number} at of a candidate that was not chosen
 * @returns {Rejection}
 */
export function rejectionOf(space, chosen, at) {
  const { candidates, tolerance } = space;
  const candidate = /** @type {ChoiceSpace['candidates'][number]} */ (candidates[at]);
  const bundle = space.bundles[at];
  const rejection = { id: candidate.id, over: [], by: [], gainAlone: 0, adds: 0 };
  if (bundle === undefined) return { ...rejection, reason: 'needs-absent' };
  const alone = space.setOf(bundle);
  const rivals = rivalsOf(space, chosen, bundle);
  const kept = [...chosen.members].filter((one) => !rivals.some((rival) => space.dependents[rival]?.includes(one)));
  const instead = space.setOf([...new Set([...kept, ...bundle])]);
  const figures = { ...rejection, gainAlone: alone.gain, adds: instead.gain - chosen.gain };
  if (alone.reading <= tolerance && candidate.bytes >= 0 && candidate.writeCost >= 0)
    return { ...figures, reason: 'saves-nothing' };
  const isUseful = alone.gain > tolerance || (alone.gain >= -tolerance && alone.totals.bytes < 0);
  if (!isUseful) return { ...figures, reason: 'costs-more' };
  const wouldImprove = space.isBetter(
    { gain: instead.gain, bytes: instead.totals.bytes, count: instead.members.size },
    { gain: chosen.gain, bytes: chosen.totals.bytes, count: chosen.members.size },
  );
  // What is over the budget by itself is so whatever else was chosen.
  const over = space.exceeded(instead.totals);
  const overAlone = space.exceeded(alone.totals);
  if (wouldImprove && over.length > 0) return { ...figures, reason: 'over-budget', over };
  if (overAlone.length > 0) return { ...figures, reason: 'over-budget', over: overAlone };
  if (wouldImprove) return { ...figures, reason: 'not-searched' };
  const by = (/** @type {number[]} */ list) => list.map((one) => candidates[one]?.id ?? '');
  if (rivals.length > 0) return { ...figures, reason: 'alternative', by: by(rivals) };
  return { ...figures, reason: 'served', by: by(serversOf(space, chosen, at)) };
}

/**
 * @param {ChoiceSpace} space
 * @param {ChosenSet} chosen
 * @param {number[]} bundle
 * @returns {number[]} chosen candidates that change the same thing as one of the bundle
 */
function rivalsOf({ alternativeOf }, { members }, bundle) {
  return [...members].filter((one) =>
    bundle.some((at) => at !== one && alternativeOf[at] !== -1 && alternativeOf[at] === alternativeOf[one]),
  );
}

/**
 * @param {ChoiceSpace} space
 * @param {ChosenSet} chosen
 * @param {number} at
 * @returns {number[]} the chosen candidates that serve its queries best
 */
function serversOf({ candidates }, { members }, at) {
  const servers = new Set();
  for (const [query, saved] of candidates[at]?.savings ?? []) {
    if (saved <= 0) continue;
    let most = 0;
    let server = -1;
    for (const one of members) {
      const other = candidates[one]?.savings.get(query) ?? 0;
      if (other > most) [most, server] = [other, one];
    }
    if (server !== -1) servers.add(server);
  }
  return [...servers].sort((one, other) => one - other);
}

/**
 * @param {ChoiceSpace} space
 * @returns {Cheapest | null} null where no candidate is useful
 */
export function findCheapest(space) {
  const useful = space.candidates.flatMap(({ id }, at) => {
    const bundle = space.bundles[at];
    if (bundle === undefined) return [];
    const { totals, gain } = space.setOf(bundle);
    const needs = bundle.flatMap((one) => (one === at ? [] : [space.candidates[one]?.id ?? '']));
    return gain > space.tolerance ? [{ id, needs, ...totals, gain, over: space.exceeded(totals) }] : [];
  });
  useful.sort((one, other) => {
    const [left, right] = [excessOf(space, one), excessOf(space, other)];
    return (
      left.bytes - right.bytes ||
      left.indexes - right.indexes ||
      left.writeCost - right.writeCost ||
      other.gain - one.gain
    );
  });
  return useful[0] ?? null;
}

/**
 * @param {ChoiceSpace} space
 * @param {Totals} totals
 * @returns {Totals} by how much they exceed the budget
 */
function excessOf({ budget }, totals) {
  return {
    bytes: Math.max(0, totals.bytes - (budget.bytes ?? Number.POSITIVE_INFINITY)),
    indexes: Math.max(0, totals.indexes - (budget.indexes ?? Number.POSITIVE_INFINITY)),
    writeCost: Math.max(0, totals.writeCost - (budget.writeCost ?? Number.POSITIVE_INFINITY)),
  };
}
