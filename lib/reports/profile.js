// Builds the document of profiles of views: how the functions went, where an index build spends its time, the flame graph, functions, and the source with
// counts and times beside its lines.

import { noiseOf } from '../shared/noise.js';
import { countOf, formatBytes, formatCount, formatShare } from '../shared/units.js';
import { chart, code, list, notes, numbers, paragraph, section, span, table } from './document/blocks.js';

/** @import { Frame } from './charts/flame.js' */
/** @import { Chart, Document, Fact, Optional } from './document/blocks.js' */
/** @import { Conclusion } from '../measure/profile/conclude.js' */
/** @import { FunctionProfile, ProfiledLine, Span, ViewProfile } from '../measure/profile/profile.js' */

/** @typedef {ViewProfile & {conclusions: {map: Conclusion | undefined, reduce: Conclusion | undefined}}} ConcludedView */
/** @typedef {{root: Frame, isTimed: boolean, around: {role: string, share: number}[], kinds: string[]}} Flame */
/** What takes time in a call, in each engine. @typedef {{label: string, spans: (Span | undefined)[]}} Phase */

const ENGINES = { quickjs: 'QuickJS', v8: 'V8' };
/** Of functions, where room is short. */
const MAX_SHOWN = 12;
/** Longer sources are not shown whole. */
const MAX_LINES = 400;
const MAX_FAILURES = 5;

const HOW =
  'Median of several rounds in the sandbox; whiskers are the quartiles. Line times come from an instrumented run; the time of the probes is subtracted and the rest scaled to the run without probes. `< 3 %` is a share below the noise, half of what the quartiles differ by.';
/** share/server/views.js runReduce, CouchDB 3.5.0. */
const REDUCE_NOTE =
  'CouchDB recompiles a reduce for each call, which these times do not include; measure it with `--query-server`.';

/**
 * @param {ConcludedView[]} views
 * @param {{environment: Fact[], flames: Flame[]}} about `flames`: one for each view
 * @returns {Document}
 */
export function profileDocument(views, { environment, flames }) {
  return {
    title: 'couch-advisor profile',
    lead: `Cost of the functions of ${countOf(views.length, 'view')} by line, and of an index build without them.`,
    facts: environment,
    blocks: views.map(({ name, documents, notes: remarks, map, reduce, builtin, conclusions }, at) => {
      const flame = flames[at];
      return section(
        [span(name, 'strong'), ` (${countOf(documents, 'document')})`],
        remarks.length > 0 && notes(remarks),
        flame && flameChart(flame),
        functionSection(map, conclusions.map),
        reduce && functionSection(reduce, conclusions.reduce),
        builtin !== undefined &&
          paragraph(['reduce: ', code(builtin), ' is built in and runs in Erlang, not in a query server']),
      );
    }),
  };
}

/** @param {Flame} flame of one view @returns {Chart} */
export function flameChart({ root, isTimed, around, kinds }) {
  const shares = around.map(({ role, share }) => `${formatShare(share)} of a call of the ${role}`).join(', ');
  return chart('flame', {
    title: `Where the functions of ${root.name} spend their time`,
    root,
    kinds,
    format: isTimed ? formatNs : (/** @type {number} */ value) => countOf(Math.round(value), 'operation'),
    note: isTimed
      ? `The width is the time, measured in QuickJS. Not shown is the query server around them: ${shares}.`
      : 'The width is the number of operations in all calls.',
  });
}

/**
 * @param {FunctionProfile} profile
 * @param {Conclusion | undefined} conclusion
 * @returns {Optional}
 */
function functionSection(profile, conclusion) {
  const { role, name, fault, notRun, unmeasured, sources, queryServer } = profile;
  const place = sources[0]?.place;
  const title = [span(name, 'strong'), ...(place ? [', ', code(`${place.file}:${place.line}`)] : [])];
  if (fault !== undefined) return section(title, paragraph(`cannot be profiled: ${fault}`));
  const phases = conclusion ? phasesOf(profile, conclusion) : [];
  return section(
    title,
    conclusion && paragraph([span(`${capital(conclusion.sentence)}.`, 'strong')]),
    paragraph(outcomeOf(profile)),
    ...failuresOf(profile),
    notRun > 0 &&
      paragraph(`${countOf(notRun, 'call')} skipped: earlier calls did not return, or the time limit was reached`),
    unmeasured.length > 0 && notes(unmeasured.map((what) => `not measured: ${what}`)),
    ...(conclusion ? [phaseTable(profile, conclusion, phases), phaseChart(profile, phases)] : []),
    conclusion && queryServer && serverParagraph(role, queryServer),
    conclusion && role === 'reduce' && !queryServer && paragraph(REDUCE_NOTE),
    functionTable(profile),
    ...sourceTables(profile),
  );
}

