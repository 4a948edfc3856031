// Fills the texts of an outcome with the values of facts, made safe to show, and checks that texts keep the grammar.

import { isKnown } from '../facts/fact.js';
import { printable } from '../shared/printable.js';
import { formatBytes, formatMilliseconds, formatShare } from '../shared/units.js';

/** @import { Fact, FactType, Item } from '../facts/fact.js' */
/** @import { Outcome } from './rule.js' */

const PLACEHOLDER = /\{([a-z]+(?:\.[A-Za-z0-9]+)?)\}/g;

/** Before the name of a detail of an item: `{item.expected}`. */
const OF_ITEM = 'item.';

/** Longer values are cut: a message stays one line. */
const LONGEST_VALUE = 60;
/** In the texts below a message there is room for a sentence or two. */
export const LONGEST_IN_TEXT = 400;
/** Names of what a finding is about: a shape of query has many parts. */
const LONGEST_SUBJECT = 100;
const LONGEST_MESSAGE = 120;
const MAX_LISTED = 3;

/**
 * @param {string} template
 * @param {{subject: string, item?: Item | undefined, fact: (id: string) => {fact: Fact, type: FactType}}} values
 * @param {number} [longest] characters of a value that are kept
 * @returns {string}
 */
export function fillTemplate(template, { subject, item, fact }, longest = LONGEST_VALUE) {
  return template.replace(PLACEHOLDER, (_, name) => {
    if (name === 'subject') return formatText(subject, LONGEST_SUBJECT);
    if (name === 'item') return item ? formatText(item.value, LONGEST_MESSAGE) : '';
    if (name.startsWith(OF_ITEM)) return formatText(String(item?.detail?.[name.slice(OF_ITEM.length)] ?? ''));
    const found = fact(name);
    return formatFact(found.fact, found.type, longest);
  });
}

/**
 * @param {Fact} fact
 * @param {FactType} type
 * @param {number} [longest] characters that are kept
 * @returns {string} as a sentence shows it
 */
export function formatFact(fact, type, longest = LONGEST_VALUE) {
  if (!isKnown(fact)) return 'unknown';
  const { value } = fact;
  if (Array.isArray(value)) {
    const listed = value.slice(0, MAX_LISTED).map((item) => `\`${formatText(item.value)}\``);
    const rest = value.length - listed.length;
    return listed.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  }
  if (typeof value === 'number' && type === 'bytes') return formatBytes(value);
  if (typeof value === 'number' && type === 'ms') return formatMilliseconds(value);
  if (typeof value === 'number' && type === 'share') return formatShare(value);
  return formatText(String(value), longest);
}

/**
 * @param {string} text
 * @param {number} [longest] characters that are kept
 * @returns {string} one line without control characters
 */
export function formatText(text, longest = LONGEST_VALUE) {
  const line = printable(text.replace(/\s+/g, ' ').trim());
  // A cut between the halves of a pair would leave a lone surrogate.
  return line.length > longest ? `${line.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…` : line;
}

/**
 * @param {string} template
 * @returns {string[]} the names in braces, in order; `item` for each detail of it
 */
export function placeholdersOf(template) {
  return [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => (name.startsWith(OF_ITEM) ? 'item' : name));
}

/**
 * The grammar of texts that people read (CONTRIBUTING.md).
 * @param {Outcome} outcome
 * @returns {string[]} what breaks it
 */
export function grammarFaults(outcome) {
  /** @type {string[]} */
  const faults = [];
  if (outcome.message.length > LONGEST_MESSAGE) faults.push(`the message is longer than ${LONGEST_MESSAGE} characters`);
  if (outcome.message.includes('\n')) faults.push('the message has more than one line');
  if (/\bshould\b/i.test(outcome.message)) faults.push('the message says "should"; it says what was seen');
  if (/[{}]/.test(outcome.message.replace(PLACEHOLDER, '').replace(/`[^`]*`/g, ''))) {
    faults.push('the message has a brace that belongs to no placeholder');
  }
  if (/(?<!`)\{subject\}|\{subject\}(?!`)/.test(outcome.message))
    faults.push('the message has `{subject}` without backticks');
  if (/[.!]$/.test(outcome.message)) faults.push('the message ends like a sentence; it is none');
  if (outcome.verdict !== 'problem') return faults;
  if (!outcome.why) faults.push('a problem lacks its why');
  else if (!outcome.why.endsWith('.')) faults.push('the why does not end with a full stop');
  if (!outcome.advice) faults.push('a problem lacks its advice');
  else if (!/^[A-Z][a-z]+ .*\.$/s.test(outcome.advice)) {
    faults.push('the advice is no sentence that begins with a verb and ends with a full stop');
  }
  return faults;
}
