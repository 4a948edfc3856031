// Fills the texts of an outcome with the values of facts, made safe to show, and checks that texts keep the grammar.

import { isKnown } from '../facts/fact.js';
import { joinWords } from '../shared/join-words.js';
import { oneLine, printable } from '../shared/printable.js';
import { formatBytes, formatCount, formatMilliseconds, formatShare } from '../shared/units.js';

/** @import { Fact, FactType, Item } from '../facts/fact.js' */
/** @import { Outcome } from './rule.js' */

const PLACEHOLDER = /\{([a-z]+(?:\.[A-Za-z0-9]+)?)\}/g;

/** Before the name of a detail of an item: `{item.expected}`. */
const OF_ITEM = 'item.';

/** Longer values are cut: a message stays one line. */
const LONGEST_VALUE = 60;
/** In the texts below a message there is room for a sentence or two. */
export const LONGEST_IN_TEXT = 400;
/** Names of what a finding is about: a query pattern has many parts. */
const LONGEST_SUBJECT = 100;
const LONGEST_MESSAGE = 120;
const MAX_LISTED = 3;

/** What is counted in texts, behind a number and up to two words about it: `3 deleted documents`. */
const COUNTED =
  /^((?: (?!(?:of|in|on|to|for|and|or|from|with) )[a-z-]+){0,2} )(changes|characters|days|documents|groups|inserts|iterations|keys|nodes|passwords|processes|reads|requests|rows|shards|times|values|views|writes)\b/;

/**
 * @param {string} template
 * @param {{subject: string, item?: Item | undefined, fact: (id: string) => {fact: Fact, type: FactType}}} values
 * @param {number} [longest] characters of a value that are kept
 * @returns {string}
 */
export function fillTemplate(template, { subject, item, fact }, longest = LONGEST_VALUE) {
  // Every second part is the name of a placeholder.
  const parts = template.split(PLACEHOLDER);
  let isCode = false;
  return parts
    .map((part, at) => {
      if (at % 2 === 0) {
        // What stands in code is copied from there: no commas in numbers.
        if ((part.match(/`/g)?.length ?? 0) % 2 === 1) isCode = !isCode;
        return at > 0 && isOne(parts[at - 1] ?? '', fact) ? singular(part) : part;
      }
      if (part === 'subject') return formatText(subject, LONGEST_SUBJECT);
      if (part === 'item') return item ? formatText(item.value, LONGEST_MESSAGE) : '';
      if (part.startsWith(OF_ITEM)) return formatText(String(item?.detail?.[part.slice(OF_ITEM.length)] ?? ''));
      const found = fact(part);
      if (isCode && isKnown(found.fact) && found.type === 'count') return String(found.fact.value);
      return formatFact(found.fact, found.type, longest);
    })
    .join('');
}

/**
 * @param {string} name of a placeholder
 * @param {(id: string) => {fact: Fact}} getFact
 * @returns {boolean} whether it is filled with the number 1
 */
function isOne(name, getFact) {
  if (name === 'subject' || name === 'item' || name.startsWith(OF_ITEM)) return false;
  const { fact } = getFact(name);
  return isKnown(fact) && fact.value === 1;
}

/**
 * @param {string} text behind a number
 * @returns {string} for one: `1 request` not `1 requests`
 */
function singular(text) {
  return text.replace(COUNTED, (_, between, noun) => between + noun.replace(/(?<=process)es$|s$/, ''));
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
    const listed = value.slice(0, MAX_LISTED).map(formatItem);
    const rest = value.length - listed.length;
    return joinWords(rest > 0 ? [...listed, `${formatCount(rest)} more`] : listed);
  }
  if (typeof value === 'number' && type === 'bytes') return formatBytes(value);
  if (typeof value === 'number' && type === 'ms') return formatMilliseconds(value);
  if (typeof value === 'number' && type === 'share') return formatShare(value);
  if (typeof value === 'number') return formatCount(value);
  return formatText(String(value), longest);
}

/**
 * @param {Item} item
 * @returns {string} between backticks, unless it is words that may have some of their own
 */
export function formatItem({ value, isProse }) {
  const text = formatText(value);
  return isProse || text.includes('`') ? text : `\`${text}\``;
}

/**
 * @param {string} text
 * @param {number} [longest] characters that are kept
 * @returns {string} one line without control characters
 */
export function formatText(text, longest = LONGEST_VALUE) {
  return oneLine(printable(text.replace(/\s+/g, ' ').trim()), longest);
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
  if (/\bshould\b/i.test(outcome.message)) faults.push('the message says "should"; state what was found instead');
  if (/[{}]/.test(outcome.message.replace(PLACEHOLDER, '').replace(/`[^`]*`/g, ''))) {
    faults.push('the message has a brace outside a placeholder');
  }
  if (/(?<!`)\{subject\}|\{subject\}(?!`)/.test(outcome.message))
    faults.push('the message has `{subject}` without backticks');
  if (/[.!]$/.test(outcome.message)) faults.push('the message ends with punctuation');
  if (outcome.verdict !== 'problem') return faults;
  if (!outcome.why) faults.push('a problem needs a `why`');
  else if (!outcome.why.endsWith('.')) faults.push('`why` must end with a period');
  if (!outcome.advice) faults.push('a problem needs `advice`');
  else if (!/^[A-Z][a-z]+ .*\.$/s.test(outcome.advice)) {
    faults.push('`advice` must start with a verb and end with a period');
  }
  return faults;
}
