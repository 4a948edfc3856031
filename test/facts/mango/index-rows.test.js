// The rows of Mango indexes for single documents.

import { expect, test } from 'vitest';
import { mangoRows } from '../../../lib/facts/mango/index-rows.js';

test.each(
  /** @type {[string, import('../../../lib/facts/mango/index-rows.js').IndexDefinition, object, unknown[][]][]} */ ([
    ['all columns in order', { fields: ['b', 'a'] }, { a: 1, b: 'x' }, [['x', 1]]],
    ['directions', { fields: [{ a: 'desc' }, { b: 'desc' }] }, { a: 1, b: 2 }, [[1, 2]]],
    ['an object of columns', { fields: { a: 'asc' } }, { a: 1 }, [[1]]],
    ['null, which is a value', { fields: ['a'] }, { a: null }, [[null]]],
    ['a missing column', { fields: ['a', 'b'] }, { a: 1 }, []],
    ['a path', { fields: ['a.b'] }, { a: { b: [1] } }, [[[1]]]],
    ['a path through a number', { fields: ['a.b'] }, { a: 1 }, []],
    ['a place in an array', { fields: ['a.1'] }, { a: ['x', 'y'] }, [['y']]],
    ['a place behind an array', { fields: ['a.2'] }, { a: ['x', 'y'] }, []],
    ['a dot in a name', { fields: ['a\\.b'] }, { 'a.b': 1 }, [[1]]],
    ['a name of the prototype', { fields: ['constructor'] }, {}, []],
    ['a design document', { fields: ['a'] }, { _id: '_design/x', a: 1 }, []],
    ['an empty filter', { fields: ['a'], partial_filter_selector: {} }, { a: 1 }, [[1]]],
  ]),
)('an index has rows for %s', (_, definition, doc, keys) => {
  expect(mangoRows(definition, doc)).toEqual(keys.map((key) => ({ key, value: null })));
});
