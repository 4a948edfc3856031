// Makes the files by which somebody else can follow a plan: a README and the commands of each step as scripts.

import { list, section } from './document/blocks.js';
import { renderMarkdownDocument } from './document/markdown.js';
import { planDocument, scriptOf } from './plan.js';

/** @import { Plan, PlanStep } from '../advise/plan.js' */

/** @typedef {NonNullable<PlanStep['actions']>} StepActions */

/**
 * @param {Plan} plan
 * @returns {{path: string, content: string}[]} none of a plan without steps
 */
export function planFolder(plan) {
  const { steps } = plan;
  if (steps.length === 0) return [];
  const document = planDocument(plan);
  const how = section(
    'How to follow it',
    list([
      'Set `COUCHDB_URL` to the address of the server, with the name of an admin: `export COUCHDB_URL=http://admin:password@localhost:5984`',
      'Do one step after the other, in this folder: `sh step-1.sh`, then `sh step-1-later.sh` some days after it, where there is one',
      'Of several databases, do one first: `TRY=1 sh step-1.sh`',
      'If a step has to be taken back: `sh step-1-undo.sh`',
      'The scripts need curl and jq. They stop at the first error',
    ]),
  );
  return [
    {
      path: 'README.md',
      content: `${renderMarkdownDocument({ ...document, blocks: [how, ...document.blocks] }).trimEnd()}\n`,
    },
    ...steps.flatMap(scriptsOf),
  ];
}

/** @param {PlanStep} step @returns {{path: string, content: string}[]} */
function scriptsOf({ number, title, actions = [] }) {
  /** @type {[string, StepActions][]} */
  const parts = [
    ['', actions.filter(({ name }) => name !== 'undo' && name !== 'later' && name !== 'watch')],
    ['-later', actions.filter(({ name }) => name === 'later')],
    ['-undo', actions.filter(({ name }) => name === 'undo')],
  ];
  return parts.flatMap(([suffix, own]) =>
    own.every(({ commands }) => commands.length === 0)
      ? []
      : [
          {
            path: `step-${number}${suffix}.sh`,
            content: `# Step ${number}: ${title.replaceAll(/\s+/g, ' ')}\nset -eu\n\n${scriptOf(own)}\n`,
          },
        ],
  );
}
