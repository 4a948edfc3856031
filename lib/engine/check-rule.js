// Whether a rule is sound: its tree whole, its facts known, its texts in order. Says every fault as a sentence.

import { grammarFaults, placeholdersOf } from './message.js';
import { OPERATORS_OF_TYPE } from './operators.js';

/** @import { FactDeclaration } from '../facts/fact.js' */
/** @import { Rule } from './rule.js' */

/**
 * @typedef {object} Known What a rule may name.
 * @property {ReadonlyMap<string, FactDeclaration>} facts
 * @property {ReadonlySet<string>} fixes
 */

/** Which kinds of subject a rule about one kind may ask for facts of: its own, and those of its parents. */
const REACHABLE = /** @type {Record<string, string[]>} */ ({
  'design-doc': ['design-doc', 'run'],
  view: ['view', 'design-doc', 'run'],
  function: ['function', 'design-doc', 'run'],
  filter: ['filter', 'function', 'design-doc', 'run'],
  validate: ['validate', 'function', 'design-doc', 'run'],
  index: ['index', 'run'],
  server: ['server', 'run'],
  ignore: ['ignore', 'run'],
});

/**
 * @param {Rule} rule one that fits the schema
 * @param {string} expectedId the folder's path
 * @param {Known} known
 * @returns {string[]} its faults; none for a sound rule
 */
export function ruleFaults(rule, expectedId, known) {
  /** @type {string[]} */
  const faults = [];
  if (rule.id !== expectedId) faults.push(`the id is \`${rule.id}\` and the folder says \`${expectedId}\``);
  if (rule.status === 'retired' && !rule.replacedBy) faults.push('a retired rule names the one that replaces it');
  faults.push(...treeFaults(rule), ...questionFaults(rule, known), ...outcomeFaults(rule, known));
  return faults;
}

/**
 * @param {Rule} rule
 * @returns {string[]}
 */
function treeFaults(rule) {
  /** @type {string[]} */
  const faults = [];
  const { questions, outcomes } = rule;
  for (const id of Object.keys(questions)) {
    if (Object.hasOwn(outcomes, id)) faults.push(`\`${id}\` is a question and an outcome`);
  }
  if (!questions[rule.start]) return [...faults, `the start \`${rule.start}\` is no question`];
  /** @type {Set<string>} */
  const reached = new Set();
  /** @type {(id: string, above: string[]) => void} */
  const walk = (id, above) => {
    if (above.includes(id)) {
      faults.push(`the tree runs in a circle: ${[...above, id].join(' -> ')}`);
      return;
    }
    reached.add(id);
    const question = questions[id];
    if (!question) {
      if (!outcomes[id]) faults.push(`\`${above.at(-1)}\` leads to \`${id}\`, which is no question and no outcome`);
      return;
    }
    for (const next of [question.yes, question.no, question.unknown]) {
      if (next !== undefined) walk(next, [...above, id]);
    }
  };
  walk(rule.start, []);
  for (const id of [...Object.keys(questions), ...Object.keys(outcomes)]) {
    if (!reached.has(id)) faults.push(`nothing leads to \`${id}\``);
  }
  return faults;
}

/**
 * @param {Rule} rule
 * @param {Known} known
 * @returns {string[]}
 */
function questionFaults(rule, known) {
  return Object.entries(rule.questions).flatMap(([id, { fact, operator, value }]) => {
    const declared = known.facts.get(fact);
    if (!declared) return [`\`${id}\` asks for \`${fact}\`, and no fact is called so`];
    /** @type {string[]} */
    const faults = [];
    if (!REACHABLE[rule.subject]?.includes(declared.subject)) {
      faults.push(`\`${id}\` asks for \`${fact}\`, a fact of a ${declared.subject}, of a ${rule.subject}`);
    }
    if (!OPERATORS_OF_TYPE[declared.type].includes(operator)) {
      faults.push(`\`${id}\` compares \`${fact}\`, a ${declared.type}, with \`${operator}\``);
    } else if (!operandFits(declared.type, operator, value)) {
      faults.push(`\`${id}\` compares \`${fact}\`, a ${declared.type}, with ${JSON.stringify(value)}`);
    }
    return faults;
  });
}

/**
 * @param {string} type
 * @param {string} operator
 * @param {unknown} value
 * @returns {boolean}
 */
function operandFits(type, operator, value) {
  if (operator === 'isOneOf') {
    return Array.isArray(value) && value.length > 1 && value.every((item) => typeof item === 'string');
  }
  // `is false` would say the same as `is true` with its branches swapped.
  if (type === 'boolean') return value === true;
  return typeof value === (type === 'text' || type === 'version' ? 'string' : 'number');
}

/**
 * @param {Rule} rule
 * @param {Known} known
 * @returns {string[]}
 */
function outcomeFaults(rule, known) {
  return Object.entries(rule.outcomes).flatMap(([id, outcome]) => {
    const faults = grammarFaults(outcome).map((fault) => `\`${id}\`: ${fault}`);
    const named = [...(outcome.evidence ?? []), outcome.each, outcome.place].filter((fact) => fact !== undefined);
    for (const fact of named) {
      const declared = known.facts.get(fact);
      if (!declared) faults.push(`\`${id}\` names \`${fact}\`, and no fact is called so`);
      else if (!REACHABLE[rule.subject]?.includes(declared.subject)) {
        faults.push(`\`${id}\` names \`${fact}\`, a fact of a ${declared.subject}, of a ${rule.subject}`);
      }
    }
    if (outcome.each && known.facts.get(outcome.each)?.type !== 'list') {
      faults.push(`\`${id}\` makes a finding of each item of \`${outcome.each}\`, which is no list`);
    }
    if (outcome.fix !== undefined && !known.fixes.has(outcome.fix)) {
      faults.push(`\`${id}\` names the fix \`${outcome.fix}\`, and no fix is called so`);
    }
    const available = new Set([...factsOnEveryPath(rule, id), ...(outcome.evidence ?? [])]);
    for (const text of [outcome.message, outcome.why ?? '', outcome.advice ?? '']) {
      for (const name of placeholdersOf(text)) {
        if (name === 'subject' || (name === 'item' && outcome.each) || available.has(name)) continue;
        faults.push(`\`${id}\` fills in \`{${name}}\`, which is not asked for on every path to it`);
      }
    }
    return faults;
  });
}

/**
 * @param {Rule} rule
 * @param {string} outcome
 * @returns {Set<string>} the facts that every path to the outcome asks for
 */
function factsOnEveryPath(rule, outcome) {
  /** @type {Set<string> | undefined} */
  let common;
  /** @type {(id: string, asked: Set<string>, above: Set<string>) => void} */
  const walk = (id, asked, above) => {
    if (id === outcome) {
      common = new Set([...(common ?? asked)].filter((fact) => asked.has(fact)));
      return;
    }
    const question = rule.questions[id];
    if (!question || above.has(id)) return;
    const next = new Set([...asked, question.fact]);
    for (const branch of [question.yes, question.no, question.unknown]) {
      if (branch !== undefined) walk(branch, next, new Set([...above, id]));
    }
  };
  walk(rule.start, new Set(), new Set());
  return common ?? new Set();
}
