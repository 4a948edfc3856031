import { describe, expect, test } from 'vitest';
import { checkRuleNames, unknownRule } from '../../lib/engine/rule-names.js';
import { createSettings } from '../../lib/engine/settings.js';

/** @import { Rule } from '../../lib/engine/rule.js' */
/** @import { RuleSettings, Wishes } from '../../lib/engine/settings.js' */

const rule = /** @type {Rule} */ (
  /** @type {unknown} */ ({
    id: 'view/emit-whole-doc',
    severity: 'info',
    status: 'stable',
    questions: { copies: { value: 2 }, copied: { value: true } },
  })
);
const draft = /** @type {Rule} */ ({ ...rule, id: 'view/many-emits', status: 'draft', severity: 'warning' });

/** @param {Partial<Wishes>} wishes @param {(file: string) => string} [locate] */
const settingsOf = (wishes, locate) => createSettings({ target: { version: '3.5' }, ...wishes }, locate);

describe('the setting of a rule at a file', () => {
  const copies = (/** @type {number} */ value) => new Map([['copies', value]]);

  test.each(
    /** @type {[string, Partial<Wishes>, object][]} */ ([
      ['says nothing where nothing is said', {}, { severity: undefined, thresholds: undefined }],
      ['is a severity', { rules: { [rule.id]: 'error' } }, { severity: 'error' }],
      ['is that of the rule itself', { rules: { 'view/other': 'error' } }, { severity: undefined }],
      [
        'is severity and thresholds',
        { rules: { [rule.id]: { severity: 'off', thresholds: { copies: 3 } } } },
        { severity: 'off', thresholds: copies(3) },
      ],
      [
        'is that of an override',
        { rules: { [rule.id]: 'error' }, overrides: [{ files: ['ddocs/*'], rules: { [rule.id]: 'off' } }] },
        { severity: 'off' },
      ],
      [
        'is not that of an override of other files',
        { overrides: [{ files: ['old/*'], rules: { [rule.id]: 'off' } }] },
        { severity: undefined },
      ],
      [
        'is not that of an override of other rules',
        { overrides: [{ files: ['**'], rules: { 'view/other': 'off' } }] },
        { severity: undefined },
      ],
      [
        'is that of the last override that speaks of it, each part for itself',
        {
          rules: { [rule.id]: { severity: 'info', thresholds: { copies: 3, size: 1 } } },
          overrides: [
            { files: ['ddocs/*'], rules: { [rule.id]: 'error' } },
            { files: ['**/orders.json'], rules: { [rule.id]: { thresholds: { copies: 5 } } } },
          ],
        },
        {
          severity: 'error',
          thresholds: new Map([
            ['copies', 5],
            ['size', 1],
          ]),
        },
      ],
    ]),
  )('%s', (_, wishes, expected) => {
    expect(settingsOf(wishes).settingOf(rule, 'ddocs/orders.json')).toMatchObject(expected);
  });

  test('globs are matched with located paths', () => {
    const overrides = [{ files: ['ddocs/*'], rules: /** @type {RuleSettings} */ ({ [rule.id]: 'off' }) }];
    const { settingOf } = settingsOf({ overrides }, (file) => `ddocs/${file}`);
    expect(settingOf(rule, 'orders.json').severity).toBe('off');
    expect(settingOf(rule, 'old/orders.json').severity).toBe(undefined);
  });

  test('a draft that is named gets its own severity, unless another is set', () => {
    expect(settingsOf({}).settingOf(draft, 'orders.json').severity).toBe(undefined);
    expect(settingsOf({ only: [rule.id] }).settingOf(draft, 'orders.json').severity).toBe(undefined);
    expect(settingsOf({ only: [draft.id] }).settingOf(draft, 'orders.json').severity).toBe('warning');
    expect(
      settingsOf({ only: [draft.id], rules: { [draft.id]: 'off' } }).settingOf(draft, 'orders.json').severity,
    ).toBe('off');
    // A rule that is no draft keeps the severities of its outcomes.
    expect(settingsOf({ only: [rule.id] }).settingOf(rule, 'orders.json').severity).toBe(undefined);
  });
});

