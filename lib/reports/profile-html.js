// Renders profiles of views as one page with pictures: where an index build spends its time, the flame graph,
// functions, and the source with counts and times beside its lines.

import { formatBytes, formatShare } from '../shared/units.js';
import { barChart, figure, flameGraph, formatNumber, list, paragraph, renderPage, table } from './charts/index.js';
import { formatNs, REDUCE_NOTE } from './profile-text.js';
import { countOf } from './report.js';

/** @import { Frame } from './charts/flame.js' */
/** @import { PageSection } from './charts/page.js' */
/** @import { Conclusion } from '../measure/profile/conclude.js' */
/** @import { EngineTimes, FunctionProfile, Span } from '../measure/profile/profile.js' */
/** @import { ConcludedView } from './profile-text.js' */

/** @typedef {{root: Frame, isTimed: boolean, around: {role: string, share: number}[], kinds: string[]}} Flame */

const ENGINES = { quickjs: 'QuickJS', v8: 'V8' };
/** How wide a picture is that stands alone. */
const WIDTH = 1000;
/** Longer sources are not shown whole. */
const MAX_LINES = 400;
const MAX_FAILURES = 20;

const HOW =
  'Median of several rounds in the sandbox; whiskers are the quartiles. Line times come from an instrumented run; the time of the probes is subtracted and the rest scaled to the run without probes.';

/**
 * @param {Flame} flame of one view
 * @param {{id: string, width?: number}} picture
 * @returns {string} an `<svg>`
 */
export function renderFlame({ root, isTimed, around, kinds }, { id, width = WIDTH }) {
  const shares = around.map(({ role, share }) => `${formatShare(share)} of a call of the ${role}`).join(', ');
  return flameGraph({
    id,
    width,
    title: `Where the functions of ${root.name} spend their time`,
    root,
    kinds,
    format: isTimed ? formatNs : (value) => countOf(Math.round(value), 'operation'),
    note: isTimed
      ? `The width is the time, measured in QuickJS. Not shown is the query server around them: ${shares}.`
      : 'The width is the number of operations in all calls.',
  });
}

/**
 * @param {ConcludedView[]} views
 * @param {{environment: string[], flames: Flame[]}} about `flames`: one for each view
 * @returns {string}
 */
export function renderProfilePage(views, { environment, flames }) {
  return renderPage({
    title: 'couch-advisor profile',
    lead: `Cost of the functions of ${countOf(views.length, 'view')} by line, and of an index build without them.`,
    facts: environment.map((line) => {
      const [name = '', ...value] = line.split(':');
      return { name: name.trim(), value: value.join(':').trim() };
    }),
    sections: views.flatMap((view, at) => sectionsOf(view, at, flames[at])),
  });
}

/**
 * @param {ConcludedView} view
 * @param {number} at
 * @param {Flame | undefined} flame
 * @returns {PageSection[]}
 */
function sectionsOf({ name, documents, notes, map, reduce, builtin, conclusions }, at, flame) {
  /** @type {PageSection[]} */
  const sections = [];
  if (flame) {
    const draw = (/** @type {{id: string, width: number}} */ size) => renderFlame(flame, size);
    const about = [`Run on ${countOf(documents, 'document')}`, ...notes].join('; ');
    sections.push({ title: name, blocks: [paragraph(`${about}.`), figure(`v${at}-flame`, draw)] });
  }
  sections.push(sectionOf(map, conclusions.map, `v${at}m`));
  if (reduce) sections.push(sectionOf(reduce, conclusions.reduce, `v${at}r`));
  if (builtin !== undefined) {
    const text = `The reduce is \`${builtin}\`: it is built in and runs in Erlang, not in a query server.`;
    sections.push({ title: `${name} reduce`, blocks: [paragraph(text)] });
  }
  return sections;
}

/**
 * @param {FunctionProfile} profile
 * @param {Conclusion | undefined} conclusion
 * @param {string} id
 * @returns {PageSection}
 */
function sectionOf(profile, conclusion, id) {
  const { name, fault, failures, failed, notRun, unmeasured, functions } = profile;
  if (fault !== undefined) return { title: name, blocks: [paragraph(`Cannot be profiled: ${fault}`)] };
  return {
    title: name,
    blocks: [
      conclusion && paragraph(`${conclusion.sentence[0]?.toUpperCase()}${conclusion.sentence.slice(1)}.`),
      paragraph(outcomeOf(profile)),
      failed > 0 && paragraph(`${countOf(failed, 'call')} failed:`),
      failed > 0 && list(failures.slice(0, MAX_FAILURES).map((one) => `${one.input}: ${one.kind}, ${one.message}`)),
      notRun > 0 &&
        paragraph(`${countOf(notRun, 'call')} skipped: earlier calls did not return, or the time limit was reached.`),
      unmeasured.length > 0 && list(unmeasured.map((what) => `Not measured: ${what}`)),
      conclusion && figure(`${id}-phases`, (size) => phaseChart(profile, conclusion, size), HOW),
      profile.role === 'reduce' && !profile.queryServer && paragraph(`${REDUCE_NOTE.replace(/--\S+/, '`$&`')}.`),
      functions.length > 0 && functionTable(profile),
      ...sourceTables(profile),
    ],
  };
}

