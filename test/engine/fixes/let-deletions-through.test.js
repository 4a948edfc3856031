import { expect, test } from 'vitest';
import { fixFunctions } from '../../helpers/fixed.js';

/** Functions, and what stands before the statement; # is what the function does. */
const FUNCTIONS = [
  ['function (doc) { # }', 'function (doc) { @ # }'],
  ['function (doc) {\n  #\n}', 'function (doc) {\n  @\n  #\n}'],
  ['function (doc) {\r\n\t#\r\n}', 'function (doc) {\r\n\t@\r\n\t#\r\n}'],
  ['function (doc) {\n\n    #\n}', 'function (doc) {\n    @\n\n    #\n}'],
  ['function (doc)\n{\n  // of the shop\n  #\n}', 'function (doc)\n{\n  @\n  // of the shop\n  #\n}'],
  ['function (doc) { "use strict"; # }', 'function (doc) { "use strict"; @ # }'],
  ['function (doc) {\n  "use strict";\n  #\n}', 'function (doc) {\n  "use strict";\n  @\n  #\n}'],
  ['(doc) => { # }', '(doc) => { @ # }'],
  ['(function named(doc, req) { # })', '(function named(doc, req) { @ # })'],
  ['function (doc) { var brace = "\\"{"; # }', 'function (doc) { @ var brace = "\\"{"; # }'],
  ['function (newDoc) { # }', 'function (newDoc) { @ # }'],
];

/** Each kind: what its functions do, with the name of the parameter, and the statement. @type {['filter' | 'validate', string, string, string][]} */
const KINDS = [
  ['filter', 'keep-tombstones', 'return $.type === "order";', 'if ($._deleted) return true;'],
  ['validate', 'allow-deletes', 'if (!$.type) throw { forbidden: "no type" };', 'if ($._deleted) return;'],
];

test.each(KINDS)('a %s function lets deletions through first', async (kind, id, body, statement) => {
  const written = FUNCTIONS.map((pair) => {
    const parameter = /newDoc|doc/.exec(pair[0] ?? '')?.[0] ?? '';
    return pair.map((text) => text.replace('#', body).replace('@', statement).replaceAll('$', parameter));
  });
  const results = await fixFunctions(
    id,
    kind,
    written.map(([source = '']) => source),
  );
  expect(results.map(({ after }) => after)).toEqual(written.map(([, expected]) => expected));
});

test.each([
  ['filter', 'keep-tombstones', ['(doc) => doc.type === "order"', 'function ({ type }) { return type === "order"; }']],
  ['validate', 'allow-deletes', ['function ({ type }) { if (!type) throw { forbidden: "no type" }; }']],
  // These are found by other rules.
  ['filter', 'keep-tombstones', ['function (doc) { return', '42', 'function () { return true; }'], false],
])(
  'a %s function without a block or a plain parameter is left as it is',
  async (kind, id, sources, isReported = true) => {
    expect(await fixFunctions(id, /** @type {'filter'} */ (kind), sources)).toEqual(
      sources.map(() => ({ isReported, after: undefined })),
    );
  },
);
