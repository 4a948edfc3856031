import { expect, test } from 'vitest';
import { formats } from '../../lib/index.js';
import { makeReport, shopReport } from '../helpers/sample-report.js';

test('there are the formats that the command line names', () => {
  expect([...formats.keys()]).toEqual([
    'text',
    'compact',
    'json',
    'sarif',
    'github',
    'junit',
    'gitlab',
    'markdown',
    'prometheus',
    'html',
    'statistics',
  ]);
});

test.each([...formats])('%s is described, and renders full and empty reports', async (_, { description, render }) => {
  expect(description).toMatch(/^\S.*[^.]$/);
  expect(await render(shopReport(), { color: false })).toMatch(/\n$/);
  expect(typeof (await render(makeReport()))).toBe('string');
});