describe('an ignore', () => {
  const finding = {
    key: 'view/emit-whole-doc#copies:0123456789',
    subject: { kind: 'view', designDoc: '_design/orders', view: 'by_date' },
    place: { file: 'ddocs/orders.json', line: 1, column: 1 },
  };

  test.each([
    [{}, true, false],
    [{ designDoc: '_design/orders' }, true, true],
    [{ designDoc: 'orders' }, true, true],
    [{ designDoc: 'stock' }, false, false],
    [{ view: 'by_date' }, true, false],
    [{ view: 'by_town' }, false, false],
    [{ file: 'ddocs/**' }, true, true],
    [{ file: '*.json' }, false, false],
    [{ key: finding.key }, true, false],
    [{ key: 'view/emit-whole-doc#copies:9876543210' }, false, false],
    [{ designDoc: 'orders', view: 'by_town' }, false, true],
    [{ file: 'ddocs/*', designDoc: 'stock' }, false, false],
  ])('%j covers the finding: %s, is about it: %s', (entry, covers, isAbout) => {
    const [ignore] = settingsOf({ ignore: [{ rule: rule.id, reason: 'old', ...entry }] }).ignores;
    expect([ignore?.covers(finding), ignore?.isAbout(finding)]).toEqual([covers, isAbout]);
  });
});

describe('names', () => {
  test('of rules and thresholds that exist are fine', () => {
    const rules = /** @type {RuleSettings} */ ({ [rule.id]: { thresholds: { copies: 3 } } });
    expect(() => checkRuleNames({ rules, overrides: [{ files: ['*'], rules }] }, [rule])).not.toThrow();
  });

  test.each(
    /** @type {[string, RuleSettings, string, string, (string | number)[]][]} */ ([
      [
        'a rule',
        { 'view/emit-whole-dok': 'off' },
        'unknown-rule',
        'did you mean `view/emit-whole-doc`?',
        ['view/emit-whole-dok'],
      ],
      [
        'a rule by half its id',
        { 'emit-whole-doc': 'off' },
        'unknown-rule',
        'did you mean `view/emit-whole-doc`?',
        ['emit-whole-doc'],
      ],
      [
        'a rule like no other',
        { shop: 'off' },
        'unknown-rule',
        '`npx --no-install couch-advisor rules` lists all rules',
        ['shop'],
      ],
      [
        'a threshold',
        { [rule.id]: { thresholds: { copeis: 3 } } },
        'unknown-threshold',
        'did you mean `copies`?',
        [rule.id, 'thresholds', 'copeis'],
      ],
      [
        'a question without a number',
        { [rule.id]: { thresholds: { copied: 3 } } },
        'unknown-threshold',
        'did you mean `copies`?',
        [rule.id, 'thresholds', 'copied'],
      ],
      [
        'a threshold like no other',
        { [rule.id]: { thresholds: { size: 3 } } },
        'unknown-threshold',
        'thresholds: copies',
        [rule.id, 'thresholds', 'size'],
      ],
    ]),
  )('that do not exist are told with their place: %s', (_, rules, code, hint, pointer) => {
    const placeOf = (/** @type {(string | number)[]} */ path) => ({ file: path.join(' '), line: 1, column: 1 });
    const told = (/** @type {(string | number)[]} */ start) =>
      expect.objectContaining({
        code,
        hint,
        place: expect.objectContaining({ file: [...start, ...pointer].join(' ') }),
      });
    expect(() => checkRuleNames({ rules, overrides: [], placeOf }, [rule])).toThrow(told(['rules']));
    const overrides = [
      { files: ['*'], rules: {} },
      { files: ['*'], rules },
    ];
    expect(() => checkRuleNames({ rules: {}, overrides, placeOf }, [rule])).toThrow(told(['overrides', 1, 'rules']));
  });

  test('are guessed from what is known', () => {
    expect(unknownRule('veiw/emit-whole-doc', ['view/emit-whole-doc']).hint).toBe(
      'did you mean `view/emit-whole-doc`?',
    );
    expect(unknownRule('', ['view/emit-whole-doc']).hint).toBe(
      '`npx --no-install couch-advisor rules` lists all rules',
    );
  });
});