/** @param {FunctionProfile} profile @returns {string} */
function outcomeOf({ role, inputs, notRun, rows, operations, inputCharacters, answerCharacters, longestAnswer }) {
  const called = inputs - notRun;
  const each = called > 0 ? Math.round(operations / called) : 0;
  const wrote = role === 'map' ? `${countOf(rows, 'row')} of ` : 'results of ';
  return `${countOf(called, 'call')}, ${formatBytes(inputCharacters)} of JSON in, ${wrote}${formatBytes(answerCharacters)} out, the longest result ${formatBytes(longestAnswer)}; ${countOf(each, 'operation')} per call`;
}

/** @param {FunctionProfile} profile @returns {Optional[]} */
function failuresOf({ failed, failures }) {
  if (failed === 0) return [];
  const shown = failures.slice(0, MAX_FAILURES);
  return [
    paragraph(`${countOf(failed, 'call')} failed:`),
    list([
      ...shown.map(({ input, kind, message }) => `${input}: ${kind === 'threw' ? `threw ${message}` : message}`),
      ...(failed > shown.length ? [`and ${formatCount(failed - shown.length)} more`] : []),
    ]),
  ];
}

/**
 * @param {FunctionProfile} profile
 * @param {Conclusion} conclusion
 * @returns {Phase[]}
 */
function phasesOf({ role, engines, pipe }, { calls }) {
  const isMap = role === 'map';
  return [
    {
      label: isMap ? 'read the document (JSON.parse)' : 'read the rows (JSON.parse)',
      spans: engines.map(({ phases }) => phases.parse),
    },
    ...(isMap ? [{ label: 'freeze the document', spans: engines.map(({ phases }) => phases.freeze) }] : []),
    { label: 'the function', spans: engines.map(({ phases }) => phases.run) },
    {
      label: isMap ? 'write the rows (JSON.stringify)' : 'write the result (JSON.stringify)',
      spans: engines.map(({ phases }) => phases.write),
    },
    ...(pipe ? [{ label: 'round trip through a pipe', spans: engines.map(() => pipe.ns) }] : []),
    { label: 'total', spans: calls.map(({ whole }) => whole) },
    { label: `with an empty ${role}`, spans: calls.map(({ empty }) => empty) },
  ];
}

/**
 * @param {FunctionProfile} profile
 * @param {Conclusion} conclusion
 * @param {Phase[]} phases
 * @returns {Optional}
 */
function phaseTable({ engines }, { calls }, phases) {
  const labels = engines.flatMap(({ engine }) => [ENGINES[engine], 'share']);
  return table({
    columns: ['time per call', ...numbers(...labels)],
    rows: phases.map(({ label, spans }) => [
      label,
      ...spans.flatMap((one, at) => [formatNs(one?.middle ?? 0), measuredShare(one?.middle ?? 0, calls[at]?.whole)]),
    ]),
  });
}

/** @param {FunctionProfile} profile @param {Phase[]} phases @returns {Optional} */
function phaseChart({ name, role, engines, queryServer }, phases) {
  const bar = (/** @type {Span | undefined} */ one) => {
    if (!one) return { value: undefined, text: '' };
    const { middle, low, high } = one;
    return { value: middle / 1000, low: low / 1000, high: high / 1000, text: formatNs(middle) };
  };
  const ofServer = queryServer
    ? [
        { label: queryServer.command, spans: [queryServer.ns] },
        { label: `${queryServer.command}, with an empty ${role}`, spans: [queryServer.floor] },
      ]
    : [];
  return chart(
    'bars',
    {
      title: `${name}: time per call`,
      axis: { label: 'time per call', unit: 'µs' },
      series: engines.length > 1 ? engines.map(({ engine }) => ENGINES[engine]) : [],
      rows: [...phases, ...ofServer].map(({ label, spans }) => ({ label, values: spans.map(bar) })),
    },
    HOW,
  );
}

