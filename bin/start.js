// Runs the process: its arguments, streams and environment go to the command line, whose exit code becomes its own. CommonJS, as the packed program is:
// Node.js then loads nothing of its own for modules.
'use strict';

const { existsSync } = require('node:fs');
const path = require('node:path');

/** Of the published package (test/tools/write-package.js). */
const packed = path.join(__dirname, '../dist/packed.cjs');

exports.start = async function start() {
  // A checkout, which has tests, runs its modules; so does a package that npm made of one without its scripts, as for a hook of pre-commit.
  const isCheckout = existsSync(path.join(__dirname, '../test')) || !existsSync(packed);
  const { stdin, stdout, stderr, env } = process;
  /** @type {{main: typeof import('../lib/cli/main.js').main} | undefined} */
  const program = isCheckout ? await import('../lib/cli/main.js').catch(explainMissingPackage) : require(packed);
  if (!program) {
    process.exitCode = 2;
    return;
  }
  const { main } = program;
  process.exitCode = await main({ argv: process.argv.slice(2), stdin, stdout, stderr, env, cwd: process.cwd() });
};

/**
 * @param {Error & {code?: string}} error
 * @returns {undefined} where a package is not installed: that is reported
 * @throws {Error} any other error
 */
function explainMissingPackage(error) {
  const [, name] = /^Cannot find package '([^']+)'/.exec(error.message) ?? [];
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || !name) throw error;
  const folder = path.join(__dirname, '..');
  process.stderr.write(`error: the package ${name} is not installed: run 'npm ci' in ${folder}\n`);
}
