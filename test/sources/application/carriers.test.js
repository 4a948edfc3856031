// Which files of an application are parsed: those that a client comes into.

import { describe, expect, test } from 'vitest';
import { readTexts } from '../../helpers/application-code.js';

describe('a file is parsed only where a client comes into it', () => {
  const BROKEN = 'orders.get(';

  test.each([
    [
      'a class with a client as a member',
      "export class Orders { shop = nano(url).use('shop'); }",
      'import { Orders }',
      true,
    ],
    [
      'a class that keeps it',
      "const shop = nano(url).use('shop'); export class Orders { load() { return shop.get('a'); } }",
      'import { Orders }',
      false,
    ],
    ['another export', "export const shop = nano(url).use('shop'); export class Orders {}", 'import { Orders }', false],
    [
      'one of several',
      "export const shop = nano(url).use('shop'); export class Orders {}",
      'import { Orders, shop as db }',
      true,
    ],
    ['all exports', "export const shop = nano(url).use('shop'); export class Orders {}", 'import * as Orders', true],
    ['a default export', "export default nano(url).use('shop');", 'import shop', true],
    [
      'a function that returns one in an object',
      "export function open() { return { shop: nano(url).use('shop') }; }",
      'import { open }',
      true,
    ],
    [
      'a class below',
      "class Base { shop = nano(url).use('shop'); } export class Orders extends Base {}",
      'import { Orders }',
      true,
    ],
    ['an abstract class', 'export abstract class Orders { abstract load(): void; }', 'import { Orders }', false],
  ])('%s', async (_, text, imports, isParsed) => {
    const { unparsed } = await readTexts({
      'db.ts': `import nano from 'nano'; ${text}`,
      'a.ts': `${imports} from './db'; ${BROKEN}`,
    });
    expect(unparsed.map(({ path }) => path)).toEqual(isParsed ? ['a.ts'] : []);
  });

  test.each([
    ['names of a `require`', "const { load: read, shop } = require('./db');", true],
    ['another name of it', "const { load } = require('./db');", false],
    ['a member of it', "const shop = require('./db').shop;", true],
    ['another member', "const load = require('./db').load;", false],
    ['the whole of it', "const db = require('./db');", true],
    ['an import as it runs', "const { shop } = await import('./db');", true],
    ['what it hands on', "export { shop as db } from './db';", true],
    ['everything that it hands on', "export * from './db';", true],
  ])('%s', async (_, text, isParsed) => {
    const { unparsed } = await readTexts({
      'db.js': "const nano = require('nano'); exports.shop = nano(url).use('shop'); exports.load = () => [];",
      'a.js': `${text} ${BROKEN}`,
    });
    expect(unparsed.map(({ path }) => path)).toEqual(isParsed ? ['a.js'] : []);
  });
});
