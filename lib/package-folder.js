// Finds the folder of the package, in a checkout and where it is installed.

import path from 'node:path';

/** Where the modules of the program are, absolute: `lib` of a checkout, `dist` of the package, whose files have no folders below it. */
export const PROGRAM_FOLDER = import.meta.dirname;

/** Absolute. */
export const PACKAGE_FOLDER = path.join(PROGRAM_FOLDER, '..');
