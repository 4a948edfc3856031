// Makes subjects with facts of every kind, for the tests of the facts report.

import { ordersFile, placeOf } from './sample-report.js';

/** @import { SubjectFacts } from '../../lib/reports/facts.js' */

/** @returns {SubjectFacts[]} */
export function shopSubjects() {
  const place = placeOf(ordersFile, '"by_customer"');
  return [
    {
      kind: 'design-doc',
      name: 'orders',
      designDoc: '_design/orders',
      place: ordersFile.place(0),
      facts: new Map([['ddoc.viewCount', { value: 2, basis: 'declared' }]]),
    },
    {
      kind: 'view',
      designDoc: '_design/orders',
      view: 'by_customer',
      place,
      facts: new Map([
        ['view.emitsWholeDoc', { value: true, basis: 'inferred', place: placeOf(ordersFile, 'doc);') }],
        ['reduce.kind', { value: 'none', basis: 'declared' }],
        ['view.valueBytes', { unknown: 'no document was measured' }],
        [
          'view.emittedKeys',
          { value: [{ value: 'doc.customer', place: placeOf(ordersFile, 'doc.customer') }], basis: 'inferred', place },
        ],
        ['view.unguardedReads', { value: [], basis: 'inferred' }],
      ]),
    },
    {
      kind: 'server',
      name: 'local.ini',
      place: { file: 'local.ini', line: 1, column: 1 },
      facts: new Map([
        [
          'config.corsOpen',
          {
            value: [{ value: '[cors]', place: { file: 'other.ini', line: 3, column: 1 }, detail: { key: 'origins' } }],
            basis: 'declared',
          },
        ],
      ]),
    },
  ];
}
