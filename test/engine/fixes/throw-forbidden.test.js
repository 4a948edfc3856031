import { expect, test } from 'vitest';
import { fixedFunction, fixFunctions } from '../../helpers/fixed.js';

// Deletions pass, so that nothing else is to be mended.
const head = 'function (newDoc) {\n  if (newDoc._deleted) return;\n  if (!newDoc.type) ';

/** @param {string[]} statements */
async function fixed(statements) {
  const sources = statements.map((statement) => `${head}${statement}\n}`);
  const results = await fixFunctions('throw-forbidden', 'validate', sources);
  return results.map(({ after, ...result }) => ({ ...result, after: after?.slice(head.length, -2) }));
}

const MENDED = [
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
];

test('what is thrown becomes a refusal', async () => {
  const results = await fixed(MENDED.map(([statement = '']) => statement));
  expect(results.map(({ after }) => after)).toEqual(MENDED.map(([, expected]) => expected));
});

/** What is reported and not mended. */
const LEFT = [
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
];

test('what is thrown is left as it is where its text is not clear', async () => {
  const results = await fixed(LEFT.map(([, statement = '']) => statement));
  expect(results.map((result, at) => [LEFT[at]?.[0], result])).toEqual(
    LEFT.map(([name]) => [name, { isReported: true, after: undefined }]),
  );
});

test('every bad throw is mended, and the good ones stay', async () => {
  const source =
    'function (newDoc) { if (newDoc._deleted) return; if (!newDoc.a) throw "a"; if (!newDoc.b) throw { forbidden: "b" }; throw Error("c"); }';
  expect(await fixedFunction('throw-forbidden', 'validate', source)).toBe(
    'function (newDoc) { if (newDoc._deleted) return; if (!newDoc.a) throw { forbidden: "a" }; if (!newDoc.b) throw { forbidden: "b" }; throw { forbidden: "c" }; }',
  );
});
