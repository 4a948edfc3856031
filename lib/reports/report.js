// Defines what every report is made of, and the few sentences that several of them share. Renderers turn a report into a
// string: they print nothing, read nothing, and neither sort nor judge.

import { samePlaces } from '../engine/findings/finding.js';
import { joinWords } from '../shared/join-words.js';
import { firstAddress } from '../shared/page-address.js';
import { countOf, formatCount, formatMilliseconds, formatShare, threeDigits } from '../shared/units.js';

/** @import { Plan } from '../advise/plan.js' */
/** @import { Document } from './document/blocks.js' */
/** @import { BelowThreshold } from '../engine/below-threshold.js' */
/** @import { RunDetails } from '../engine/details.js' */
/** @import { Target } from '../facts/fact.js' */
/** @import { Cost, Finding, FindingSubject, MeasuredVerdict, Severity } from '../engine/findings/finding.js' */
/** @import { UnseenReceiver } from '../sources/application/unseen.js' */
/** @import { ReadCounts } from '../sources/count-records.js' */
/** @import { Place, SourceFile, TextEdit } from '../shared/source-file.js' */

/**
 * @typedef {object} UnreadSource Something that could not be read.
 * @property {string} code
 * @property {string} message
 * @property {Place} [place]
 * @property {string} [hint]
 */

/** @typedef {{rule: string, subject: FindingSubject, fact: string, words?: string, reason: string}} OpenQuestion what a rule could not determine;
 *  `words`: what the fact says, for people */
/** Open questions that something which was not given would answer. @typedef {{source: 'logs' | 'documents' | 'server', questions: number}} Wanted */
/** @typedef {{id: string, title: string, severity: Severity, page?: string, docs?: string, saves?: number}} RuleSummary `page`: of a
 *  bundled rule, the address of its own page or the path of that in the package; `docs`: the address of the first page that it rests on; `saves`: as in
 *  rules/rule.schema.json */

/**
 * @typedef {object} Report
 * @property {1} version of this shape
 * @property {{version: string}} tool
 * @property {Target} target the CouchDB version that was judged for
 * @property {Finding[]} findings in the order they are shown in
 * @property {UnreadSource[]} errors
 * @property {{path: string, reason: string}[]} notes what was skipped, and why
 * @property {OpenQuestion[]} cannotTell
 * @property {Wanted[]} [wanted]
 * @property {BelowThreshold[]} [below] queries of logs that are near to a threshold, the nearest first
 * @property {ReadCounts} read
 * @property {UnseenReceiver[]} [unseen] receivers of calls that look like those of a client and were not judged
 * @property {{ignored: number, baseline: number, refuted?: number, quiet?: number}} silenced findings that are not among `findings`
 * @property {Map<string, SourceFile>} sources by path, for code frames
 * @property {RuleSummary[]} rules those that ran
 * @property {Severity | 'never'} failOn from which severity on the run fails
 * @property {Map<string, TextEdit[]>} [edits] by key of the finding: what its fix would change
 * @property {RunDetails} [details] what only a page has room for
 * @property {Plan} [plan] the changes that are worth making for the logs, as `advise` finds them; only the page shows it
 * @property {Document} [change] what holds only its new findings here; only the page shows it
 * @property {string} [madeAt] when, ISO 8601: reports that are kept show it
 */

/**
 * @typedef {object} RenderOptions
 * @property {boolean} [color]
 * @property {number} [width] columns of the terminal
 * @property {boolean} [verbose] list what is unknown, and the key of each finding
 * @property {boolean} [quiet] leave out the summary where the rest can stand alone
 */

/** @typedef {{error: number, warning: number, info: number}} SeverityCounts */

/** So many of the places of a finding are listed where room is short. */
export const MAX_PLACES = 5;

/** What a user adds so that more can be answered. @type {Record<Wanted['source'], {what: string, option: string}>} */
const SUPPLIED_BY = {
  logs: { what: 'a query log', option: '--log FILE' },
  documents: { what: 'documents', option: '--docs FILE' },
  server: { what: 'a server', option: '--url URL' },
};

/** What names the version, where that is no file. @type {Partial<Record<NonNullable<Target['source']>, string>>} */
const TARGET_SOURCES = {
  option: 'as --target says',
  server: 'as the server says',
  default: 'the newest known: --target names another',
};

/** @type {Record<Severity, number>} */
const RANK = { info: 1, warning: 2, error: 3 };

/**
 * @param {Finding[]} findings
 * @returns {SeverityCounts}
 */
export function countSeverities(findings) {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  return counts;
}

/**
 * @param {Pick<Finding, 'severity'>} finding
 * @param {Report['failOn']} failOn
 * @returns {boolean} whether this finding makes the run fail
 */
