// Compressed logs: Zstandard is read where Node.js can; other forms are named, with the command that pipes them in.

import zlib from 'node:zlib';
import { expect, test } from 'vitest';
import { createProject } from '../helpers/temporary-project.js';

const LINE =
  '[notice] 2026-11-21T02:45:19.111722Z couchdb@127.0.0.1 <0.169.3> 28f101ecdf shop.example:5984 10.0.0.7 web GET /shop/a 200 ok 12\n';
/** LINE, by zstd 1.5.4. */
const ZSTD = Buffer.from(
  'KLUv/QRofQMAggcZGHDbAUCAbp1KKua5BgXhpOrWqVTgAHSAIsD7YnW7fyVBWIdpdqLgxvYlDlkgNOM0KaTMVavbiprU26vjVxlYGs6drHNzc3xfJsqaX537/Ed3Z+lIQSDfjn/gHhjfvxGdl1c3KAIAR4WD81JnX3277Q==',
  'base64',
);

test('Zstandard is read where Node.js can, else it says so', async () => {
  const project = createProject({ 'couch.log.zst': ZSTD });
  const { stdout, stderr, exitCode } = await project.run(['digest', 'couch.log.zst']);
  if ('createZstdDecompress' in zlib) {
    expect([stdout.split('\n')[0], stderr, exitCode]).toEqual(['1 request of 1 query pattern in 1 line.', '', 0]);
  } else {
    expect(stderr).toContain(
      `couch.log.zst is compressed with zstd, which Node.js reads from 22.15 (this is ${process.versions.node})`,
    );
    expect(stderr).toContain('decompress it: zstd -dc couch.log.zst | npx --no-install couch-advisor digest -');
    expect(exitCode).not.toBe(0);
  }
});

test.each([
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ['bzip2', [0x42, 0x5a, 0x68, 0x39]],
  ['lz4', [0x04, 0x22, 0x4d, 0x18]],
])('%s is named, and other logs are read', async (name, magic) => {
  const project = createProject({ 'a.log': LINE, 'b.log.packed': Buffer.from([...magic, 0, 1, 2, 3]) });
  const { stdout, stderr, exitCode } = await project.run(['digest', 'a.log', 'b.log.packed']);
  expect(stdout).toContain('1 request of 1 query pattern');
  expect(stderr).toContain(`b.log.packed is compressed with ${name}, which is not read`);
  expect(stderr).toContain(`${name} -dc b.log.packed | npx --no-install couch-advisor digest -`);
  expect(exitCode).toBe(3);
});

test('compressed standard input is named', async () => {
  const { stderr, exitCode } = await createProject().run(['digest', '-'], zlib.gzipSync(LINE));
  expect(stderr).toContain('standard input is compressed with gzip');
  expect(stderr).toContain('gzip -dc LOG | …');
  expect(exitCode).toBe(3);
});
