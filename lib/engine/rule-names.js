// Checks that the rules and questions that a user names exist.

import { nearest } from '../shared/nearest.js';
import { UserError } from '../shared/user-error.js';
import { familyOf, normalizeSelector, selectedIds } from './rule-selectors.js';

/** @import { Place } from '../shared/source-file.js' */
/** @import { Rule } from './rule.js' */
/** @import { OverrideEntry, RuleSettings } from './settings.js' */

/**
 * @param {object} wishes
 * @param {RuleSettings} wishes.rules
 * @param {OverrideEntry[]} wishes.overrides
 * @param {(pointer: (string | number)[]) => Place | undefined} [wishes.placeOf] where a part of them stands
 * @param {Rule[]} known
 * @throws {UserError} for the first rule that does not exist, or has no such threshold
 */
export function checkRuleNames({ rules, overrides, placeOf = () => undefined }, known) {
  const byId = new Map(known.map((rule) => [rule.id, rule]));
  const places = [
    { settings: rules, pointer: /** @type {(string | number)[]} */ (['rules']) },
    ...overrides.map((override, index) => ({
      settings: override.rules,
      pointer: ['overrides', index, 'rules'],
    })),
  ];
  for (const { settings, pointer } of places) {
    for (const [id, setting] of Object.entries(settings)) {
      const rule = byId.get(id);
      if (selectedIds(id, byId.keys()).length === 0) throw unknownRule(id, byId.keys(), placeOf([...pointer, id]));
      if (typeof setting === 'string') continue;
      for (const question of Object.keys(setting.thresholds ?? {})) {
        const names = rule ? thresholdsOf(rule) : [];
        if (names.includes(question)) continue;
        const guess = nearest(question, names);
        const none = rule ? 'the rule has no thresholds' : 'only single rules have thresholds';
        const list = names.length > 0 ? `thresholds: ${names.join(', ')}` : none;
        throw new UserError('unknown-threshold', `\`${id}\` has no threshold \`${question}\``, {
          place: placeOf([...pointer, id, 'thresholds', question]),
          hint: guess ? `did you mean \`${guess}\`?` : list,
        });
      }
    }
  }
}

/** @param {Rule} rule @returns {string[]} questions that compare a fact with a number */
function thresholdsOf({ questions }) {
  return Object.keys(questions).filter((name) => typeof questions[name]?.value === 'number');
}

/**
 * @param {string} id
 * @param {Iterable<string>} known
 * @param {Place} [place]
 * @returns {UserError}
 */
export function unknownRule(id, known, place) {
  const ids = [...known];
  // People often know one half of an id and not the other.
  const name = id.slice(id.indexOf('/') + 1);
  const families = new Set(ids.map(familyOf));
  const guess =
    nearest(id, [...ids, ...families]) ??
    ids.find((other) => other.endsWith(`/${name}`)) ??
    nearest(normalizeSelector(id), families);
  return new UserError('unknown-rule', `unknown rule \`${id}\``, {
    place,
    hint: guess ? `did you mean \`${guess}\`?` : '`npx --no-install couch-advisor rules` lists all rules',
  });
}
