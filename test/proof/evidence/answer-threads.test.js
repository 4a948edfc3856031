import { expect, test } from 'vitest';
import { isLong } from '../../helpers/long.js';
import { createProject } from '../../helpers/temporary-project.js';

const SOUND = 'function (keys, values, rereduce) { if (rereduce) return sum(values); return values.length; }';
const WRONG = 'function (keys, values) { return values.length; }';

/** Views of which each is a question of its own; the last leaves the engine without memory, so that its thread gives no answer. */
const VIEWS = [
  ...Array.from({ length: 100 }, (_, at) => ({
    map: `function (doc) { if (doc.type === 'article') emit(doc.m${at}.name, doc.price); }`,
    // Each is proved again for each map, which takes most of the time.
    ...(isLong ? { reduce: at % 16 === 0 ? WRONG : SOUND } : {}),
  })),
  { map: `function (doc) { var all = 'x'; while (doc.isGreedy) all = all + all; emit(doc.brand.name, all); }` },
];

/** Facts that trials give. */
const TRIED = /^(?:view\.(?:witness|nullMember|neverThrows)|reduce\.(?:proof|builtin|counterexample|verdict|grows))/;

/**
 * @param {number} from
 * @param {number} to
 * @returns {Promise<Record<string, Record<string, unknown>>>} what trials show of these views, by document
 */
async function triedOf(from, to) {
  const documents = VIEWS.map((view, at) => [`${at}.json`, { _id: `_design/d${at}`, views: { by_name: view } }]);
  const project = createProject(Object.fromEntries(documents.slice(from, to)));
  const { stdout } = await project.run(['facts', '--no-cache', '--format', 'json']);
  /** @type {{kind: string, designDoc: string, facts: Record<string, unknown>}[]} */
  const subjects = JSON.parse(stdout).subjects.filter((/** @type {{kind: string}} */ { kind }) => kind === 'view');
  return Object.fromEntries(
    subjects.map(({ designDoc, facts }) => [
      designDoc,
      Object.fromEntries(Object.entries(facts).filter(([id]) => TRIED.test(id))),
    ]),
  );
}

test('many functions are answered by threads as few are by the program itself', async () => {
  const apart = { ...(await triedOf(0, 50)), ...(await triedOf(50, 101)) };
  const together = await triedOf(0, 101);
  expect(together).toEqual(apart);
  const { 'view.witnessMember': member } = together['_design/d100'] ?? {};
  expect(member).toMatchObject({ value: 'brand' });
});
