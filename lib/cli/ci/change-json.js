// Makes the JSON of what a change brings: the report of new findings as `lint` renders it, with `change` beside it.

import { renderJson } from '../../reports/json.js';
import { deploySteps } from './deploy-steps.js';
import { buildsByDocument } from './outcome.js';

/** @import { DeployCost } from '../../shared/deploy-cost.js' */
/** @import { ChangeOutcome } from './outcome.js' */

/**
 * @param {ChangeOutcome} outcome
 * @param {{database?: string | undefined}} [options]
 * @returns {object}
 */
export function changeJson(outcome, { database } = {}) {
  const { base, touched, old, elsewhere, gone, builds, disk } = outcome;
  return {
    ...JSON.parse(renderJson(outcome.report)),
    change: {
      base,
      touched,
      counts: { new: outcome.report.findings.length, old: old.length, elsewhere, gone },
      old: old.map(({ key, rule, outcome: id, severity, message, place }) => ({
        key,
        rule,
        outcome: id,
        severity,
        message,
        place,
      })),
      indexes: builds.map((whole) => {
        const { record: _, unknown, signature, signatureBefore, estimate, ...build } = whole;
        const found = disk?.indexes.find(({ index }) => index === whole);
        return {
          ...build,
          signatureBefore: signatureBefore ?? null,
          signature: signature ?? null,
          ...(unknown === undefined ? {} : { unknown }),
          ...(estimate === undefined ? {} : { estimate }),
          ...(found ? { disk: { ...showCost(found.cost), basis: found.basis } } : {}),
        };
      }),
      ...(disk
        ? {
            disk: {
              ...(disk.cost ? showCost(disk.cost) : {}),
              freeBytes: disk.free ?? null,
              unknownIndexes: disk.unknown.length,
            },
          }
        : {}),
      steps: [...buildsByDocument(builds).values()].flatMap((group) => {
        const commands = deploySteps(group, database);
        return commands.length === 0 ? [] : [{ designDoc: group[0]?.designDoc, commands }];
      }),
    },
  };
}

/** @param {DeployCost} cost @returns {object} */
function showCost({ peakBytes, moreBytes, lastingBytes, fits, reason }) {
  return { peakBytes, moreBytes, lastingBytes, fits: fits ?? null, reason };
}
