// Facts about the run itself: the CouchDB version and the setup that the advice is for.

import { factsOf } from './fact.js';

/** @import { DeclareFact, FactDeclaration, RunSubject } from './fact.js' */

/** @type {DeclareFact<RunSubject>} */
const runFact = factsOf({ subject: 'run', sources: ['settings'], basis: 'declared' });

/** @type {FactDeclaration<RunSubject>[]} */
export const runFacts = [
  runFact('target.version', 'version', {
    meaning: 'The CouchDB version that the advice is for.',
    phrases: 'the target is CouchDB {value}',
    extract: (run) => ({ value: run.target.version }),
  }),
  runFact('target.engine', 'text', {
    meaning: 'The JavaScript engine of the target server.',
    phrases: 'the JavaScript engine is `{value}`',
    extract: (run) =>
      run.target.engine
        ? { value: run.target.engine }
        : { unknown: 'no JavaScript engine is set; use `--engine` or the configuration' },
  }),
];
