// Mango queries of logs and of code, read as conditions that all hold.

import { describe, expect, test } from 'vitest';
import { clausesOf, findOf, findOfCall, OPEN, selectorOf } from '../../lib/advise/find.js';
import { bodyParameters } from '../../lib/sources/logs/har-body.js';
import { callsIn } from '../helpers/application-code.js';

/** @import { Clause, Find } from '../../lib/advise/find.js' */

/** @param {Clause[]} clauses @returns {string[]} `status eq "new"`, `customer eq ?` */
const short = (clauses) =>
  clauses.map(
    ({ field, operator, operand }) => `${field} ${operator} ${operand === OPEN ? '?' : JSON.stringify(operand)}`,
  );

/** @param {object} body @returns {Find} as a log shows it */
function logged(body) {
  const parameters = bodyParameters('/shop/_find', body)
    .split('&')
    .map((pair) => decodeURIComponent(pair));
  const find = findOf(/** @type {any} */ ({ endpoint: '_find', parameters, limit: undefined, skip: undefined }));
  if ('unknown' in find) throw new Error(find.unknown);
  return find;
}

/** @param {string} options in the code @returns {Promise<Find | {unknown: string}>} */
async function coded(options) {
  const records = await callsIn(`const shop = require('nano')('http://localhost:5984').use('shop');
exports.load = (name, rest, list) => shop.find(${options});`);
  const record = records.find(({ method }) => method === 'find');
  if (!record) throw new Error('no call was found');
  return findOfCall(/** @type {any} */ ({ record }));
}

describe('a query of a log has no values', () => {
  test.each([
    ['an equality', { selector: { status: 'new' } }, ['status eq ?'], true],
    ['a range', { selector: { date: { $gte: 'a', $lt: 'b' } } }, ['date gte ?', 'date lt ?'], true],
    ['a nested field', { selector: { address: { city: 'x' } } }, ['address.city eq ?'], true],
    ['$and', { selector: { $and: [{ a: 1 }, { b: { $in: [1] } }] } }, ['a eq ?', 'b in ?'], true],
    ['$exists', { selector: { a: { $exists: true } } }, ['a exists true'], true],
    ['$exists: false', { selector: { a: { $exists: false } } }, ['a exists false'], true],
    ['$or', { selector: { a: 1, $or: [{ b: 1 }, { c: 1 }] } }, ['a eq ?'], false],
    ['$regex', { selector: { a: 1, b: { $regex: '^x' } } }, ['a eq ?'], false],
    ['$elemMatch', { selector: { a: { $elemMatch: { b: 1 } } } }, [], false],
    ['$beginsWith', { selector: { a: { $beginsWith: 'x' } } }, ['a beginsWith ?'], true],
    ['no condition', { selector: {} }, [], true],
  ])('%s', (_, body, clauses, isWhole) => {
    const find = logged(body);
    expect(short(find.clauses)).toEqual(clauses);
    expect(find.isWhole).toBe(isWhole);
  });

  test('but its sort, fields and index', () => {
    const body = { selector: { a: 1 }, sort: [{ b: 'desc' }], fields: ['b', 'a'], use_index: ['one', 'two'] };
    expect(logged(body)).toMatchObject({
      sort: [{ field: 'b', isDescending: true }],
      fields: ['a', 'b'],
      hint: { ddoc: 'one', name: 'two', isTaken: false },
      limit: 25,
      skip: 0,
    });
  });

  test.each([
    ['{"a": 1}', { a: 1 }, ['a eq 1', 'b gte 2'], undefined],
    ['the same', { b: { $gte: 2 }, a: 1 }, ['b gte 2', 'a eq 1'], true],
    ['in $and', { $and: [{ a: 1 }, { b: { $gte: 2 } }] }, ['a eq 1', 'b gte 2'], true],
    ['one more', { a: 1, b: { $gte: 2 }, c: 3 }, [], undefined],
    ['another operator', { a: 1, b: { $gt: 2 } }, [], undefined],
    ['no object', 'x', [], undefined],
    ['nothing', undefined, [], undefined],
  ])('the values of one of its bodies are taken if it has the same shape: %s', (_, selector, clauses, isSame) => {
    const found = clausesOf(logged({ selector: { a: 0, b: { $gte: 0 } } }), selector);
    if (isSame) expect(short(found ?? [])).toEqual(clauses);
    else expect(found).toBe(undefined);
  });
});

