// Finds the couch-advisor that belongs to a workspace.

const { existsSync } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');

/**
 * @param {string[]} folders of the workspace, absolute
 * @param {string} configured folder of a package to use where no folder has one; may be empty
 * @returns {string | undefined} the program, to be run by Node.js; undefined where there is none
 */
function findServer(folders, configured) {
  const packages = folders.flatMap((folder) => packageAbove(folder) ?? []);
  if (configured !== '') packages.push(path.resolve(folders[0] ?? '', configured));
  return packages.map((folder) => path.join(folder, 'bin', 'couch-advisor.js')).find((file) => existsSync(file));
}

/**
 * @param {string} folder
 * @returns {string | undefined} the package that code in this folder would import
 */
function packageAbove(folder) {
  try {
    const manifest = createRequire(path.join(folder, 'package.json')).resolve('couch-advisor/package.json');
    return path.dirname(manifest);
  } catch {
    return undefined;
  }
}

module.exports = { findServer };
