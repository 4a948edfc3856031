// An `error` is what breaks answers, writes or builds of indexes. What costs time or room, or leaves a door open, is a warning: who wants it to
// fail a run sets its severity. Each outcome that is an error is named here with what it breaks.

import { expect, test } from 'vitest';
import { readRuleFolders } from './helpers/rule-folders.js';

/** Requests that are refused, fail, or are answered wrongly. */
const ANSWERS = [
  'changes/unsafe-filter#throws',
  'ddoc/throws-on-documents#ends-feed',
  'ddoc/uncompiled-function#broken',
  'ddoc/uncompiled-function#no-function',
  'mango/sort-drops-docs#mixed',
  'mango/sort-drops-docs#unserved',
  'map/engine-incompatible#broken-module',
  'map/engine-incompatible#name-at-use',
  'map/engine-incompatible#refused-at-use',
  'map/engine-incompatible#refused-module',
  'map/mutates-doc#throwing',
  'map/nondeterministic#frozen-moment',
  'map/nondeterministic#rolls-over',
  'map/require-scope#missing',
  'map/require-scope#missing-at-use',
  'map/require-scope#missing-in-module',
  'map/require-scope#no-modules',
  'map/undeclared-name#map-throws',
  'map/undeclared-name#reduce-throws',
  'query/failing#server-fails',
  'query/global-on-partitioned#refused-as-a-whole',
  'query/temporary-view#refused',
  'query/unknown-param#misspelt-parameter',
  'reduce/custom-in-partitioned#fails',
  'reduce/changes-values#spoils-others',
  'reduce/grows#grows',
  'reduce/grows#longer',
  'reduce/ignores-rereduce#two-answers',
  'reduce/ignores-rereduce#wrong',
  'reduce/refused-values#fails',
  'reduce/sum-unsafe-values#no-value',
  'reduce/sum-unsafe-values#not-a-number',
  'reduce/unused#docs-refused',
];

/** Writes that are refused, fail, or are let through against what the document says. */
const WRITES = [
  'config/uuid-algorithm#unknown-algorithm',
  'ddoc/invalid-structure#refused',
  'ddoc/throws-on-documents#fails-writes',
  'mango/refused-index#misplaced-filter',
  'mango/refused-index#mixed-directions',
  'map/engine-incompatible#broken',
  'map/engine-incompatible#name',
  'map/engine-incompatible#no-function',
  'map/engine-incompatible#refused',
  'reduce/unknown-builtin#rank-out-of-range',
  'reduce/unknown-builtin#refused',
  'reduce/unknown-builtin#spaces',
  'reduce/unknown-builtin#too-new',
  'security/vdu-breaks-writes#always-fails',
  'security/vdu-breaks-writes#answers-500',
  'security/vdu-breaks-writes#bad-throw',
  'security/vdu-breaks-writes#broken',
  'security/vdu-breaks-writes#no-function',
  'security/vdu-breaks-writes#throws-by-accident',
  'security/vdu-breaks-writes#undeclared-name',
  'security/vdu-never-rejects#returns-on-a-path',
  'security/vdu-never-rejects#returns-only',
  'write/large-document#refused',
];

/** Indexes that cannot be built: every view of the document answers 500. */
const BUILDS = [
  'ddoc/language-unavailable#erlang-off',
  'ddoc/language-unavailable#needs-newer',
  'ddoc/language-unavailable#not-there',
  'map/engine-incompatible#broken-index',
  'map/engine-incompatible#no-function-index',
  'reduce/stats-unsafe-values#incomplete-object',
  'reduce/stats-unsafe-values#no-value',
  'reduce/stats-unsafe-values#not-a-number',
  'reduce/stats-unsafe-values#unequal-arrays',
  'reduce/sum-unsafe-values#has-error-member',
  'reduce/sum-unsafe-values#number-and-object',
];

test('every error breaks answers, writes or builds', () => {
  const errors = readRuleFolders().flatMap(({ id, rule: { severity: ofRule, outcomes } }) =>
    Object.entries(outcomes)
      .filter(([, { verdict, severity = ofRule }]) => verdict === 'problem' && severity === 'error')
      .map(([outcome]) => `${id}#${outcome}`),
  );
  expect(errors.sort()).toEqual([...ANSWERS, ...WRITES, ...BUILDS].sort());
});
