// Puts the candidates of a chosen set in the order in which they are best made. Pure.

/** @import { ChoiceSpace, ChosenSet } from './choice-space.js' */

/**
 * By what each adds to those before it, what it needs first; where the budget is too small for the next one, what frees
 * space comes before it.
 * @param {ChoiceSpace} space
 * @param {ChosenSet} chosen
 * @returns {{id: string, adds: number}[]} `adds`: savings less writing
 */
export function orderSteps(space, chosen) {
  /** @type {{id: string, adds: number}[]} */
  const steps = [];
  let done = space.setOf([]);
  while (done.members.size < chosen.members.size) {
    for (const at of nextBundle(space, chosen, done)) {
      const before = done.gain;
      done = space.with(done, [at]);
      steps.push({ id: space.candidates[at]?.id ?? '', adds: done.gain - before });
    }
  }
  return steps;
}

/**
 * @param {ChoiceSpace} space
 * @param {ChosenSet} chosen
 * @param {ChosenSet} done
 * @returns {number[]} the next candidate, and before it what it needs
 */
function nextBundle(space, chosen, done) {
  const ready = [...chosen.members].flatMap((at) => {
    if (done.members.has(at)) return [];
    const bundle = (space.bundles[at] ?? []).filter((one) => !done.members.has(one));
    const totals = space.totalsWith(done.totals, bundle);
    const gain = space.readingGain(done.best, bundle) - totals.writeCost + done.totals.writeCost;
    return [{ bundle, gain, totals, fits: space.fits(totals) }];
  });
  const fitting = ready.filter(({ fits }) => fits);
  if (fitting.length > 0) fitting.sort((one, other) => other.gain - one.gain);
  else {
    ready.sort(
      (one, other) =>
        one.totals.bytes - other.totals.bytes || one.totals.writeCost - other.totals.writeCost || other.gain - one.gain,
    );
  }
  return (fitting[0] ?? ready[0])?.bundle ?? [];
}
