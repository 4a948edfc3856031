import { expect, test } from 'vitest';
import { typeofObjectMembers } from '../../../lib/facts/view/witness.js';
import { parseFunction, resolveNames } from '../../helpers/internals.js';

test.each([
  ["typeof doc.address === 'object'", ['address']],
  ["'object' == typeof (doc.customer.address)", ['address']],
  ["typeof doc['address'] !== 'object'", ['address']],
  ["typeof address === 'object'", ['address']],
  ["typeof doc.total === 'number'", []],
  ["typeof other === 'object'", []],
  ["typeof changed === 'object'", []],
  ["doc.type === 'object'", []],
])('members whose type is compared with an object: %s', (test, members) => {
  const source = `function (doc) { var address = doc.address, changed = doc.a; changed = 1; if (${test}) emit(1); }`;
  const tree = parseFunction(source);
  if (!tree.ok) throw new Error(tree.message);
  expect([...typeofObjectMembers(resolveNames(tree.roots))]).toEqual(members);
});
