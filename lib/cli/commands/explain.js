// `couch-advisor explain`: the page and the tree of a rule, or the path that one finding took.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { nearestFlip } from '../../engine/nearest-flip.js';
import { drawTree } from '../../engine/tree-picture.js';
import { advise } from '../../pipeline.js';
import { printable } from '../../shared/printable.js';
import { UserError } from '../../shared/user-error.js';
import { unknownRule } from '../config.js';
import { EXIT } from '../exit-codes.js';
import { version } from '../main.js';
import { prepare, prepareRules } from '../prepare.js';

/** @import { Rule } from '../../engine/rule.js' */
/** @import { Step } from '../../findings/finding.js' */
/** @import { Surroundings } from '../main.js' */
/** @import { SourceOptions } from '../prepare.js' */

/**
 * @param {SourceOptions} options
 * @param {string[]} given the rule or key, then paths
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 */
export async function run(options, given, surroundings) {
  const [name = '', ...paths] = given;
  if (name.includes('#')) return explainFinding(name, options, paths, surroundings);
  const { rules } = await prepareRules(options, surroundings.cwd);
  const rule = rules.find(({ id }) => id === name);
  if (!rule) {
    throw unknownRule(
      name,
      rules.map(({ id }) => id),
    );
  }
  surroundings.stdout.write(`${rulePage(rule)}\n`);
  return EXIT.CLEAN;
}

/**
 * @param {Rule} rule
 * @returns {string} its README as plain text, or what the rule itself says where it has none
 */
function rulePage(rule) {
  const { id, title, severity, sources } = rule;
  let page;
  try {
    page = readFileSync(path.join(rule.folder ?? '', 'README.md'), 'utf8');
  } catch {
    page = `# ${id}\n\n${title}.\n`;
  }
  const tree = page.includes('<!-- tree -->') ? '' : `\nDecision tree\n\n${drawTree(rule)}\n`;
  const plain = page
    .replaceAll(/^#+ (.*)$/gm, '$1')
    .replaceAll(/<!--.*?-->\n?/gs, '')
    .replaceAll(/^```.*$\n?/gm, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\n{3,}/g, '\n\n');
  return printableLines(`${plain.trimEnd()}\n${tree}\nSeverity: ${severity}\nSources: ${sources.join('; ')}`);
}

/**
 * @param {string} text
 * @returns {string} each line safe to show
 */
function printableLines(text) {
  return text.split('\n').map(printable).join('\n');
}

/**
 * @param {string} key
 * @param {SourceOptions} options
 * @param {string[]} paths
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 */
async function explainFinding(key, options, paths, surroundings) {
  const prepared = await prepare(options, paths, surroundings);
  const { links, ask } = advise({ ...prepared, version: version() });
  const link = links.find(({ finding }) => finding.key === key);
  if (!link) {
    throw new UserError('unknown-finding', `no finding has the key \`${key}\` in what was read`, {
      hint: '`couch-advisor lint --format json` gives the keys; name the same paths here',
    });
  }
  const { finding, subject } = link;
  const rule = /** @type {Rule} */ (prepared.rules.find(({ id }) => id === finding.rule));
  const { file, line, column } = finding.place;
  const lines = [
    `${finding.rule}#${finding.outcome}  ${file}:${line}:${column}`,
    finding.message,
    '',
    ...finding.path.flatMap(describeStep),
    `=> ${finding.outcome} (${finding.severity}, certainty ${finding.certainty})`,
  ];
  const flip = nearestFlip(rule, finding.path, (id) => ask(subject, id));
  if (flip) lines.push('', `Nearest change: were ${flip.fact} ${flip.change}, the outcome would be ${flip.outcome}.`);
  surroundings.stdout.write(`${printableLines(lines.join('\n'))}\n`);
  return EXIT.CLEAN;
}

/**
 * @param {Step} step
 * @returns {string[]}
 */
function describeStep({ question, fact, value, basis, answer, operator, operand, because, reason, place }) {
  const shown = value === null ? `unknown: ${reason}` : Array.isArray(value) ? `[${value.join(', ')}]` : String(value);
  const where = place ? ` at ${place.file}:${place.line}:${place.column}` : '';
  const compared = operand === true ? '' : ` ${operator} ${Array.isArray(operand) ? operand.join(', ') : operand}`;
  return [
    `${question}: ${fact}${compared}? ${answer}`,
    `   ${fact} = ${shown} (${basis}${where})`,
    `   because ${because}`,
  ];
}
