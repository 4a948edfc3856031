// Runs the process: its arguments, streams and environment go to the command line, whose exit code becomes its own.

import { existsSync } from 'node:fs';

// A checkout runs its modules. The package has none: it has the same program in few files (test/tools/write-package.js).
const program = existsSync(new URL('../lib', import.meta.url)) ? '../lib/cli/main.js' : '../dist/packed.js';
/** @type {{main: typeof import('../lib/cli/main.js').main}} */
const { main } = await import(program);

const { stdin, stdout, stderr, env } = process;
process.exitCode = await main({ argv: process.argv.slice(2), stdin, stdout, stderr, env, cwd: process.cwd() });
