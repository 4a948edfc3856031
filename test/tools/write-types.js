// `npm run prepack`: writes `types/index.d.ts`, the types of the library in one file, out of the JSDoc of `lib`.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { root } from '../helpers/run-cli.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-types-'));
try {
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.types.json', '--outDir', folder], {
    cwd: root,
    stdio: 'inherit',
  });
  const bundle = await rollup({
    input: path.join(folder, 'index.d.ts'),
    plugins: [dts()],
    external: [/^node:/, /^[@a-z]/],
  });
  await bundle.write({ file: path.join(root, 'types/index.d.ts'), format: 'es' });
} finally {
  rmSync(folder, { recursive: true });
}
