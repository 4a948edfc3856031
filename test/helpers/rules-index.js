// Writes rules/README.md from the rule folders and the facts: two tables of what there is.

/** @import { FactDeclaration } from '../../lib/facts/fact.js' */
/** @import { Fix } from '../../lib/engine/fixes/index.js' */
/** @import { RuleFolder } from './rule-folders.js' */

const HEAD = `# Rules and facts

Written by \`npm run docs\`; changes made here are lost. [CONTRIBUTING.md](../CONTRIBUTING.md) tells how to add a rule or a fact.
`;

/**
 * @param {RuleFolder[]} folders
 * @param {ReadonlyMap<string, FactDeclaration>} facts
 * @param {ReadonlyMap<string, Fix>} fixes
 * @returns {string}
 */
export function rulesIndex(folders, facts, fixes) {
  const families = byFamily(folders);
  const rules = [...families].flatMap(([family, members]) => [
    `### ${family}\n`,
    table(
      ['Rule', 'Problem', 'Severity', 'Status', 'Needs', 'CouchDB', 'Fix'],
      members.map(({ id, rule }) => [
        `[\`${id}\`](${id}/README.md)`,
        rule.title,
        severitiesOf(rule),
        rule.status,
        rule.needs.join(', '),
        versionsOf(rule),
        fixOf(rule, fixes),
      ]),
    ),
  ]);
  const rows = [...facts.values()]
    .sort((first, second) => (first.id < second.id ? -1 : 1))
    .map(({ id, type, subject, sources, meaning }) => [`\`${id}\``, type, subject, sources.join(', '), meaning]);
  return [
    HEAD,
    `## Rules\n\n${folders.length} rules. Where a severity names two, the outcome decides. A fix is applied by \`--fix\` if it is safe, otherwise by \`--fix-unsafe\`.\n`,
    ...rules,
    `## Facts\n\nWhat rules may ask for, ${rows.length} facts. A list is compared by the number of its items.\n`,
    table(['Fact', 'Type', 'Of', 'From', 'Meaning'], rows),
  ].join('\n');
}

/**
 * @param {RuleFolder[]} folders
 * @returns {Map<string, RuleFolder[]>}
 */
function byFamily(folders) {
  /** @type {Map<string, RuleFolder[]>} */
  const families = new Map();
  for (const folder of folders) {
    const [family = ''] = folder.id.split('/');
    families.set(family, [...(families.get(family) ?? []), folder]);
  }
  return families;
}

/**
 * @param {RuleFolder['rule']} rule
 * @returns {string} of its problems, the rule's own first
 */
function severitiesOf({ severity, outcomes }) {
  const all = Object.values(outcomes)
    .filter(({ verdict }) => verdict === 'problem')
    .map((outcome) => outcome.severity ?? severity);
  return [...new Set(all)].sort((first, second) => Number(second === severity) - Number(first === severity)).join(', ');
}

/**
 * @param {RuleFolder['rule']} rule
 * @returns {string} the versions of CouchDB that it is for; empty where it is for all
 */
function versionsOf({ appliesTo: { from, before } = {} }) {
  return [from && `from ${from}`, before && `before ${before}`].filter(Boolean).join(', ');
}

/**
 * @param {RuleFolder['rule']} rule
 * @param {ReadonlyMap<string, Fix>} fixes
 * @returns {string}
 */
function fixOf({ outcomes }, fixes) {
  const ids = Object.values(outcomes).flatMap(({ fix }) => fix ?? []);
  return [...new Set(ids.map((id) => (fixes.get(id)?.safe ? 'safe' : 'unsafe')))].join(', ');
}

/**
 * @param {string[]} head
 * @param {string[][]} rows
 * @returns {string} ending in a line feed
 */
function table(head, rows) {
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
