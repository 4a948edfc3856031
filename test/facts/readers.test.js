// Every fact is read: by a rule, an experiment or the program, or else its declaration names why rules of users may need it.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';
import { factCatalog } from '../helpers/internals.js';

const root = path.resolve(import.meta.dirname, '../..');
const textOf = (/** @type {string} */ glob) =>
  globSync(glob, { cwd: root })
    .map((file) => readFileSync(path.join(root, file), 'utf8'))
    .join('\n');

/** Ids in quotes, or in the braces of a template, but not where they are declared. */
const NAMED = /(?<![fF]act\(|\bid: )["'`{](\w+\.\w+)["'`}]/g;

test('facts without a reader say why rules of users may need them, and no others do', () => {
  const texts = `${textOf('rules/*/*/{rule,experiment}.json')}\n${textOf('lib/**/*.js')}`;
  const read = new Set([...texts.matchAll(NAMED)].map((match) => match[1]));
  const unread = [...factCatalog.keys()].filter((id) => !read.has(id));
  const offered = [...factCatalog.values()].filter(({ forOwnRules }) => forOwnRules !== undefined);
  expect(unread.sort()).toEqual(offered.map(({ id }) => id).sort());
});
