import { expect, test } from 'vitest';
import { throwForbidden } from '../../../lib/engine/fixes/throw-forbidden.js';
import { fixedFunction } from '../../helpers/function-fixes.js';
import { subjectOf } from '../../helpers/sample-fix-targets.js';

const head = 'function (newDoc) {\n  if (!newDoc.type) ';

/** @param {string} statement @returns {string | undefined} */
function fixed(statement) {
  const source = fixedFunction(throwForbidden, 'validate', `${head}${statement}\n}`, 'validate.badThrows');
  return source?.slice(head.length, -2);
}

test.each([
  ['throw "no type";', 'throw { forbidden: "no type" };'],
  ["throw 'it\\'s \"wrong\"';", "throw { forbidden: 'it\\'s \"wrong\"' };"],
  ['throw ("no type");', 'throw ({ forbidden: "no type" });'],
  ['throw("no type");', 'throw({ forbidden: "no type" });'],
  ['throw"no type"', 'throw{ forbidden: "no type" }'],
  ['throw "no type of " + newDoc._id;', 'throw { forbidden: "no type of " + newDoc._id };'],
  ['throw `no type\n of ${newDoc._id}`;', 'throw { forbidden: `no type\n of ${newDoc._id}` };'],
  ['throw new Error("no type");', 'throw { forbidden: "no type" };'],
  ['throw new Error("no " + (1, 2));', 'throw { forbidden: "no " + (1, 2) };'],
  ['throw Error("no type");', 'throw { forbidden: "no type" };'],
  ['throw(new TypeError("no type"));', 'throw({ forbidden: "no type" });'],
  ['throw { error: "no type" };', 'throw { forbidden: "no type" };'],
  ['throw({ Forbidden: "no type" });', 'throw({ forbidden: "no type" });'],
  ['throw { error: `no ${newDoc._id}` };', 'throw { forbidden: `no ${newDoc._id}` };'],
  ['throw new Error("é\u2028\t");', 'throw { forbidden: "é\u2028\t" };'],
])('%j becomes %j', (statement, expected) => {
  expect(fixed(statement)).toBe(expected);
});

test.each([
  ['an error without a reason', 'throw new Error();'],
  ['an error with two arguments', 'throw new Error("no", { cause: 1 });'],
  ['spread arguments', 'throw new Error(...newDoc.reasons);'],
  ['no member', 'throw {};'],
  ['two members', 'throw { forbidden: "no", code: 1 };'],
  ['a variable', 'var e = new Error("no"); throw e;'],
  ['null', 'throw null;'],
  ['a number', 'throw 403;'],
  ['JSON', 'throw JSON.stringify({ forbidden: "no" });'],
  ['a text made of another', 'throw newDoc._id.toLowerCase();'],
])('%s is left as it is', (_, statement) => {
  expect(fixed(statement)).toBeUndefined();
});

test('every bad throw is mended, and the good ones stay', () => {
  const source =
    'function (newDoc) { if (!newDoc.a) throw "a"; if (!newDoc.b) throw { forbidden: "b" }; throw Error("c"); }';
  expect(fixedFunction(throwForbidden, 'validate', source, 'validate.badThrows')).toBe(
    'function (newDoc) { if (!newDoc.a) throw { forbidden: "a" }; if (!newDoc.b) throw { forbidden: "b" }; throw { forbidden: "c" }; }',
  );
});

test('without an item, or for another subject, nothing is done', () => {
  const validate = subjectOf('{ "validate_doc_update": "function () { throw 1; }" }', 'validate');
  expect(throwForbidden.apply({ subject: validate })).toBeUndefined();
  const view = subjectOf('{ "views": { "all": { "map": "function () { throw 1; }" } } }', 'view');
  expect(throwForbidden.apply({ subject: view, item: { value: 'throw 1', start: 20, end: 21 } })).toBeUndefined();
});
