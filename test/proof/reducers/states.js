// Reducers that count or sum under names that they list, by a string of each row: `_sum` adds objects name by name.

import { ORDER, STATUS } from './maps.js';

/** @import { ReducerRow } from './maps.js' */

/** @type {ReducerRow['expect']} */
const REWRITTEN = { verdict: 'equalAfterRewrite', builtin: '_sum', conditionHolds: ['if', 'always'] };
/** @type {ReducerRow['expect']} */
const OTHER = { verdict: ['custom', 'wrong', 'unknown', 'grows'] };

const KNOWN = `function (doc) {
  if (doc.status === 'open') emit(doc.customer, { status: 'open', total: 1 });
  else if (doc.isPaid) emit(doc.customer, { status: 'paid', total: 2 });
}`;
const TOTAL =
  "function (doc) { if (typeof doc.total === 'number') emit(doc.customer, { status: doc.status, total: doc.total }); }";
const ZEROS = 'var n = { open: 0, paid: 0, sent: 0, returned: 0 };';
const MERGE = 'for (var i = 0; i < values.length; i++) { for (var s in n) n[s] += values[i][s]; }';
const LISTED = `n.open += values[i].open; n.paid += values[i].paid; n.sent += values[i].sent; n.returned += values[i].returned;`;

/** @type {[string, string, string, ReducerRow['expect']][]} */
const ROWS = [
  [
    'counted by the value',
    STATUS,
    `function (keys, values, rereduce) { ${ZEROS} if (rereduce) { ${MERGE} } else { for (var i in values) n[values[i]] += 1; } return n; }`,
    REWRITTEN,
  ],
  [
    'counted by a member',
    ORDER,
    `function (keys, values, rereduce) { ${ZEROS} for (var i = 0; i < values.length; i++) { if (rereduce) { ${LISTED} } else { n[values[i].status]++; } } return n; }`,
    REWRITTEN,
  ],
  [
    'counted where the map lists them',
    KNOWN,
    'function (keys, values, rereduce) { var n = { open: 0, paid: 0 }; values.forEach(function (v) { if (rereduce) { n.open += v.open; n.paid += v.paid; } else { n[v.status] += 1; } }); return n; }',
    { ...REWRITTEN, conditionHolds: 'always' },
  ],
  [
    'summed by a member',
    TOTAL,
    `function (keys, values, rereduce) { ${ZEROS} for (var i in values) { if (rereduce) { ${LISTED} } else { n[values[i].status] += values[i].total; } } return n; }`,
    REWRITTEN,
  ],
  [
    'counted and summed, in lists of names',
    TOTAL,
    `function (keys, values, rereduce) {
      var all = { open: { orders: 0, total: 0 }, paid: { orders: 0, total: 0 }, sent: { orders: 0, total: 0 }, returned: { orders: 0, total: 0 } };
      var states = ['open', 'paid', 'sent', 'returned'];
      var figures = ['orders', 'total'];
      for (var i in values) {
        if (rereduce) {
          for (var s in states) { for (var f in figures) { all[states[s]][figures[f]] += values[i][states[s]][figures[f]]; } }
        } else {
          all[values[i].status].orders += 1;
          for (var g in figures) { if (figures[g] === 'orders') continue; all[values[i].status][figures[g]] += values[i][figures[g]]; }
        }
      }
      return all;
    }`,
    REWRITTEN,
  ],
  [
    'counted by a switch, with another',
    ORDER,
    `function (keys, values, rereduce) {
      var n = { open: 0, paid: 0, other: 0 };
      values.forEach(function (v) {
        if (rereduce) { n.open += v.open; n.paid += v.paid; n.other += v.other; return; }
        switch (v.status) { case 'open': n.open++; break; case 'paid': n.paid++; break; default: n.other++; }
      });
      return n;
    }`,
    REWRITTEN,
  ],
  [
    'counted by a switch that falls through',
    ORDER,
    `function (keys, values, rereduce) {
      var n = { open: 0, done: 0 };
      values.forEach(function (v) {
        if (rereduce) { n.open += v.open; n.done += v.done; return; }
        switch (v.status) { case 'open': n.open++; break; case 'sent': case 'paid': n.done++; }
      });
      return n;
    }`,
    REWRITTEN,
  ],
  [
    'counted where they are listed, all counted',
    ORDER,
    `function (keys, values, rereduce) {
      var n = { total: 0, open: 0, paid: 0 };
      for (var i in values) {
        if (rereduce) { n.total += values[i].total; n.open += values[i].open; n.paid += values[i].paid; continue; }
        if (values[i].status == 'open' || values[i].status == 'paid') n[values[i].status] += 1;
        n.total += 1;
      }
      return n;
    }`,
    REWRITTEN,
  ],
  [
    'counted where the object has them',
    ORDER,
    `function (keys, values, rereduce) {
      var n = { open: 0, paid: 0 };
      values.forEach(function (v) {
        if (rereduce) { Object.keys(n).forEach(function (s) { n[s] += v[s]; }); return; }
        if (n.hasOwnProperty(v.status)) n[v.status] += 1;
      });
      return n;
    }`,
    REWRITTEN,
  ],
  [
    'counted by comparisons',
    ORDER,
    `function (keys, values, rereduce) {
      var n = { open: 0, late: 0 };
      values.forEach(function (v) {
        n.open += rereduce ? v.open : v.status === 'open' ? 1 : 0;
        n.late += rereduce ? v.late : v.status === 'open' && v.placed === '2026-01-10' ? 1 : 0;
      });
      return n;
    }`,
    REWRITTEN,
  ],
  [
    'counted as `error`, which `_sum` takes for a failure',
    ORDER,
    `function (keys, values, rereduce) {
      var n = { open: 0, error: 0 };
      values.forEach(function (v) {
        if (rereduce) { n.open += v.open; n.error += v.error; return; }
        if (v.status === 'open') n.open++; else n.error++;
      });
      return n;
    }`,
    { ...REWRITTEN, rewrite: /error: value\[1\]/ },
  ],
  [
    'counted, a name missing in the second pass',
    ORDER,
    `function (keys, values, rereduce) { ${ZEROS} values.forEach(function (v) { if (rereduce) { n.open += v.open; n.paid += v.paid; } else n[v.status] += 1; }); return n; }`,
    OTHER,
  ],
  [
    'counted, two names mixed up in the second pass',
    ORDER,
    `function (keys, values, rereduce) { ${ZEROS} values.forEach(function (v) { if (rereduce) { n.open += v.paid; n.paid += v.open; n.sent += v.sent; n.returned += v.returned; } else n[v.status] += 1; }); return n; }`,
    OTHER,
  ],
  [
    'counted in both passes',
    ORDER,
    `function (keys, values) { ${ZEROS} values.forEach(function (v) { n[v.status] += 1; }); return n; }`,
    OTHER,
  ],
  [
    'counted from 1',
    ORDER,
    `function (keys, values, rereduce) { var n = { open: 1, paid: 0, sent: 0, returned: 0 }; values.forEach(function (v) { if (rereduce) { for (var s in n) n[s] += v[s]; } else n[v.status] += 1; }); return n; }`,
    OTHER,
  ],
  [
    'counted by whether the value is listed',
    ORDER,
    `function (keys, values, rereduce) { ${ZEROS} values.forEach(function (v) { if (rereduce) { for (var s in n) n[s] += v[s]; } else if (n[v.status] > 1) n[v.status] += 1; }); return n; }`,
    OTHER,
  ],
];

/** @type {ReducerRow[]} */
export const STATES = ROWS.map(([name, map, reduce, expect]) => ({ name: `states: ${name}`, map, reduce, expect }));
