import { expect, test } from 'vitest';
import { numberedNames } from '../../../lib/proof/synthesis/numbered-names.js';
import { parseFunction, resolveNames } from '../../helpers/internals.js';

test.each([
  ["for (var i = 0; i < 3; i++) doc['task' + i];", ['task0', 'task1', 'task2']],
  ["for (var i = 1; i <= 2; i += 1) doc[(i + 'th')];", ['1th', '2th']],
  ['for (let i = 2; i < 4; i++) { const name = `task_${i}_name`; doc[name]; }', ['task_2_name', 'task_3_name']],
  ["var i; for (i = 5; doc['task' + i]; i++) {}", ['task5', 'task6', 'task7', 'task8', 'task9']],
  ["for (var i = 9; i < 3; i++) doc['task' + i];", []],
  ["doc['task' + doc.number];", []],
  ['doc[doc.name];', []],
  ['for (var i = 0; i < 3; i++) doc[i];', []],
  ['for (var i = 0; i < 3; i++) doc[`${i}`];', []],
])('names of %s', (body, names) => {
  const tree = parseFunction(`function (doc) { ${body} }`);
  if (!tree.ok) throw new Error(tree.message);
  const resolved = resolveNames(tree.roots);
  const [key] = resolved.nodes.flatMap((node) =>
    node.type === 'MemberExpression' && node.computed ? [node.property] : [],
  );
  expect(numberedNames(/** @type {any} */ (key), resolved)).toEqual(names);
});

test('no more than 24 names of a long loop', () => {
  const tree = parseFunction("function (doc) { for (var i = 0; i < 1e9; i++) doc['task' + i]; }");
  if (!tree.ok) throw new Error(tree.message);
  const resolved = resolveNames(tree.roots);
  const sum = resolved.nodes.find((node) => node.type === 'BinaryExpression' && node.operator === '+');
  expect(numberedNames(/** @type {any} */ (sum), resolved)).toHaveLength(24);
});
