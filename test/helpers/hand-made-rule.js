// Small rules about a shop, made by hand, for tests of the engine.

/** @import { Rule } from '../../lib/engine/rule.js' */

/**
 * A rule about views: no copy is fine, one is an info, from the third on a warning.
 * @param {Partial<Rule>} [changes]
 * @returns {Rule}
 */
export function copyRule(changes = {}) {
  return {
    id: 'view/copies',
    title: 'A view that copies',
    status: 'stable',
    since: '0.1.0',
    severity: 'warning',
    subject: 'view',
    needs: ['design-docs'],
    sources: ['https://docs.couchdb.org/en/stable/'],
    start: 'copies',
    questions: {
      copies: {
        fact: 'view.emitsWholeDoc',
        operator: 'is',
        value: true,
        because: 'what is emitted is stored',
        yes: 'copy-count',
        no: 'no-copy',
      },
      'copy-count': {
        fact: 'ddoc.wholeDocViewCount',
        operator: 'above',
        value: 2,
        because: 'a number for tests',
        yes: 'many-copies',
        no: 'few-copies',
        unknown: 'few-copies',
      },
    },
    outcomes: {
      'many-copies': {
        verdict: 'problem',
        message: '`{subject}` is one of {ddoc.wholeDocViewCount} that copy',
        why: 'It costs room.',
        advice: 'Emit `null`.',
      },
      'few-copies': {
        verdict: 'problem',
        severity: 'info',
        message: '`{subject}` copies',
        why: 'It costs room.',
        advice: 'Emit `null`.',
      },
      'no-copy': { verdict: 'fine', message: 'nothing is copied' },
    },
    ...changes,
  };
}
