// Draws a rule's decision tree as text.

/** @import { Operator, Question, Rule } from './rule.js' */

const USUAL_WIDTH = 100;
/** A branch far to the right still gets so many columns for its text. */
const MIN_TEXT = 30;

/** @type {Readonly<Record<Operator, string>>} */
export const OPERATOR_WORDS = {
  is: 'is',
  isOneOf: 'is one of',
  contains: 'contains',
  matches: 'matches',
  atLeast: 'at least',
  above: 'above',
  atMost: 'at most',
  below: 'below',
};

/**
 * @param {Rule} rule a sound rule
 * @param {number} [width] the most columns of a line
 * @returns {string} lines without a line feed at the end: questions with their facts, outcomes
 *   with severity or verdict and their message. A question that several branches lead to is drawn once. A branch for
 *   unknown facts is drawn where the rule has one.
 */
export function drawTree(rule, width = USUAL_WIDTH) {
  /** @type {string[]} */
  const lines = [];
  /** @type {Set<string>} */
  const drawn = new Set();

  /** @type {(id: string, head: string, below: string) => void} */
  const draw = (id, head, below) => {
    const question = rule.questions[id];
    if (!question) {
      lines.push(...wrapBehind(head, below, describeOutcome(rule, id), width));
      return;
    }
    if (drawn.has(id)) {
      lines.push(`${head}as at \`${id}\` above`);
      return;
    }
    drawn.add(id);
    lines.push(...wrapBehind(head, `${below}│  `, `${id}: ${describeQuestion(question)}?`, width));
    const branches = branchesOf(question);
    branches.forEach(([answer, next], index) => {
      const isLast = index === branches.length - 1;
      draw(next, `${below}${isLast ? '└─' : '├─'} ${answer}: `, `${below}${isLast ? '   ' : '│  '}`);
    });
  };

  draw(rule.start, '', '');
  return lines.map((line) => line.trimEnd()).join('\n');
}

/**
 * @param {Pick<Question, 'fact' | 'operator' | 'value'>} question
 * @returns {string} `view.emitCount above 1`
 */
export function describeQuestion({ fact, operator, value }) {
  if (value === true) return fact;
  return `${fact} ${OPERATOR_WORDS[operator]} ${Array.isArray(value) ? value.join(', ') : value}`;
}

/**
 * @param {Question} question
 * @returns {[string, string][]} answers and where they lead; answers that lead to one place together
 */
function branchesOf({ yes, no, unknown }) {
  /** @type {[string, string][]} */
  const branches = [
    ['yes', yes],
    ['no', no],
  ];
  if (unknown === undefined) return branches;
  const same = branches.find(([, next]) => next === unknown);
  if (same) same[0] += ' or unknown';
  else branches.push(['unknown', unknown]);
  return branches;
}

/**
 * @param {Rule} rule
 * @param {string} id
 * @returns {string} `copies (warning): …`
 */
function describeOutcome(rule, id) {
  const outcome = rule.outcomes[id];
  if (!outcome) return id;
  const kind = outcome.verdict === 'problem' ? (outcome.severity ?? rule.severity) : outcome.verdict;
  return `${id} (${kind}): ${outcome.message}`;
}

/**
 * @param {string} head what stands before the text in its first line
 * @param {string} below what stands before its further lines
 * @param {string} text
 * @param {number} width
 * @returns {string[]}
 */
function wrapBehind(head, below, text, width) {
  const rest = `${below}  `;
  /** @type {string[]} */
  const lines = [];
  let line = head;
  let isEmpty = true;
  for (const word of text.split(' ')) {
    const start = lines.length === 0 ? head : rest;
    const limit = Math.max(width, start.length + MIN_TEXT);
    if (!isEmpty && line.length + 1 + word.length > limit) {
      lines.push(line);
      line = rest;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}