describe('a query of the code', () => {
  test.each([
    ['literals', "{ selector: { status: 'new', total: { $gte: 5 } } }", ['status eq "new"', 'total gte 5'], true],
    ['a computed value', '{ selector: { customer: name } }', ['customer eq ?'], true],
    ['a computed bound', '{ selector: { date: { $gte: name } } }', ['date gte ?'], true],
    ['a list with a computed value', "{ selector: { status: { $in: ['new', name] } } }", ['status in ?'], true],
    ['a computed list', '{ selector: { status: { $in: list } } }', ['status in ?'], true],
    ['nested', "{ selector: { address: { city: 'x' } } }", ['address.city eq "x"'], true],
    ['$and', '{ selector: { $and: [{ a: 1 }, { a: { $lt: name } }] } }', ['a eq 1', 'a lt ?'], true],
    ['$or', '{ selector: { a: 1, $or: [{ b: 1 }, { c: 1 }] } }', ['a eq 1'], false],
    ['a computed $regex', '{ selector: { a: 1, b: { $regex: name } } }', ['a eq 1'], false],
    ['$exists: false', '{ selector: { a: { $exists: false } } }', ['a exists false'], true],
  ])('%s', async (_, options, clauses, isWhole) => {
    const find = /** @type {Find} */ (await coded(options));
    expect(short(find.clauses)).toEqual(clauses);
    expect(find.isWhole).toBe(isWhole);
  });

  test.each([
    ['a spread selector', '{ selector: { a: 1, ...rest } }'],
    ['a computed selector', '{ selector: rest }'],
    ['a computed field', '{ selector: { [name]: 1 } }'],
    ['no selector', '{ limit: 5 }'],
    ['spread options', '{ selector: { a: 1 }, ...rest }'],
    ['a computed sort', '{ selector: { a: 1 }, sort: list }'],
    ['computed options', 'rest'],
  ])('is unknown with %s', async (_, options) => {
    expect(await coded(options)).toHaveProperty('unknown');
  });

  test.each([
    ["sort: ['a']", { sort: [{ field: 'a', isDescending: false }] }],
    ["sort: [{ a: 'desc' }]", { sort: [{ field: 'a', isDescending: true }] }],
    ['limit: 5, skip: 10', { limit: 5, skip: 10 }],
    ['limit: list.length', { limit: 25 }],
    ["fields: ['a', 'b']", { fields: ['a', 'b'] }],
    ['fields: []', { fields: undefined }],
    ["fields: ['a', name]", { fields: undefined }],
    ["use_index: 'one'", { hint: { ddoc: 'one', name: undefined } }],
    ["use_index: ['_design/one', 'two']", { hint: { ddoc: 'one', name: 'two' } }],
    ['use_index: name', { hint: undefined }],
  ])('with %s', async (option, expected) => {
    expect(await coded(`{ selector: { a: 1 }, ${option} }`)).toMatchObject(expected);
  });
});

describe('clauses as a selector', () => {
  test.each([
    [[{ field: 'a', operator: 'eq', operand: 1 }], { a: 1 }],
    [[{ field: 'a', operator: 'eq', operand: null }], { a: { $eq: null } }],
    [[{ field: 'a', operator: 'eq', operand: { b: 1 } }], { a: { $eq: { b: 1 } } }],
    [
      [
        { field: 'a', operator: 'gte', operand: 1 },
        { field: 'a', operator: 'lt', operand: 3 },
      ],
      { a: { $gte: 1, $lt: 3 } },
    ],
    [
      [
        { field: 'a', operator: 'ne', operand: 1 },
        { field: 'a', operator: 'ne', operand: 2 },
      ],
      { $and: [{ a: { $ne: 1 } }, { a: { $ne: 2 } }] },
    ],
    [[{ field: '__proto__', operator: 'eq', operand: 1 }], JSON.parse('{"__proto__": 1}')],
  ])('%j', (clauses, selector) => {
    expect(selectorOf(clauses)).toEqual(selector);
  });
});
