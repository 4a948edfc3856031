// What to do for a step of a plan: by commands, in the project, and how it is hidden before it is deleted.

import { expect, test } from 'vitest';
import { actionsOf } from '../../lib/advise/actions.js';
import { renderCsvDocument } from '../../lib/reports/document/csv.js';
import { planDocument } from '../../lib/reports/plan.js';
import { adviseOn, SCAN_MS } from '../helpers/advise.js';
import { renderMarkdownDocument } from '../helpers/internals.js';
import { shopPlan } from '../helpers/sample-plan.js';

/** @import { PlanStep } from '../../lib/advise/plan.js' */

/** @param {PlanStep['change']['kind']} kind @returns {PlanStep} */
function stepOf(kind) {
  const found = shopPlan().steps.find(({ change }) => change.kind === kind);
  if (!found) throw new Error(`no step ${kind}`);
  return found;
}

/** @param {ReturnType<typeof actionsOf>} actions @param {string} name @returns {string} */
function commandsOf(actions, name) {
  return actions.flatMap((one) => (one.name === name ? one.commands : [])).join('\n');
}

test('an index that is dropped is renamed first, deleted later with its files, and taken back without a build', () => {
  const step = stepOf('drop-index');
  const actions = actionsOf(step, []);
  const hidden = `_design/orders-index-old-${step.number}`;
  expect(actions.map(({ name }) => name)).toEqual(['deploy', 'later', 'undo']);
  expect(commandsOf(actions, 'deploy')).toMatch(new RegExp(`COPY .*Destination: ${hidden}"\\n.*DELETE .*/_index/`));
  expect(commandsOf(actions, 'later')).toMatch(new RegExp(`DELETE .*${hidden}\\?rev=[\\s\\S]*/_view_cleanup`));
  expect(commandsOf(actions, 'undo')).toContain(`COPY "$DB/${hidden}"`);
});

test('a view that is changed keeps its old version under another name until later', () => {
  const step = stepOf('change-view');
  const actions = actionsOf(step, []);
  const [id, number] = [step.change.designDoc.slice('_design/'.length), step.number];
  expect(commandsOf(actions, 'deploy')).toMatch(
    new RegExp(
      `PUT .*${id}-next-${number}"[\\s\\S]*Destination: _design/${id}-old-${number}"[\\s\\S]*Destination: _design/${id}\\?rev=`,
    ),
  );
  expect(commandsOf(actions, 'undo')).toContain(`COPY "$DB/_design/${id}-old-${number}"`);
  expect(commandsOf(actions, 'later')).toContain('_view_cleanup');
});

test('an index that becomes superfluous is renamed, where the server did not name it', () => {
  const step = stepOf('create-index');
  const [named, unnamed] = [
    { label: 'old', ddoc: 'old', name: 'by-old' },
    { label: 'other', ddoc: null, name: null },
  ].map((one) => actionsOf(step, [one]));
  expect(commandsOf(named ?? [], 'later')).toContain(`Destination: _design/old-old-${step.number}`);
  expect(unnamed?.at(-1)).toMatchObject({ name: 'later', text: expect.stringContaining('other'), commands: [] });
});

test('of several databases one curl sends all requests, but for those that need the answer of another', () => {
  const databases = {
    count: 2,
    all: 2,
    basis: /** @type {const} */ ('server'),
    names: ['a-1', 'a+2'],
    done: [],
    revisions: [],
  };
  const created = actionsOf({ ...stepOf('create-index'), databases }, []);
  expect(created.find(({ name }) => name === 'deploy')?.commands).toEqual([
    '# TRY=1 does it in the first database only.',
    'for name in a-1 a%2B2; do',
    `  printf 'url = "%s/%s%s"\\n' "$COUCHDB_URL" "$name" /_index`,
    '  if [ -n "${TRY:-}" ]; then break; fi',
    expect.stringMatching(/^done \| curl -fsS --fail-early -H 'Content-Type: application\/json' -d @\S+ -K -$/),
  ]);
  expect(commandsOf(created, 'check')).toMatch(/-K - \| jq -c '\.index \| \{ddoc, name\}' \| sort \| uniq -c/);
  const changed = commandsOf(actionsOf({ ...stepOf('change-view'), databases }, []), 'undo');
  expect(changed).toMatch(/^# TRY=1 .*\nfor name in a-1 a%2B2; do\n {2}DB="\$COUCHDB_URL\/\$name"\n {2}REV=/);
});

test('names the code that creates indexes, and the file of a view that changes', async () => {
  const find = { selector: { customer: 'customer-7' }, limit: 50 };
  const views = {
    totals: {
      map: 'function (doc) { emit(doc.customer, doc.total); }',
      reduce: 'function (keys, values) { return sum(values); }',
    },
  };
  const { plan } = await adviseOn({
    traffic: [
      { body: find, times: 500, ms: SCAN_MS },
      { method: 'GET', target: '/shop/_design/app/_view/totals?group=true', times: 500, ms: 300 },
    ],
    files: {
      'setup.js':
        "const shop = require('nano')('http://localhost:5984').use('shop');\nexports.setUp = () => shop.createIndex({ index: { fields: ['total'] } });\n",
      'app.json': { _id: '_design/app', views },
      'package.json': { scripts: { test: 'vitest', push: 'couchdb-push http://localhost:5984/shop app.json' } },
    },
  });
  const projects = plan.steps.map(({ change, actions }) => [change.kind, actions?.[0]?.text]);
  expect(new Map(/** @type {[string, string][]} */ (projects))).toEqual(
    new Map([
      ['create-index', 'the code creates indexes (setup.js:2): add this one there'],
      [
        'change-view',
        expect.stringMatching(
          /^change it in app\.json:\d+ too: else the next `npm run push` \(couchdb-push\) brings the old version back$/,
        ),
      ],
    ]),
  );
});

test('which of several databases have what is a table', () => {
  const plan = shopPlan();
  const [step] = plan.steps;
  if (!step) throw new Error('no step');
  step.databases = {
    ...{ count: 2, all: 3, basis: 'server', names: ['a-2', 'a-3'], done: ['a-1'] },
    revisions: [
      { revision: '1-a', names: ['a-1', 'a-2'] },
      { revision: null, names: ['a-3'] },
    ],
  };
  const document = planDocument(plan);
  expect(renderCsvDocument(document)).toMatch(/a-1,has it,1-a\r\na-2,to change,1-a\r\na-3,to change,not there\r\n/);
  expect(renderMarkdownDocument(document)).toMatch(/a-3<\/code> \| to change \| not there/);
});
