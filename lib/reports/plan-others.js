// Builds what a plan says of the findings of `lint` that none of its steps settles.

import { formatCount, formatShare } from '../shared/units.js';
import { list, paragraph, section } from './document/blocks.js';

/** @import { Plan } from '../advise/plan.js' */
/** @import { Optional } from './document/blocks.js' */

/** So many are listed. */
const MAX_OTHERS = 5;

/**
 * @param {Plan} plan
 * @returns {Optional} the costliest findings that no step settles, with the share of each
 */
export function otherFindings({ others = [], workload: { hasTimes } }) {
  const rest = others.length - MAX_OTHERS;
  const of = hasTimes ? 'of the request time' : 'of the requests';
  return (
    others.length > 0 &&
    section(
      'Also found by lint',
      list([
        ...others
          .slice(0, MAX_OTHERS)
          .map(
            ({ share, message, place, code: name }) => `${formatShare(share)} ${of}: ${message}, ${place} (${name})`,
          ),
        ...(rest > 0 ? [`and ${rest} more; --format json lists them`] : []),
      ]),
      paragraph('No step changes these: `lint` with the same paths and logs says how to fix each.'),
    )
  );
}

/**
 * @param {NonNullable<Plan['others']>} others
 * @param {boolean} hasTimes
 * @returns {string} where the remedy is instead
 */
export function describeOthers(others, hasTimes) {
  const [first] = others;
  if (!first) return '`lint` names no other remedy for these queries.';
  const share = formatShare(others.reduce((sum, one) => sum + one.share, 0));
  const what = others.length === 1 ? `a finding of \`lint\`` : `${formatCount(others.length)} findings of \`lint\``;
  const of = `${share} of ${hasTimes ? 'the request time' : 'all requests'}`;
  return `${of} is in ${what}: ${first.place} (${first.code})${others.length > 1 ? ' first' : ''}.`;
}
