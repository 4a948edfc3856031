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
  /** @type {{main: typeof import('../lib/cli/main.js').main}} */
  const { main } = isCheckout ? await import('../lib/cli/main.js') : require(packed);
  const { stdin, stdout, stderr, env } = process;
  process.exitCode = await main({ argv: process.argv.slice(2), stdin, stdout, stderr, env, cwd: process.cwd() });
};
