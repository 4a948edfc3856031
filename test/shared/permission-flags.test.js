import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { expect, test } from 'vitest';
import { permissionFlags } from '../../lib/shared/permission-flags.js';

test.each([
  ['20.12', [], ['--experimental-permission', '--allow-fs-read=*']],
  ['22.13', ['--permission', '--experimental-permission'], ['--permission', '--allow-fs-read=*']],
  ['25', ['--permission', '--allow-net'], ['--permission', '--allow-fs-read=*', '--allow-net']],
])('the flags of Node.js %s', (_, known, flags) => {
  expect(permissionFlags(new Set(known), { readsFiles: true, usesNetwork: true })).toEqual(flags);
});

test.each([
  ['write a file', "require('node:fs').writeFileSync('stolen', '')"],
  ['start a process', "require('node:child_process').execSync('true')"],
  ['read a file', "require('node:fs').readFileSync('/etc/hostname')"],
])('a process started with them cannot %s', (_, code) => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [...permissionFlags(process.allowedNodeEnvironmentFlags), '-e', code],
    { encoding: 'utf8', cwd: '/' },
  );
  expect(status).not.toBe(0);
  expect(stderr).toContain('ERR_ACCESS_DENIED');
});