export function isFailing(finding, failOn) {
  return failOn !== 'never' && RANK[finding.severity] >= RANK[failOn];
}

/**
 * @param {SeverityCounts} counts
 * @returns {string} `3 errors, 1 warning`, `no problems`; severities without findings are left out
 */
export function describeCounts(counts) {
  const parts = [];
  if (counts.error > 0) parts.push(countOf(counts.error, 'error'));
  if (counts.warning > 0) parts.push(countOf(counts.warning, 'warning'));
  if (counts.info > 0) parts.push(countOf(counts.info, 'info'));
  return parts.length > 0 ? parts.join(', ') : 'no problems';
}

/**
 * @param {Report['read']} read
 * @returns {string} `4 design documents (12 views, 3 files)`, `2 databases, 4 design documents (12 views) and 300 logged requests`
 */
export function describeRead({ designDocs, views, files, calls = 0, requests, databases, databasesInFull }) {
  const others = [];
  if (calls > 0) others.push(countOf(calls, 'call'));
  if (requests !== undefined) others.push(countOf(requests, 'logged request'));
  if (databases !== undefined) {
    // A server whose databases were not read, or have none of these: its configuration is what was judged.
    const some = databasesInFull === undefined ? '' : ` (${formatCount(databasesInFull)} read in full)`;
    const parts = databases === 0 ? ['the server'] : [`${countOf(databases, 'database')}${some}`];
    if (designDocs > 0) parts.push(`${countOf(designDocs, 'design document')} (${countOf(views, 'view')})`);
    return joinWords([...parts, ...others]);
  }
  if (designDocs > 0) {
    const parts = `${countOf(views, 'view')}, ${countOf(files, 'file')}`;
    return joinWords([`${countOf(designDocs, 'design document')} (${parts})`, ...others]);
  }
  return joinWords(files === 0 && others.length > 0 ? others : [countOf(files, 'file'), ...others]);
}

/**
 * @param {Report} report
 * @returns {string} the whole run in one line: what was found in what, what can be fixed, what was kept back
 */
export function summarize({ findings, errors, read, silenced }) {
  const none = errors.length > 0 ? 'no findings' : silenced.quiet ? 'no errors' : 'no problems';
  const found = findings.length === 0 ? none : describeCounts(countSeverities(findings));
  const isUnread = errors.length > 0 && read.files === 0 && !read.requests && read.databases === undefined;
  if (isUnread) return 'nothing could be read';
  // Code that names a client, and no call in it: whether there are problems is not known.
  const hasNothing = read.files === 0 && !read.requests && read.databases === undefined;
  if (hasNothing && read.clientFiles)
    return `no call of a known client in ${countOf(read.clientFiles, 'file')} that ${read.clientFiles === 1 ? 'names' : 'name'} one`;
  const parts = [`${found} in ${describeRead(read)}`];
  if (errors.length > 0) parts.push(countOf(errors.length, 'read error'));
  const safe = findings.filter(({ fix }) => fix?.safe === true).length;
  const unsafe = findings.filter(({ fix }) => fix?.safe === false).length;
  const fixable = [];
  if (safe > 0) fixable.push(`${safe} can be fixed with --fix`);
  if (unsafe > 0) fixable.push(`${unsafe} ${safe > 0 ? 'more' : 'can be fixed'} with --fix-unsafe`);
  if (fixable.length > 0) parts.push(fixable.join(', '));
  const kept = [];
  if (silenced.ignored > 0) kept.push(`${silenced.ignored} ignored`);
  if (silenced.baseline > 0) kept.push(`${silenced.baseline} in the baseline`);
  if (silenced.refuted) kept.push(`${silenced.refuted} refuted by measurement`);
  if (silenced.quiet) kept.push(`${silenced.quiet} hidden by --quiet`);
  if (kept.length > 0) parts.push(kept.join(', '));
  return parts.join('; ');
}

/**
 * @param {Target} target
 * @returns {string} what names its version: `as docker-compose.yml says`; raw, empty where the caller chose it
 */
export function describeTargetSource({ source, file = 'the configuration' }) {
  return source === undefined ? '' : (TARGET_SOURCES[source] ?? `as ${file} says`);
}

/**
 * @param {Target} target
 * @returns {string} `CouchDB 3.3.3, as docker-compose.yml says`; raw
 */
export function describeTarget(target) {
  return [`CouchDB ${target.version}`, describeTargetSource(target)].filter((part) => part !== '').join(', ');
}

/**
 * @param {Report['read']} read
 * @returns {string} what is unknown of the calls, and how many were not judged; empty where nothing is
 */
