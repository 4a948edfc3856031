import { expect, test } from 'vitest';
import { firstAddress, pageAddress } from '../../lib/shared/page-address.js';

const PAGE = 'rules/view/fan-out/README.md';

/** @type {[string, Parameters<typeof pageAddress>[0]['repository'], string][]} */
const repositories = [
  ['none', undefined, PAGE],
  ['a folder of this machine', 'file:../shop', PAGE],
  ['no address', 'somewhere', PAGE],
  ['an object without an address', {}, PAGE],
  ['as npm writes it', { url: 'git+https://git.example/shop/advisor.git' }, 'https://git.example/shop/advisor/blob'],
  ['ssh', 'git@git.example:shop/advisor.git', 'https://git.example/shop/advisor/blob'],
  ['ssh as an address', 'git+ssh://git@git.example/shop/advisor.git', 'https://git.example/shop/advisor/blob'],
  ['credentials', 'https://me:secret@git.example/shop/advisor', 'https://git.example/shop/advisor/blob'],
  ['a short form', 'shop/advisor', 'https://github.com/shop/advisor/blob'],
  ['a short form with a host', 'gitlab:shop/advisor', 'https://gitlab.com/shop/advisor/-/blob'],
  [
    'a GitLab of its own',
    'https://gitlab.shop.example/team/advisor',
    'https://gitlab.shop.example/team/advisor/-/blob',
  ],
];

test.each(repositories)('the page of a rule, where the repository is given as %s', (_, repository, expected) => {
  const address = expected === PAGE ? PAGE : `${expected}/v1.2.3/${PAGE}`;
  expect(pageAddress({ version: '1.2.3', repository }, PAGE)).toBe(address);
});

test('the page of a rule of a package that is a folder of its repository', () => {
  const repository = { url: 'https://git.example/shop/all.git', directory: 'packages/advisor' };
  expect(pageAddress({ version: '1.2.3', repository }, PAGE)).toBe(
    `https://git.example/shop/all/blob/v1.2.3/packages/advisor/${PAGE}`,
  );
});

test('the first of several sources that can be opened', () => {
  expect(firstAddress([undefined, 'couch_mrview.erl, 3.5.0', 'https://docs.example/a', 'https://docs.example/b'])).toBe(
    'https://docs.example/a',
  );
  expect(firstAddress(['http://two words'])).toBeUndefined();
});
