// Every fact that rules may name. Only collects: each fact is declared beside its extractor.

import { designDocFacts } from './design-doc.js';
import { filterFacts } from './filter.js';
import { functionFacts } from './function.js';
import { functionNeedFacts } from './function-needs.js';
import { ignoreFacts } from './ignore.js';
import { indexFacts } from './mango-index.js';
import { reduceFacts } from './reduce.js';
import { runFacts } from './run.js';
import { serverFacts } from './server.js';
import { validateFacts } from './validate.js';
import { viewDuplicateFacts } from './view-duplicates.js';
import { viewMapFacts } from './view-map.js';

/** @import { FactDeclaration } from './fact.js' */

/** @type {Map<string, FactDeclaration>} */
export const factCatalog = new Map(
  [
    ...runFacts,
    ...designDocFacts,
    ...viewDuplicateFacts,
    ...viewMapFacts,
    ...reduceFacts,
    ...functionFacts,
    ...functionNeedFacts,
    ...filterFacts,
    ...validateFacts,
    ...indexFacts,
    ...serverFacts,
    ...ignoreFacts,
  ].map((declaration) => [declaration.id, declaration]),
);
