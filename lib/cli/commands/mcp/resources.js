// Lists and reads the pages of rules and docs that come with the package, as resources.

import path from 'node:path';
import { findByGlob } from '../../../files/find-by-glob.js';
import { readTextFile } from '../../../files/open-file.js';
import { PACKAGE_FOLDER } from '../../../package-folder.js';
import { prepareRules } from '../../prepare.js';

const PREFIX = 'couch-advisor://';
const MIME_TYPE = 'text/markdown';

/** @typedef {{uri: string, name: string, title: string, mimeType: string, file: string}} Page */

/** They do not change while the server runs. @type {Promise<Page[]> | undefined} */
let pages;

/** @returns {Promise<Page[]>} pages of docs, then of rules */
async function listPages() {
  const docs = (await findByGlob('docs/*.md', { cwd: PACKAGE_FOLDER })).sort().map((file) => {
    const [, title = ''] = /^# (.+)$/m.exec(readTextFile(file)) ?? [];
    return { name: `docs/${path.basename(file, '.md')}`, title, file };
  });
  const { rules } = await prepareRules({ config: false }, PACKAGE_FOLDER);
  const ofRules = rules.map(({ id, title, folder = '' }) => ({
    name: `rules/${id}`,
    title,
    file: path.join(folder, 'README.md'),
  }));
  return [...docs, ...ofRules].map((page) => ({ uri: `${PREFIX}${page.name}`, mimeType: MIME_TYPE, ...page }));
}

/** @returns {Promise<Page[]>} read once */
function knownPages() {
  pages ??= listPages();
  return pages;
}

/** @returns {Promise<object>} the result of `resources/list` */
export async function listResources() {
  return { resources: (await knownPages()).map(({ file, ...shown }) => shown) };
}

/**
 * @param {unknown} uri
 * @returns {Promise<object | undefined>} the result of `resources/read`; undefined where there is no such page
 */
export async function readResource(uri) {
  const page = (await knownPages()).find((one) => one.uri === uri);
  return page && { contents: [{ uri, mimeType: MIME_TYPE, text: readTextFile(page.file) }] };
}
