// Facts about the run itself: the CouchDB version and the setup that the advice is for.

/** @import { FactDeclaration, RunSubject } from './fact.js' */

/** @type {FactDeclaration<RunSubject>[]} */
export const runFacts = [
  {
    id: 'target.version',
    type: 'version',
    subject: 'run',
    sources: ['settings'],
    basis: 'declared',
    meaning: 'The CouchDB version that the advice is for.',
    phrases: 'the target is CouchDB {value}',
    extract: (run) => ({ value: run.target.version }),
  },
  {
    id: 'target.engine',
    type: 'text',
    subject: 'run',
    sources: ['settings'],
    basis: 'declared',
    meaning: 'The JavaScript engine of the target server.',
    phrases: 'the JavaScript engine is `{value}`',
    extract: (run) =>
      run.target.engine
        ? { value: run.target.engine }
        : { unknown: 'no JavaScript engine is set; use `--engine` or the configuration' },
  },
];
