// Looks for what shows that a change between two releases matters to this project: findings, requests, calls, options, text of files.

import { isKnown } from '../../../facts/fact.js';
import { answersOf, describe } from './answers.js';
import { goneOptions } from './options.js';
import { otherPlans } from './other-plans.js';

/** @import { RequestRecord } from '../../../sources/record.js' */
/** @import { Item } from '../../../facts/fact.js' */
/** @import { Place } from '../../../shared/source-file.js' */
/** @import { ConfigOption, SourceRecord } from '../../../sources/record.js' */
/** @import { Change, Detector, OptionTable, RequestPattern } from './changes.js' */
/** @import { Comparison } from './compare-runs.js' */

/** What was found: a sentence, where it stands, and the finding that says it. @typedef {{text: string, place?: Place, key?: string}} Evidence */
/** `clear`: looked for and not there. `lacking`: what would show it was not given. `by-hand`: nothing that is read shows it.
 *  @typedef {{state: 'found', evidence: Evidence[]} | {state: 'clear'} | {state: 'lacking' | 'by-hand', reason: string, evidence?: Evidence[]}} Detection */

/**
 * @typedef {object} Evident What detectors look at.
 * @property {Comparison} comparison
 * @property {SourceRecord[]} records
 * @property {ConfigOption[]} set options that somebody set
 * @property {OptionTable} table
 * @property {{from: string, to: string}} between releases
 * @property {Set<string>} used keys of findings that a change explains: filled here
 */

const LACKING = {
  logs: 'no log was read: add `--log`',
  code: 'no application code with calls of CouchDB was read',
  configuration: 'no configuration of the server was read',
  documents: 'no design document was read',
};

/**
 * @param {Change} change
 * @param {Evident} evident
 * @returns {Detection}
 */
export function detect({ detector }, evident) {
  const all = (Array.isArray(detector) ? detector : [detector]).map((one) => detectOne(one, evident));
  const evidence = all.flatMap((one) => (one.state === 'found' ? one.evidence : []));
  if (evidence.length > 0) return { state: 'found', evidence };
  return all.find(({ state }) => state === 'clear') ?? /** @type {Detection} */ (all[0]);
}

/** @param {Detector} detector @param {Evident} evident @returns {Detection} */
function detectOne(detector, evident) {
  if ('none' in detector) return { state: 'by-hand', reason: detector.none };
  if ('rule' in detector) return ofRule(detector, evident);
  if ('request' in detector) return ofRequests(detector.request, evident);
  if ('call' in detector) return ofCalls(detector.call, evident);
  if ('code' in detector) return ofText(new RegExp(detector.code, 'g'), evident, true);
  if ('text' in detector) return ofText(new RegExp(detector.text, 'g'), evident, false);
  if ('global' in detector) return ofGlobals(detector.global, evident);
  if ('subject' in detector) return ofSubjects(detector.subject, evident);
  if ('answers' in detector) return ofAnswers(detector.answers, evident);
  if ('plans' in detector) {
    const plans = otherPlans(evident.comparison, evident.between);
    return 'unknown' in plans ? { state: 'lacking', reason: plans.unknown } : foundOrClear(plans);
  }
  return ofOptions(detector, evident);
}

/** @param {Evidence[]} evidence @returns {Detection} */
function foundOrClear(evidence) {
  return evidence.length > 0 ? { state: 'found', evidence } : { state: 'clear' };
}

/** @param {{rule: string, inBoth?: boolean}} detector @param {Evident} evident @returns {Detection} */
function ofRule({ rule, inBoth }, { comparison, used }) {
  const findings = inBoth ? comparison.all : comparison.appearing.map(({ finding }) => finding);
  const found = findings.filter((finding) => finding.rule === rule);
  for (const { key } of found) used.add(key);
  return foundOrClear(found.map(({ message, place, key }) => ({ text: message, place, key })));
}

/** @param {RequestPattern} pattern @param {Evident} evident @returns {Detection} */
function ofRequests(pattern, { records }) {
  const requests = records.filter((record) => record.kind === 'request');
  if (requests.length === 0) return { state: 'lacking', reason: LACKING.logs };
  return foundOrClear(
    requests
      .filter((record) => fits(record, pattern))
      .map(({ name, count, examples: [first] }) => ({
        text: `\`${name}\`, ${count} ${count === 1 ? 'request' : 'requests'}`,
        ...(first ? { place: { ...first, column: 1 } } : {}),
      })),
  );
}

/** @param {RequestRecord} record @param {RequestPattern} pattern @returns {boolean} */
function fits(record, { endpoints, methods, database, parameters = [] }) {
  return (
    endpoints.includes(record.endpoint) &&
    (methods?.includes(record.method) ?? true) &&
    (database === undefined || record.database === database) &&
    parameters.every((parameter) => record.parameters.includes(parameter))
  );
}

/** @param {string[]} methods @param {Evident} evident @returns {Detection} */
function ofCalls(methods, { records }) {
  // A database of PouchDB in a browser knows no version of CouchDB.
  const calls = records.filter((record) => record.kind === 'call' && record.location !== 'local');
  if (calls.length === 0) return { state: 'lacking', reason: LACKING.code };
  return foundOrClear(
    calls.flatMap((call) => {
      if (call.kind !== 'call' || !methods.includes(call.method)) return [];
      return [{ text: `\`${call.name}\``, place: call.file.place(call.start, call.end) }];
    }),
  );
}

