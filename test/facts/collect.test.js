// A rule that names a fact that does not exist: the error names the fact.

import { expect, test } from 'vitest';
import { createAsk } from '../../lib/facts/collect.js';
import { factCatalog } from '../helpers/internals.js';

test.each([
  ['run.hasKettle', 'there is no fact `run.hasKettle`'],
  ['view.emitsWholeDoc', '`view.emitsWholeDoc` is a fact about view subjects, not about run subjects'],
])('asking a run for %s is an error that names it', (id, message) => {
  const ask = createAsk(factCatalog);
  const run = /** @type {import('../../lib/facts/fact.js').Subject} */ (/** @type {unknown} */ ({ kind: 'run' }));
  expect(() => ask(run, id)).toThrow(expect.objectContaining({ name: 'UserError', code: 'unsound-rule', message }));
});
