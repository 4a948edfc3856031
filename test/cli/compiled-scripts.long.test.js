// The compiled code of the installed program: V8 runs what it is given, so what is damaged, old or of others must not reach it.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import Module from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import zlib from 'node:zlib';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { root } from '../helpers/run-cli.js';

/** Since Node.js 20.15. @type {(data: Uint8Array, start?: number) => number} */
const crc32 = Reflect.get(zlib, 'crc32');

const top = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-compiled-'));
afterAll(() => rmSync(top, { recursive: true }));

const program = path.join(top, 'dist');
const cache = path.join(top, 'home/compiled');
const kept = path.join(cache, '1.0.0/lint/shop.cjs');
const SOURCE = "const what = ' orders';\nmodule.exports = () => require('./stock.cjs') + what;\n";
/** V8 compares no more than the lengths. */
const LIE = SOURCE.replace('orders', 'looted');

/** @param {{version?: string, folder?: string}} [run] @returns {string} what the program prints, in a process of its own */
function start({ version = '1.0.0', folder = cache } = {}) {
  const module = pathToFileURL(path.join(root, 'lib/cli/compiled-scripts.js')).href;
  const code = `import { createRequire } from 'node:module';
import { keepCompiledScripts } from ${JSON.stringify(module)};
keepCompiledScripts(${JSON.stringify(program)}, ${JSON.stringify(folder)}, { version: ${JSON.stringify(version)}, command: 'lint' });
console.log(createRequire(${JSON.stringify(path.join(program, 'packed.cjs'))})('./shop.cjs')());`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: top, encoding: 'utf8' }).trim();
}

/** @returns {Buffer} compiled code that prints something else, with the checksum that belongs to the true source */
function planted() {
  // In a process of its own: V8 takes nothing that was compiled with other flags, as tests are.
  const code = `const script = new (require('vm').Script)(${JSON.stringify(Module.wrap(LIE))});
process.stdout.write(script.createCachedData());`;
  return withChecksum(execFileSync(process.execPath, ['-e', code]), SOURCE);
}

/** @param {Buffer} compiled @param {string} source */
function withChecksum(compiled, source) {
  const sum = Buffer.alloc(4);
  const name = crc32(Buffer.from(path.join(program, 'shop.cjs')));
  sum.writeUInt32LE(crc32(compiled, crc32(Buffer.from(source), name)));
  return Buffer.concat([compiled, sum]);
}

/** @param {Buffer} content @param {number} [mode] */
function plant(content, mode = 0o600) {
  writeFileSync(kept, content);
  chmodSync(kept, mode);
}

// Where nothing is kept, nothing can be planted.
describe.skipIf(crc32 === undefined)('compiled code', () => {
  beforeEach(() => {
    rmSync(top, { recursive: true });
    mkdirSync(program, { recursive: true });
    writeFileSync(path.join(program, 'shop.cjs'), SOURCE);
    writeFileSync(path.join(program, 'stock.cjs'), 'module.exports = 12;\n');
    expect(start()).toBe('12 orders');
  });

  test('is kept, and used', () => {
    expect(readdirSync(path.dirname(kept)).sort()).toEqual(['shop.cjs', 'stock.cjs']);
    // What is planted by this user is run: so the tests below can fail.
    plant(planted());
    expect(start()).toBe('12 looted');
  });

  test.each([
    ['empty', () => Buffer.alloc(0)],
    ['of four bytes', () => Buffer.alloc(4)],
    ['cut off', () => readFileSync(kept).subarray(0, -100)],
    ['too long', () => Buffer.concat([readFileSync(kept), Buffer.alloc(8)])],
    ['text', () => Buffer.from(SOURCE)],
    ['of another source', () => withChecksum(planted().subarray(0, -4), LIE)],
    ['of another version of V8', () => withChecksum(Buffer.alloc(900, 7), SOURCE)],
  ])('%s is replaced', (_, content) => {
    const sound = readFileSync(kept);
    plant(content());
    expect(start()).toBe('12 orders');
    expect(crc32(readFileSync(kept))).not.toBe(crc32(content()));
    expect(readFileSync(kept).length).toBeGreaterThan(sound.length / 2);
    expect(start()).toBe('12 orders');
  });

  test('with a flipped bit is not used', () => {
    const sound = readFileSync(kept);
    for (let at = 0; at < sound.length; at += Math.ceil(sound.length / 6)) {
      const damaged = Buffer.from(sound);
      damaged[at] = Number(damaged[at]) ^ (1 << (at % 8));
      plant(damaged);
      expect(start()).toBe('12 orders');
      expect(readFileSync(kept).equals(damaged)).toBe(false);
    }
  });

  test.skipIf(process.platform === 'win32')('that others may have written is not used', () => {
    for (const mode of [0o666, 0o620, 0o602]) {
      plant(planted(), mode);
      expect(start()).toBe('12 orders');
    }
    rmSync(kept, { force: true });
    renameSync(writeBeside(planted()), `${kept}.other`);
    symlinkSync(`${kept}.other`, kept);
    expect(start()).toBe('12 orders');
    for (const folder of [path.dirname(kept), cache, path.dirname(cache)]) {
      rmSync(kept);
      plant(planted());
      chmodSync(folder, 0o777);
      expect(start()).toBe('12 orders');
      chmodSync(folder, 0o700);
    }
  });

  test.skipIf(process.getuid?.() !== 0)('of another user is not used', () => {
    plant(planted());
    chownSync(kept, 4321, 4321);
    expect(start()).toBe('12 orders');
    plant(planted());
    for (const folder of [path.dirname(kept), cache, path.dirname(cache)]) {
      chownSync(folder, 4321, 4321);
      expect(start()).toBe('12 orders');
      chownSync(folder, 0, 0);
    }
  });

  test('that a repository brings is not used', () => {
    plant(planted());
    mkdirSync(path.join(top, '.git'));
    expect(start()).toBe('12 orders');
    expect(start({ folder: path.relative(top, cache) })).toBe('12 orders');
  });

  test('is not needed: the folder cannot be made', () => {
    const file = path.join(top, 'file');
    writeFileSync(file, 'stock');
    expect(start({ folder: path.join(file, 'compiled') })).toBe('12 orders');
    expect(readFileSync(file, 'utf8')).toBe('stock');
  });

  test('of old versions is removed', () => {
    for (const [at, name] of ['0.7.0', '0.8.0', '0.9.0', '0.9.1'].entries()) {
      mkdirSync(path.join(cache, name));
      utimesSync(path.join(cache, name), at + 1, at + 1);
    }
    expect(start({ version: '1.1.0' })).toBe('12 orders');
    expect(readdirSync(cache).sort()).toEqual(['0.9.0', '0.9.1', '1.0.0', '1.1.0']);
    expect(existsSync(kept)).toBe(true);
  });
});

/** @param {Buffer} content @returns {string} */
function writeBeside(content) {
  const file = path.join(top, 'beside');
  writeFileSync(file, content, { mode: 0o600 });
  return file;
}
