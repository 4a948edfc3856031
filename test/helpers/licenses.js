// Names and licenses of packages that are a part of something that is published.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * @param {string} id path of a module
 * @returns {string | undefined} the folder of the package that it is of; undefined where it is ours
 */
export function packageFolder(id) {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0];
}

/**
 * @param {Iterable<string>} folders of packages
 * @returns {string} for each its name, version and license
 */
export function licensesOf(folders) {
  const notices = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const texts = readdirSync(folder).filter((entry) => /^licen[cs]e(\.|$)/i.test(entry));
    const read = texts.map((text) => readFileSync(path.join(folder, text), 'utf8'));
    return [`${name} ${version} (${license})`, ...read].join('\n\n');
  });
  return notices.join('\n\n');
}
