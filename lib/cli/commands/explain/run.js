// `couch-advisor explain`: shows the page and the tree of a rule, or the path that one finding took.

import { eachPlace } from '../../../engine/gather.js';
import { nearestFlip } from '../../../engine/nearest-flip.js';
import { analyze } from '../../../engine/pipeline.js';
import { unknownRule } from '../../../engine/rule-names.js';
import { describeQuestion } from '../../../engine/tree-picture.js';
import { cutOffs } from '../../../facts/bailouts.js';
import { isKnown } from '../../../facts/fact.js';
import { wrap } from '../../../reports/display-width.js';
import { printable } from '../../../shared/printable.js';
import { UserError } from '../../../shared/user-error.js';
import { describeError } from '../../describe-error.js';
import { EXIT } from '../../exit-codes.js';
import { prepare, prepareRules, ruleIds } from '../../prepare.js';
import { reportSources } from '../../report-sources.js';
import { version } from '../../version.js';
import { lineWidth } from '../../width.js';
import { renderRulePage } from './rule-page.js';

/** @import { Operator, Rule } from '../../../engine/rule.js' */
/** @import { Fact } from '../../../facts/fact.js' */
/** @import { Step } from '../../../engine/findings/finding.js' */
/** @import { Surroundings } from '../../main.js' */
/** @import { SourceOptions } from '../../prepare.js' */

const INDENT = '   ';

/**
 * @param {SourceOptions} options
 * @param {string[]} given the rule or key, then paths
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 */
export async function run(options, given, surroundings) {
  const [name = '', ...paths] = given;
  const { rules } = await prepareRules(options, surroundings.cwd);
  // Text output shows `rule#outcome`: who types that wants the rule's page.
  const [id = '', outcome] = name.split('#');
  const rule = rules.find((candidate) => candidate.id === id);
  if (!rule) throw unknownRule(id, ruleIds(rules));
  if (outcome?.includes(':')) return explainFinding(name, rule, options, paths, surroundings);
  surroundings.stdout.write(renderRulePage(rule, lineWidth(surroundings.stdout)));
  return EXIT.CLEAN;
}

/**
 * @param {string} key
 * @param {Rule} rule
 * @param {SourceOptions} options
 * @param {string[]} paths
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 */
async function explainFinding(key, rule, options, paths, surroundings) {
  const { stdout, stderr } = surroundings;
  const prepared = await prepare(options, paths, surroundings);
  reportSources(prepared, { isDiscovery: false }, surroundings);
  const { links, ask, report, run: about, mask } = await analyze({ ...prepared, version: version() });
  const link = eachPlace(links).find(({ finding }) => finding.key === key);
  stderr.write(
    cutOffs(about)
      .map(({ path, reason }) => `${printable(`${path}: ${reason}`)}\n`)
      .join(''),
  );
  if (!link) {
    stderr.write(report.errors.map(describeError).join(''));
    throw new UserError('unknown-finding', `no finding with the key \`${key}\` in these files`, {
      hint: '`npx --no-install couch-advisor lint --verbose` prints the keys; use the same paths here',
    });
  }
  const { finding, subject } = link;
  const { file, line, column } = finding.place;
  const width = lineWidth(stdout);
  const lines = [
    `${finding.rule}#${finding.outcome}  ${file}:${line}:${column}`,
    ...wrap(finding.message, width),
    '',
    ...finding.path.flatMap((step) => describeStep(step, width)),
    `=> ${finding.outcome} (${finding.severity}, certainty ${finding.certainty})`,
    ...describeEvidence(rule.outcomes[finding.outcome]?.evidence ?? [], (id) => ask(subject, id), width),
  ];
  const flip = nearestFlip(rule, finding.path, (id) => ask(subject, id));
  if (flip) {
    const text = `Smallest change: if ${flip.fact} were ${flip.change}, the outcome would be ${flip.outcome}.`;
    lines.push('', ...wrap(text, width));
  }
  stdout.write(`${lines.map((line) => printable(mask.text(line))).join('\n')}\n`);
  return EXIT.CLEAN;
}

/**
 * @param {string[]} ids facts that the texts of the outcome name
 * @param {(id: string) => Fact} getFact
 * @param {number} width
 * @returns {string[]} each in full: proofs and counterexamples are there to be checked by hand
 */
function describeEvidence(ids, getFact, width) {
  if (ids.length === 0) return [];
  const facts = ids.flatMap((id) => {
    const fact = getFact(id);
    if (!isKnown(fact)) return [`${INDENT}${id}: unknown, ${fact.unknown}`];
    const { value } = fact;
    const lines = Array.isArray(value) ? value.map((item) => item.value) : [String(value)];
    return [
      `${INDENT}${id} (${fact.basis}):`,
      ...lines.flatMap((line) => wrap(line, width - 2 * INDENT.length).map((part) => INDENT + INDENT + part)),
    ];
  });
  return ['', 'Evidence:', ...facts];
}

/**
 * @param {Step} step
 * @param {number} width
 * @returns {string[]}
 */
function describeStep({ question, fact, value, basis, answer, operator, operand, because, reason, place }, width) {
  const shown = value === null ? `unknown: ${reason}` : Array.isArray(value) ? `[${value.join(', ')}]` : String(value);
  const where = place ? ` at ${place.file}:${place.line}:${place.column}` : '';
  const questionText = describeQuestion({ fact, operator: /** @type {Operator} */ (operator), value: operand });
  const [first = '', ...rest] = wrap(`${question}: ${questionText}? ${answer}`, width - INDENT.length);
  return [
    first,
    ...rest.map((line) => INDENT + line),
    ...wrap(`${fact} = ${shown} (${basis}${where})`, width - INDENT.length).map((line) => INDENT + line),
    ...wrap(`because ${because}`, width - INDENT.length).map((line) => INDENT + line),
  ];
}