/**
 * @param {FunctionProfile} profile
 * @returns {string}
 */
function outcomeOf({
  role,
  inputs,
  notRun,
  rows,
  operations,
  inputCharacters,
  answerCharacters,
  longestAnswer,
  sources,
}) {
  const place = sources[0]?.place;
  const called = inputs - notRun;
  return [
    place ? `\`${place.file}:${place.line}\`: ` : '',
    `${countOf(called, 'call')}, ${formatBytes(inputCharacters)} of JSON in, `,
    role === 'map' ? `${countOf(rows, 'row')} of ` : '',
    `${formatBytes(answerCharacters)} out, the longest result ${formatBytes(longestAnswer)}; `,
    `${formatNumber(called > 0 ? operations / called : 0)} operations per call.`,
  ].join('');
}

/**
 * @param {FunctionProfile} profile
 * @param {Conclusion} conclusion
 * @param {{id: string, width: number}} size
 * @returns {string}
 */
function phaseChart({ role, engines, pipe, queryServer, name }, { calls }, size) {
  const isMap = role === 'map';
  const bar = (/** @type {Span | undefined} */ span) => {
    if (!span) return { value: undefined, text: '' };
    const { middle, low, high } = span;
    return { value: middle / 1000, low: low / 1000, high: high / 1000, text: formatNs(middle) };
  };
  const row = (/** @type {string} */ label, /** @type {(engine: EngineTimes) => Span} */ take) => ({
    label,
    values: engines.map((engine) => bar(take(engine))),
  });
  return barChart({
    ...size,
    title: `${name}: time per call`,
    axis: { label: 'time per call', unit: 'µs' },
    series: engines.length > 1 ? engines.map(({ engine }) => ENGINES[engine]) : [],
    rows: [
      row(isMap ? 'read the document (JSON.parse)' : 'read the rows (JSON.parse)', ({ phases }) => phases.parse),
      ...(isMap ? [row('freeze the document', ({ phases }) => phases.freeze)] : []),
      row('the function', ({ phases }) => phases.run),
      row(
        isMap ? 'write the rows (JSON.stringify)' : 'write the result (JSON.stringify)',
        ({ phases }) => phases.write,
      ),
      ...(pipe ? [row('round trip through a pipe', () => pipe.ns)] : []),
      { label: 'total', values: calls.map(({ whole }) => bar(whole)) },
      { label: `with an empty ${role}`, values: calls.map(({ empty }) => bar(empty)) },
      ...(queryServer
        ? [
            { label: queryServer.command, values: [bar(queryServer.ns)] },
            { label: `${queryServer.command}, with an empty ${role}`, values: [bar(queryServer.floor)] },
          ]
        : []),
    ],
  });
}

/**
 * @param {FunctionProfile} profile
 */
function functionTable({ name: about, functions, sources, operations, engines }) {
  const isTimed = engines.length > 0;
  const all = functions.reduce((sum, { ownNs }) => sum + (ownNs ?? 0), 0);
  const numbers = ['calls', 'operations', 'share', ...(isTimed ? ['self time', 'total time'] : [])];
  return table({
    caption: `Functions of ${about}`,
    columns: [{ label: 'function' }, ...numbers.map((label) => ({ label, isNumber: true }))],
    rows: functions.map(({ name, source, line, calls, operations: own, ownNs, totalNs }) => [
      `\`${name.replaceAll('`', "'")}\`, ${source === 0 ? '' : `${sources[source]?.name ?? ''} `}line ${line}`,
      formatNumber(calls),
      formatNumber(own),
      shareOf(own, operations),
      ...(isTimed ? [shareOf(ownNs ?? 0, all), shareOf(totalNs ?? 0, all)] : []),
    ]),
  });
}

/**
 * @param {FunctionProfile} profile
 */
function sourceTables({ name: about, sources, lines, engines }) {
  const isTimed = engines.length > 0;
  const all = lines.reduce((sum, { ns }) => sum + (ns ?? 0), 0);
  return sources.flatMap(({ name, lines: texts }, source) => {
    const known = new Map(lines.flatMap((line) => (line.source === source ? [[line.line, line]] : [])));
    if (source > 0 && known.size === 0) return [];
    // Several views may require one module.
    const whose = source === 0 ? about : `${name}, in ${about}`;
    const numbers = ['line', 'times', 'operations', ...(isTimed ? ['time'] : [])];
    return table({
      caption: `Source of ${whose}${texts.length > MAX_LINES ? `, the first ${MAX_LINES} lines` : ''}`,
      columns: [...numbers.map((label) => ({ label, isNumber: true })), { label: 'source', isCode: true }],
      rows: texts.slice(0, MAX_LINES).map((text, at) => {
        const line = known.get(at + 1);
        return [
          at + 1,
          line ? formatNumber(line.times) : '',
          line ? formatNumber(line.operations) : '',
          ...(isTimed ? [line?.ns === undefined ? '' : shareOf(line.ns, all)] : []),
          text,
        ];
      }),
    });
  });
}

/**
 * @param {number} part
 * @param {number} whole
 * @returns {string}
 */
function shareOf(part, whole) {
  return whole > 0 ? formatShare(part / whole) : '';
}