export function describeUnknown({ calls = 0, unknown, unseen = 0 }) {
  const parts = unknown
    ? [
        ['place', unknown.place],
        ['database', unknown.database],
        ['loop', unknown.loop],
      ].flatMap(([what, count]) => (count ? `the ${what} of ${formatCount(Number(count))}` : []))
    : [];
  const verb = parts.length > 1 ? 'are' : 'is';
  const sentences = parts.length > 0 ? [`of ${countOf(calls, 'call')}, ${joinWords(parts)} ${verb} unknown`] : [];
  if (unseen > 0)
    sentences.push(`${countOf(unseen, calls > 0 ? 'more call' : 'call')} not judged: the client is unknown`);
  return sentences.join('; ');
}

/**
 * @param {Report['wanted']} wanted
 * @returns {string[]} `3 need documents: --docs FILE`
 */
export function describeWanted(wanted = []) {
  return wanted.map(({ source, questions }) => {
    const { what, option } = SUPPLIED_BY[source];
    return `${formatCount(questions)} ${questions === 1 ? 'needs' : 'need'} ${what}: ${option}`;
  });
}

/**
 * @param {FindingSubject} subject
 * @returns {string} `view by_date of _design/orders`; raw, to be escaped by the caller that shows it
 */
export function describeSubject({ kind, name, designDoc, view }) {
  const own = kind === 'view' ? (view ?? name) : (name ?? view);
  const label = kind.replace('-', ' ');
  if (kind === 'design-doc') return `${label} ${designDoc ?? name ?? ''}`.trim();
  const parts = [own === undefined ? label : `${label} ${own}`];
  if (designDoc !== undefined) parts.push(`of ${designDoc}`);
  return parts.join(' ');
}

/**
 * @param {Finding} finding
 * @returns {string} `2 more places: ddocs/orders.json:4:10, ddocs/orders.json:5:12`; empty where it has one place. For reports that
 *   have no room for a list
 */
export function describeSamePlaces(finding) {
  const places = samePlaces(finding);
  if (places.length === 0) return '';
  const listed = places.slice(0, MAX_PLACES).map(({ place: { file, line, column } }) => `${file}:${line}:${column}`);
  const rest = places.length > listed.length ? ', …' : '';
  return `${countOf(places.length, 'more place')}: ${listed.join(', ')}${rest}`;
}

/**
 * @param {Finding} finding
 * @param {Map<string, RuleSummary>} rules by id
 * @returns {string | undefined} the address to read more at: the rule's own page, else the first page it rests on
 */
export function docsOf(finding, rules) {
  const rule = rules.get(finding.rule);
  return firstAddress([rule?.page, rule?.docs, ...finding.sources]);
}

/**
 * @param {Cost} cost
 * @returns {string} `35.2 s in 120 requests (12 a minute), 17 % of the request time in the logs`
 */
export function describeCost({ share, totalMs, requests, perHour }) {
  const rate = perHour === undefined ? '' : ` (${describeRate(perHour)})`;
  const count = `${countOf(requests, 'request')}${rate}`;
  if (totalMs === undefined) return `${count}, ${formatShare(share)} of all requests in the logs`;
  return `${formatMilliseconds(totalMs)} in ${count}, ${formatShare(share)} of the request time in the logs`;
}

/** @param {number} perHour @returns {string} in the unit that makes it a number above one */
function describeRate(perHour) {
  if (perHour >= 60) return `${formatCount(threeDigits(perHour / 60))} a minute`;
  return perHour >= 1 ? `${threeDigits(perHour)} an hour` : `${threeDigits(perHour * 24)} a day`;
}

/**
 * @param {MeasuredVerdict} verdict
 * @returns {string} `4.1 times faster on CouchDB 3.4.3, 3 days ago (you target 3.5.2); assumed: query`
 */
export function describeVerdict({ word, server, ratio, ageDays, stale, assumed = [] }) {
  const when = ageDays === undefined ? '' : `, ${ageDays === 0 ? 'today' : `${countOf(ageDays, 'day')} ago`}`;
  const parts = [...new Set(assumed.map(({ part }) => part))];
  const guessed = parts.length === 0 ? '' : `; assumed: ${parts.join(', ')}`;
  return `${result(word, ratio)} on ${server}${when}${stale === undefined ? '' : ` (${stale})`}${guessed}`;
}

/**
 * @param {string} word
 * @param {number | null} ratio
 * @returns {string} `4.1 times faster`; with the word where that does not say it: a confirmed finding is one whose advice is faster
 */
function result(word, ratio) {
  if (ratio === null) return word;
  const times = timesFaster(ratio);
  return word === 'confirmed' && ratio >= 1 ? times : `${word}, ${times}`;
}

/**
 * @param {number} ratio
 * @returns {string}
 */
function timesFaster(ratio) {
  const times = ratio >= 1 ? ratio : 1 / ratio;
  return `${times >= 10 ? Math.round(times) : Number(times.toPrecision(2))} times ${ratio >= 1 ? 'faster' : 'slower'}`;
}
