// fast-check for the tests of this project. In CI its seed is fixed, so that a run judges the change and not the draw; elsewhere it is
// another one each time. FC_SEED names one.

import process from 'node:process';
import fc from 'fast-check';

const { CI, FC_SEED } = process.env;
const seed = FC_SEED ?? (CI ? '1' : undefined);
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });

export { default } from 'fast-check';