/** @param {RegExp} pattern @param {Evident} evident @param {boolean} isCode whether only files count that call CouchDB @returns {Detection} */
function ofText(pattern, { records, comparison }, isCode) {
  const { sources } = comparison.after.report;
  const calling = new Set(records.flatMap((record) => (record.kind === 'call' ? [record.file.path] : [])));
  if (isCode && calling.size === 0) return { state: 'lacking', reason: LACKING.code };
  const files = [...sources.values()].filter(({ path }) => !isCode || calling.has(path));
  return foundOrClear(
    files.flatMap((file) =>
      [...file.text.matchAll(pattern)].map((match) => ({
        text: `\`${match[0]}\``,
        place: file.place(match.index, match.index + match[0].length),
      })),
    ),
  );
}

/** @param {string[]} names @param {Evident} evident @returns {Detection} */
function ofGlobals(names, { comparison }) {
  const { run, ask } = comparison.after;
  // Libraries that shows and lists load have parts that never run: calls in them show no break.
  const functions = run.subjects
    .filter((subject) => subject.kind === 'function')
    .filter(({ isModule, name }) => !isModule || name.startsWith('views.'));
  if (functions.length === 0) return { state: 'lacking', reason: LACKING.documents };
  return foundOrClear(
    functions.flatMap((subject) => {
      const fact = ask(subject, 'function.calledGlobals');
      if (!isKnown(fact)) return [];
      return /** @type {Item[]} */ (fact.value)
        .filter(({ value }) => names.includes(String(value)))
        .map(({ value, place }) => ({ text: `${describe(subject)} calls \`${value}\``, ...(place ? { place } : {}) }));
    }),
  );
}

/** @param {'shown' | 'open' | 'dates'} wanted @param {Evident} evident @returns {Detection} */
function ofAnswers(wanted, { comparison }) {
  if (!comparison.after.run.subjects.some(({ kind }) => kind === 'function'))
    return { state: 'lacking', reason: LACKING.documents };
  const evidence = answersOf(comparison)[wanted];
  if (wanted === 'shown' || evidence.length === 0) return foundOrClear(evidence);
  const reason =
    wanted === 'open'
      ? 'no document made for the functions shows a difference'
      : 'whether your documents have strings that are no dates is not read';
  return { state: 'by-hand', reason, evidence };
}

/** @param {string} kind @param {Evident} evident @returns {Detection} */
function ofSubjects(kind, { comparison }) {
  const found = comparison.after.run.subjects.filter((subject) => subject.kind === kind);
  return foundOrClear(found.map(({ name, place }) => ({ text: `\`${name}\``, place })));
}

/** @param {{option: string[]} | {default: string} | {sets: string} | {deadOptions: true}} detector @param {Evident} evident @returns {Detection} */
function ofOptions(detector, { set, records, table, between, comparison }) {
  // The image of CouchDB writes the administrator that its environment names into the configuration (docker-entrypoint.sh, 1.7.1 to 3.5.2).
  if ('sets' in detector && detector.sets === 'admins' && hasVariable(records, 'COUCHDB_USER'))
    return { state: 'clear' };
  if (!records.some(({ kind }) => kind === 'server-config')) {
    // Without a configuration the default counts, as far as is known.
    if ('default' in detector) return { state: 'by-hand', reason: LACKING.configuration };
    return { state: 'lacking', reason: LACKING.configuration };
  }
  const named = (/** @type {string} */ wanted) =>
    set.filter(({ section, key }) => wanted === section || wanted === `${section}/${key}`);
  if ('option' in detector) return foundOrClear(detector.option.flatMap(named).map(evidenceOf));
  if ('deadOptions' in detector) {
    const gone = goneOptions(set, table, between).filter(({ option }) => !isReported(option, comparison));
    return foundOrClear(
      gone.map(({ option, since }) => ({
        text: `\`[${option.section}] ${option.key}\` is not in the source of ${since} and later`,
        place: option.place,
      })),
    );
  }
  const wanted = 'default' in detector ? detector.default : detector.sets;
  if (named(wanted).length > 0) return { state: 'clear' };
  const name = 'default' in detector ? `[${wanted.replace('/', '] ')}` : `[${wanted}]`;
  return { state: 'by-hand', reason: `no file that was read sets \`${name}\`` };
}

/** @param {SourceRecord[]} records @param {string} name @returns {boolean} whether each container with CouchDB gets it */
function hasVariable(records, name) {
  const containers = records.filter((record) => record.kind === 'container');
  return containers.length > 0 && containers.every(({ variables }) => variables.includes(name));
}

/** @param {ConfigOption} option @returns {Evidence} without its value, which may be a secret */
function evidenceOf({ section, key, place }) {
  return { text: `\`[${section}] ${key}\``, place };
}

/** @param {ConfigOption} option @param {Comparison} comparison @returns {boolean} whether a rule reports its line */
function isReported({ place }, { all }) {
  return all.some((finding) => finding.place.file === place.file && finding.place.line === place.line);
}
