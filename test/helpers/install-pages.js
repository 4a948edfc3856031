// Writes how to install couch-advisor into the pages that say so: from the npm registry, or from a checkout until the package is there.

/** Whether the package is on the npm registry. After the first release: set it to true, run `npm run docs`, and commit the pages. */
export const IS_PUBLISHED = false;

const VENDOR = `\`\`\`
npm ci && npm run vendor -- ../my-project
cd ../my-project && npx --no-install couch-advisor lint
\`\`\``;
const INSTALL = `\`\`\`
npm install --save-dev ${'couch-advisor'}
npx --no-install couch-advisor lint
\`\`\``;

/** What stands between the marks of each page. @type {Record<string, {checkout: string, registry: string}>} */
const TEXTS = {
  'README.md': {
    checkout: `couch-advisor is not on the npm registry yet. After \`npm ci\` in this checkout, pack it into your project:

\`\`\`
npm run vendor -- ../my-project
cd ../my-project && npx --no-install couch-advisor lint
\`\`\`

It prints what to commit; every clone of your project then has couch-advisor after \`npm ci\`.`,
    registry: `In your project:

${INSTALL}`,
  },
  'docs/first-run.md': {
    checkout: `You need Node.js 20.12 or newer and a checkout of this repository, because couch-advisor is not on the npm registry yet. In the checkout, name your project ([installing](install.md)):

${VENDOR}`,
    registry: `You need Node.js 20.12 or newer. In your project:

${INSTALL}`,
  },
  'docs/install.md': {
    checkout: `You need Node.js 20.12 or newer. couch-advisor is not on the npm registry yet: pack it into your project, from a checkout of this repository.

${VENDOR}

\`vendor\` builds the package, puts it into \`vendor/\` of your project (1.5 MB), installs it from there as a development dependency, and prints what to commit. Each clone of your project then gets this very
couch-advisor by \`npm ci\`, in CI too. For a newer one, run it again.`,
    registry: `You need Node.js 20.12 or newer. In your project:

${INSTALL}

Commit \`package.json\` and \`package-lock.json\`: each clone then gets this very couch-advisor by \`npm ci\`, in CI too.`,
  },
  'docs/pre-commit.md': {
    checkout: `\`\`\`yaml
repos:
  - repo: https://example.org/couch-advisor # the address of this repository
    rev: COMMIT # the commit that you read, in full
    hooks:
      - id: couch-advisor
\`\`\``,
    registry: `\`\`\`yaml
repos:
  - repo: https://example.org/couch-advisor # the address of this repository
    rev: vVERSION
    hooks:
      - id: couch-advisor
\`\`\``,
  },
};

/** The pages that have such marks. */
export const INSTALL_PAGES = Object.keys(TEXTS);

/**
 * @param {string} file of INSTALL_PAGES
 * @param {string} page its text
 * @param {{isPublished: boolean, version: string}} state
 * @returns {string} the page with the text of that state between its marks
 * @throws {Error} where it has no marks
 */
export function refreshInstall(file, page, { isPublished, version }) {
  const marks = /(<!-- install -->\n\n)[\s\S]*?(\n\n<!-- \/install -->)/;
  const texts = TEXTS[file];
  if (!texts || !marks.test(page)) throw new Error(`${file} has no place for how to install`);
  const text = (isPublished ? texts.registry : texts.checkout).replace('VERSION', version);
  return page.replace(marks, (_, begin, end) => `${begin}${text}${end}`);
}
