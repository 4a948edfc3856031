#!/usr/bin/env node
// Where Node can load modules in one go, a hundred small ones take half the time. It has `getBuiltinModule` then too.
if (process.argv[2] === 'lint' && Reflect.get(process.features, 'require_module')) {
  process.getBuiltinModule('node:module').createRequire(import.meta.url)('../lib/cli/lint-modules.js');
}
const { main } = await import('../lib/cli/main.js');

const { stdin, stdout, stderr, env } = process;
process.exitCode = await main({ argv: process.argv.slice(2), stdin, stdout, stderr, env, cwd: process.cwd() });
