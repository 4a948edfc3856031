#!/usr/bin/env node
import process from 'node:process';
import { main } from '../lib/cli/main.js';

process.exitCode = await main({
  argv: process.argv.slice(2),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
});
