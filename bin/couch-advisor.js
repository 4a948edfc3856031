#!/usr/bin/env node
// Starts the program. Old versions of Node.js must be able to read this file, to say which one is needed: hence no `import`, no `await` and no `?.` here.
'use strict';

const { engines } = require('../package.json');
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const [leastMajor = 0, leastMinor = 0] = engines.node.replace('>=', '').split('.').map(Number);

if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  const needed = `${leastMajor}.${leastMinor}`;
  process.stderr.write(`error: couch-advisor needs Node.js ${needed} or newer; this is ${process.versions.node}\n`);
  process.exitCode = 2;
} else {
  require('./start.js').start();
}
