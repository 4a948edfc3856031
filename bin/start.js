// The process: its arguments, streams and environment go to the command line, whose exit code becomes its own.

import { createRequire } from 'node:module';

// Where Node can load modules in one go, a hundred small ones take half the time.
if (process.argv[2] === 'lint' && Reflect.get(process.features, 'require_module')) {
  createRequire(import.meta.url)('../lib/cli/lint-modules.js');
}
const { main } = await import('../lib/cli/main.js');

const { stdin, stdout, stderr, env } = process;
process.exitCode = await main({ argv: process.argv.slice(2), stdin, stdout, stderr, env, cwd: process.cwd() });