/**
 * @param {FunctionProfile['role']} role
 * @param {NonNullable<FunctionProfile['queryServer']>} server
 * @returns {Optional}
 */
function serverParagraph(role, { command, ns, floor }) {
  const empty = floor ? `, with an empty ${role} ${formatNs(floor.middle)}` : '';
  return paragraph([code(command), `: ${formatNs(ns.middle)} per call, round trip${empty}`]);
}

/** @param {FunctionProfile} profile @returns {Optional} */
function functionTable({ functions, sources, operations, engines }) {
  const isTimed = engines.length > 0;
  const all = wholeOf(
    engines,
    functions.reduce((sum, { ownNs }) => sum + (ownNs ?? 0), 0),
  );
  const labels = ['calls', 'operations', 'share', ...(isTimed ? ['self time', 'total time'] : [])];
  return table({
    columns: ['function', ...numbers(...labels)],
    rows: functions.map(({ name, source, line, calls, operations: own, ownNs, totalNs }) => [
      [code(name), `, ${source === 0 ? '' : `${sources[source]?.name ?? ''} `}line ${line}`],
      formatCount(calls),
      formatCount(own),
      shareOf(own, operations),
      ...(isTimed ? [measuredShare(ownNs ?? 0, all), measuredShare(totalNs ?? 0, all)] : []),
    ]),
    most: MAX_SHOWN,
    noun: 'function',
  });
}

/** @param {FunctionProfile} profile @returns {Optional[]} */
function sourceTables({ name: about, sources, lines, engines }) {
  const isTimed = engines.length > 0;
  const all = wholeOf(
    engines,
    lines.reduce((sum, { ns }) => sum + (ns ?? 0), 0),
  );
  const cells = (/** @type {ProfiledLine | undefined} */ line) => [
    line ? formatCount(line.times) : '',
    line ? formatCount(line.operations) : '',
    ...(isTimed ? [line?.ns === undefined ? '' : measuredShare(line.ns, all)] : []),
  ];
  return sources.map(({ name, lines: texts }, source) => {
    const known = new Map(lines.flatMap((line) => (line.source === source ? [[line.line, line]] : [])));
    if (source > 0 && known.size === 0) return undefined;
    // Several views may require one module.
    const whose = source === 0 ? about : `${name}, in ${about}`;
    const labels = ['line', 'times', 'operations', ...(isTimed ? ['time'] : [])];
    return table({
      caption: `Source of ${whose}${texts.length > MAX_LINES ? `, the first ${MAX_LINES} of ${texts.length} lines` : ''}`,
      columns: [...numbers(...labels), { label: 'source', isCode: true }],
      rows: texts.slice(0, MAX_LINES).map((text, at) => [String(at + 1), ...cells(known.get(at + 1)), text]),
    });
  });
}

/** @param {string} text @returns {string} as a sentence begins */
function capital(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** @param {number} part @param {number} whole @returns {string} */
function shareOf(part, whole) {
  return whole > 0 ? formatShare(part / whole) : '';
}

/**
 * @param {number} part
 * @param {Span | undefined} whole
 * @returns {string} `7.6 %`; `< 3 %` where that is what the rounds of the whole differ by
 */
function measuredShare(part, whole) {
  if (!whole || whole.middle <= 0) return '';
  const noise = Math.min(1, noiseOf(whole));
  return part / whole.middle < noise ? `< ${formatShare(noise)}` : formatShare(part / whole.middle);
}

/**
 * @param {FunctionProfile['engines']} engines
 * @param {number} all nanoseconds of all lines
 * @returns {Span} the same, with the spread of the function's own times
 */
function wholeOf([engine], all) {
  const noise = engine ? noiseOf(engine.phases.run) : 0;
  return { middle: all, low: all * (1 - noise), high: all * (1 + noise) };
}

/**
 * @param {number} ns
 * @returns {string} `850 ns`, `12.3 µs`, `4.1 ms`
 */
function formatNs(ns) {
  if (ns < 1000) return `${Math.round(ns)} ns`;
  if (ns < 1e6) return `${(ns / 1000).toFixed(ns < 100_000 ? 1 : 0)} µs`;
  if (ns < 1e9) return `${(ns / 1e6).toFixed(ns < 1e8 ? 1 : 0)} ms`;
  return `${(ns / 1e9).toFixed(1)} s`;
}
