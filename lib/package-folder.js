// The folder of the package: of a checkout, and of what is installed.

import path from 'node:path';

/** Absolute. The packed program lies in `dist`, as deep as `lib`. */
export const PACKAGE_FOLDER = path.join(import.meta.dirname, '..');
