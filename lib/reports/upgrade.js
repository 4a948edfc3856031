// Builds the document of an upgrade: what breaks, changes and improves, as a check list in the order in which it is done.

import { joinWords } from '../shared/join-words.js';
import { countOf } from '../shared/units.js';
import { checkList, code, folded, list, NONE, notes, section, span, table } from './document/blocks.js';
import { describeTargetSource } from './report.js';

/** @import { Severity } from '../engine/findings/finding.js' */
/** @import { Target } from '../facts/fact.js' */
/** @import { Place } from '../shared/source-file.js' */
/** @import { Document, Inline, Item, Optional } from './document/blocks.js' */

/**
 * @typedef {object} CheckItem One thing to look at, and what was found of it here.
 * @property {string} id
 * @property {string} [since] the first release that has the change
 * @property {'breaks' | 'silent' | 'better' | 'first' | 'deprecated' | 'skip'} kind
 * @property {'before' | 'during' | 'after'} phase
 * @property {Severity} severity
 * @property {string} title
 * @property {string} advice
 * @property {string[]} commands
 * @property {string} source
 * @property {string[]} triedOn versions of CouchDB
 * @property {string} [notTried] why there are none
 * @property {'found' | 'clear' | 'lacking' | 'by-hand'} state
 * @property {{text: string, place?: Place, key?: string}[]} evidence
 * @property {string} [reason] why it was not looked for
 */

/**
 * @typedef {object} Upgrade
 * @property {Target} from with the whole version
 * @property {Target} to
 * @property {CheckItem[]} items in the order in which they are worked through
 * @property {{section: string, key: string, before: string, after: string, isSet: boolean}[]} defaults that differ
 */

/** @type {[CheckItem['phase'], string][]} */
const PHASES = [
  ['before', 'Before the upgrade'],
  ['during', 'During the upgrade'],
  ['after', 'After the upgrade'],
];

/** @type {Record<CheckItem['kind'], [word: string, style: import('./document/blocks.js').Style]>} */
const WORDS = {
  first: ['first', 'warning'],
  skip: ['skip', 'warning'],
  breaks: ['breaks', 'bad'],
  silent: ['changes', 'warning'],
  better: ['better', 'good'],
  deprecated: ['deprecated', 'muted'],
};

/** So many places of one item are listed; all are in the JSON. */
const MAX_PLACES = 5;

/**
 * @param {Upgrade} upgrade
 * @returns {Document}
 */
export function upgradeDocument({ from, to, items, defaults }) {
  const listed = items.filter(({ state }) => state === 'found' || state === 'by-hand');
  const clear = items.filter(({ state }) => state === 'clear');
  return {
    title: 'couch-advisor upgrade',
    mark: 'couch-advisor upgrade',
    lead: summarize(items),
    facts: [
      { name: 'from', value: describeTarget(from, '--from') },
      { name: 'to', value: describeTarget(to, '--to') },
    ],
    blocks: [
      ...PHASES.map(([phase, title]) => {
        const steps = listed.filter((item) => item.phase === phase);
        return steps.length > 0 && section(title, checkList(steps.map(describeItem)));
      }),
      notChecked(items),
      clear.length > 0 &&
        folded(
          `${countOf(clear.length, 'change')} looked for and not found here`,
          list(clear.map(({ title }) => title)),
        ),
      defaultsTable(defaults),
    ],
  };
}

/** @param {Upgrade} upgrade @returns {unknown} */
export function upgradeJson(upgrade) {
  return { version: 1, ...upgrade };
}

/** @param {CheckItem[]} items @returns {string} */
function summarize(items) {
  const found = items.filter(({ state }) => state === 'found');
  const count = (/** @type {CheckItem['kind']} */ kind) => found.filter((item) => item.kind === kind).length;
  const parts = [
    /** @type {const} */ ([count('breaks'), 'breaks something here', 'break something here']),
    /** @type {const} */ ([count('silent'), 'changes results or settings', 'change results or settings']),
    /** @type {const} */ ([count('better'), 'improves something', 'improve something']),
    /** @type {const} */ ([count('first'), 'comes first', 'come first']),
    /** @type {const} */ ([count('deprecated'), 'is a deprecation', 'are deprecations']),
  ].flatMap(([number, one, many]) => (number === 0 ? [] : [`${number} ${number === 1 ? one : many}`]));
  const byHand = items.filter(({ state }) => state === 'by-hand').length;
  const rest = items.filter(({ state }) => state === 'lacking').length;
  const shown = parts.length === 0 ? 'No change was found to matter here.' : `Of the changes, ${joinWords(parts)}.`;
  return `${shown} ${countOf(byHand, 'check')} by hand, ${rest} not checked.`;
}

/** @param {Target} target @param {string} option that names it @returns {Inline} */
function describeTarget(target, option) {
  const sources = { option: `as ${option} says`, default: 'the newest release' };
  const source = sources[/** @type {keyof typeof sources} */ (target.source)] ?? describeTargetSource(target);
  return [`CouchDB ${target.version}`, target.engine, source].filter((part) => part).join(', ');
}

/** @param {CheckItem} item @returns {Item} */
function describeItem({ kind, title, advice, commands, evidence, reason, since, source, triedOn, notTried, state }) {
  const [word, style] = WORDS[kind];
  const rest = evidence.length - MAX_PLACES;
  const tried = triedOn.length > 0 ? `; tried on ${joinWords(triedOn)}` : notTried ? `; not tried: ${notTried}` : '';
  return {
    item: [span(word, style), ` ${title}`],
    below: [
      ...evidence
        .slice(0, MAX_PLACES)
        .map(
          ({ text, place }) =>
            /** @type {Inline} */ ([
              ...(place ? [span(`${place.file}:${place.line}:${place.column}`, 'code'), ' '] : []),
              text,
            ]),
        ),
      ...(rest > 0 ? [span(`${rest} more`, 'muted')] : []),
      advice,
      ...commands.map(code),
      ...(state === 'by-hand' ? [`check by hand: ${reason}`] : []),
      span(`${since === undefined ? '' : `since ${since}: `}${source}${tried}`, 'muted'),
    ],
  };
}

/** @param {CheckItem[]} items @returns {Optional} */
function notChecked(items) {
  /** @type {Map<string, string[]>} */
  const byReason = new Map();
  for (const { state, reason = '', title } of items) {
    if (state === 'lacking') byReason.set(reason, [...(byReason.get(reason) ?? []), title]);
  }
  if (byReason.size === 0) return undefined;
  return section(
    'Not checked',
    notes(
      [...byReason].map(([reason, titles]) => `${reason} (${titles.join('; ')})`),
      'unknown',
    ),
  );
}

/** @param {Upgrade['defaults']} defaults @returns {Optional} */
function defaultsTable(defaults) {
  if (defaults.length === 0) return undefined;
  return folded(
    `${countOf(defaults.length, 'default')} of the configuration differ`,
    table({
      columns: ['option', 'before', 'after', 'here'],
      rows: defaults.map((one) => [
        code(`[${one.section}] ${one.key}`),
        one.before,
        one.after,
        one.isSet ? 'set: nothing changes' : NONE,
      ]),
    }),
  );
}
