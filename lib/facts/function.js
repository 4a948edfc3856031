// Facts about each JavaScript function of a design document: how it parses, what it needs, what it does besides its result.

import { parsed } from './javascript/analyse.js';

/** @import { ParsedFunction } from './javascript/parse.js' */
/** @import { Extracted, FactDeclaration, FunctionSubject } from './fact.js' */

const DOES_NOT_PARSE = 'the function does not parse';

/**
 * @param {Omit<FactDeclaration<FunctionSubject>, 'subject' | 'sources' | 'extract'>} naming
 * @param {(tree: ParsedFunction, subject: FunctionSubject) => Extracted} take
 * @returns {FactDeclaration<FunctionSubject>} unknown for a text that does not parse
 */
function functionFact(naming, take) {
  return {
    ...naming,
    subject: 'function',
    sources: ['design-docs'],
    extract: (subject) => {
      const tree = parsed(subject);
      return tree.ok ? take(tree, subject) : { unknown: DOES_NOT_PARSE };
    },
  };
}

/** @type {FactDeclaration<FunctionSubject>[]} */
export const functionFacts = [
  {
    id: 'function.role',
    type: 'text',
    subject: 'function',
    sources: ['design-docs'],
    basis: 'declared',
    meaning:
      'What the function is for: `map`, `reduce`, `filter`, `validate`, `update`, `show`, `list`, `rewrite`, `search` or `library` (a module).',
    extract: ({ role, place }) => ({ value: role, place }),
  },
  {
    id: 'function.parses',
    type: 'boolean',
    subject: 'function',
    sources: ['design-docs'],
    basis: 'declared',
    meaning: 'Whether the text is JavaScript of any kind.',
    extract: (subject) => {
      const tree = parsed(subject);
      if (tree.ok) return { value: true, place: subject.place };
      return { value: false, place: subject.text.place(tree.offset, tree.offset + 1) ?? subject.place };
    },
  },
  {
    id: 'function.isFunction',
    type: 'boolean',
    subject: 'function',
    sources: ['design-docs'],
    basis: 'declared',
    meaning: 'Whether the text gives a function.',
    extract: (subject) => {
      if (subject.isModule) return { unknown: 'it is a module, which gives no function' };
      const tree = parsed(subject);
      return { value: tree.ok && tree.fn !== undefined, place: subject.place };
    },
  },
  functionFact(
    {
      id: 'function.shape',
      type: 'text',
      basis: 'declared',
      meaning:
        'How the function stands in its text: `expression`, `named` (a declaration with a name), `code-after`, `statements` (behind other statements), `none`, or `module`.',
    },
    ({ shape }, { isModule, place }) => ({ value: isModule ? 'module' : shape, place }),
  ),
  functionFact(
    { id: 'function.isEmpty', type: 'boolean', basis: 'declared', meaning: 'Whether the function has no statement.' },
    ({ fn, roots }, { place }) => ({
      value: fn ? fn.body.type === 'BlockStatement' && fn.body.body.length === 0 : roots.length === 0,
      place,
    }),
  ),
];
