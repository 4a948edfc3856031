// Checks that a rule is sound: a complete tree, known facts, texts in order. Each fault is one sentence with the part
// of the rule it is about.

import { nearest } from '../shared/nearest.js';
import { isVersion } from '../shared/version.js';
import { CANNOT_TELL } from './evaluate.js';
import { grammarFaults, placeholdersOf } from './message.js';
import { OPERATORS_OF_TYPE } from './operators.js';
import { factsKnownAt, treeFaults } from './tree.js';

/** @import { FactDeclaration, FactType } from '../facts/fact.js' */
/** @import { Outcome, Question, Rule } from './rule.js' */

/**
 * @typedef {object} RuleFault
 * @property {string} message what was found
 * @property {string[]} pointer keys that lead to the part of the rule
 * @property {string} [hint] the change to make
 */

/**
 * @typedef {object} Known What a rule may name.
 * @property {ReadonlyMap<string, FactDeclaration>} facts
 * @property {ReadonlySet<string>} fixes
 */

/** Which kinds of subject a rule about one kind may use facts of: its own, and those of its parents. */
const REACHABLE = /** @type {Record<string, string[]>} */ ({
  'design-doc': ['design-doc', 'run'],
  view: ['view', 'design-doc', 'run'],
  function: ['function', 'design-doc', 'run'],
  filter: ['filter', 'function', 'design-doc', 'run'],
  validate: ['validate', 'function', 'design-doc', 'run'],
  'search-index': ['search-index', 'design-doc', 'run'],
  index: ['index', 'run'],
  server: ['server', 'run'],
  option: ['option', 'server', 'run'],
  container: ['container', 'run'],
  replication: ['replication', 'run'],
  load: ['load', 'run'],
  request: ['request', 'run'],
  build: ['build', 'run'],
  log: ['log', 'run'],
  change: ['change', 'run'],
  node: ['node', 'run'],
  database: ['database', 'run'],
  'view-index': ['view-index', 'database', 'run'],
  'find-query': ['find-query', 'database', 'run'],
  call: ['call', 'run'],
  ignore: ['ignore', 'run'],
});

/** @type {(keyof Outcome)[]} */
const ONLY_OF_PROBLEMS = ['why', 'advice', 'severity', 'each', 'oncePer', 'place', 'evidence', 'fix', 'change'];

/**
 * @param {Rule} rule one that fits the schema
 * @param {string} expectedId the folder's path
 * @param {Known} known
 * @returns {RuleFault[]} its faults; none for a sound rule
 */
export function ruleFaults(rule, expectedId, known) {
  /** @type {RuleFault[]} */
  const faults = [];
  const { id, status, replacedBy, outcomes } = rule;
  if (id !== expectedId) {
    faults.push({ message: `the id \`${id}\` does not match its folder \`${expectedId}\``, pointer: ['id'] });
  }
  if (status === 'retired' && !replacedBy) {
    faults.push({
      message: 'a retired rule must name its replacement',
      pointer: ['status'],
      hint: 'add `replacedBy`',
    });
  }
  if (Object.hasOwn(outcomes, CANNOT_TELL)) {
    const message = `the outcome name \`${CANNOT_TELL}\` is reserved for unknown facts`;
    faults.push({ message, pointer: ['outcomes', CANNOT_TELL], hint: 'rename the outcome' });
  }
  if (!Object.values(outcomes).some(({ verdict }) => verdict === 'problem')) {
    faults.push({ message: 'no outcome has the verdict `problem`', pointer: ['outcomes'] });
  }
  const ofTree = treeFaults(rule);
  faults.push(...ofTree, ...questionFaults(rule, known), ...outcomeFaults(rule, known));
  // What is known where can be determined only of a whole tree.
  if (ofTree.length === 0) faults.push(...placeholderFaults(rule));
  return faults;
}

/**
 * @param {Rule} rule
 * @param {Known} known
 * @returns {RuleFault[]}
 */
function questionFaults(rule, known) {
  return Object.entries(rule.questions).flatMap(([id, { fact, operator, value }]) => {
    const pointer = ['questions', id];
    const faults = factFaults(rule, fact, known, [...pointer, 'fact'], `\`${id}\` uses`);
    const type = known.facts.get(fact)?.type;
    if (type === undefined) return faults;
    if (!OPERATORS_OF_TYPE[type].includes(operator)) {
      const message = `\`${id}\` compares \`${fact}\`, a ${type}, with \`${operator}\``;
      const hint = `operators of a ${type}: ${OPERATORS_OF_TYPE[type].join(', ')}`;
      faults.push({ message, pointer: [...pointer, 'operator'], hint });
    } else {
      const wanted = wantedOperand(type, operator, value);
      const message = `\`${id}\` compares \`${fact}\`, a ${type}, with ${JSON.stringify(value)}`;
      if (wanted) faults.push({ message, pointer: [...pointer, 'value'], hint: `write ${wanted}` });
    }
    return faults;
  });
}

/**
 * @param {FactType} type
 * @param {Question['operator']} operator
 * @param {Question['value']} value
 * @returns {string | undefined} what would fit; undefined where the value does
 */
function wantedOperand(type, operator, value) {
  if (operator === 'isOneOf') {
    const isList = Array.isArray(value) && value.length > 1 && value.every((item) => typeof item === 'string');
    return isList ? undefined : 'an array of at least two strings';
  }
  // Every string contains the empty one.
  if (operator === 'contains' && value === '') return 'the part that is looked for';
  // `is false` would say the same as `is true` with its branches swapped.
  if (type === 'boolean') return value === true ? undefined : '`true`, and swap `yes` and `no` if it was `false`';
  if (type === 'version') return typeof value === 'string' && isVersion(value) ? undefined : 'a version like "3.2"';
  if (type === 'text') return typeof value === 'string' ? undefined : 'a string';
  return typeof value === 'number' ? undefined : 'a number';
}

/**
 * @param {Rule} rule
 * @param {Known} known
 * @returns {RuleFault[]}
 */
function outcomeFaults(rule, known) {
  return Object.entries(rule.outcomes).flatMap(([id, outcome]) => {
    const pointer = ['outcomes', id];
    /** @type {RuleFault[]} */
    const faults = grammarFaults(outcome).map((fault) => ({ message: `\`${id}\`: ${fault}`, pointer }));
    if (outcome.verdict !== 'problem') {
      const idle = ONLY_OF_PROBLEMS.filter((key) => outcome[key] !== undefined);
      for (const key of idle) {
        faults.push({ message: `\`${id}\` has \`${key}\`, which only problems may have`, pointer: [...pointer, key] });
      }
      return faults;
    }
    const named = [...(outcome.evidence ?? []), outcome.each, outcome.place].filter((fact) => fact !== undefined);
    for (const fact of named) faults.push(...factFaults(rule, fact, known, pointer, `\`${id}\` refers to`));
    if (outcome.each && (known.facts.get(outcome.each)?.type ?? 'list') !== 'list') {
      const message = `\`${id}\` reports each item of \`${outcome.each}\`, which is not a list`;
      faults.push({ message, pointer: [...pointer, 'each'] });
    }
    if (outcome.oncePer !== undefined && !REACHABLE[rule.subject]?.includes(outcome.oncePer)) {
      const message = `\`${id}\` is reported once per ${outcome.oncePer}, but a ${rule.subject} belongs to none`;
      faults.push({ message, pointer: [...pointer, 'oncePer'] });
    }
    if (outcome.fix !== undefined && !known.fixes.has(outcome.fix)) {
      const hint = suggestion(outcome.fix, known.fixes);
      const message = `\`${id}\` refers to the unknown fix \`${outcome.fix}\``;
      faults.push({ message, pointer: [...pointer, 'fix'], hint });
    }
    return faults;
  });
}

/**
 * @param {Rule} rule with a whole tree
 * @returns {RuleFault[]} placeholders of problems that nothing fills
 */
function placeholderFaults(rule) {
  const problems = Object.entries(rule.outcomes).filter(([, { verdict }]) => verdict === 'problem');
  return problems.flatMap(([id, outcome]) => {
    const available = new Set([...factsKnownAt(rule, id), ...(outcome.evidence ?? []), 'subject']);
    if (outcome.each) available.add('item');
    return /** @type {const} */ (['message', 'why', 'advice']).flatMap((key) =>
      placeholdersOf(outcome[key] ?? '')
        .filter((name) => !available.has(name))
        .map((name) => ({
          message: `\`${id}\` uses the placeholder \`{${name}}\`, which is not known on every path`,
          pointer: ['outcomes', id, key],
          hint: name === 'item' ? 'add a list fact as `each`' : 'add the fact to `evidence`',
        })),
    );
  });
}

/**
 * @param {Rule} rule
 * @param {string} fact
 * @param {Known} known
 * @param {string[]} pointer
 * @param {string} who
 * @returns {RuleFault[]}
 */
function factFaults(rule, fact, known, pointer, who) {
  const declared = known.facts.get(fact);
  if (!declared) {
    const hint = suggestion(fact, known.facts.keys());
    return [{ message: `${who} the unknown fact \`${fact}\``, pointer, hint }];
  }
  if (REACHABLE[rule.subject]?.includes(declared.subject)) return [];
  const message = `${who} \`${fact}\`, a fact about a ${declared.subject}, but the rule is about a ${rule.subject}`;
  return [{ message, pointer }];
}

/**
 * @param {string} name
 * @param {Iterable<string>} names
 * @returns {string | undefined}
 */
function suggestion(name, names) {
  const guess = nearest(name, names);
  return guess && `did you mean \`${guess}\`?`;
}
