// Renders safe fixes on the changed lines of a pull or merge request as comments that offer the change: the author of the request applies it by a click.

import { posix } from 'node:path';
import { applyEdits } from '../../../engine/fixes/edit.js';
import { changedLines } from '../../../engine/fixes/unified-diff.js';
import { fence, withCode } from '../../../reports/markdown.js';
import { stringifyJson } from '../../../reports/stringify-json.js';

/** @import { Finding } from '../../../engine/findings/finding.js' */
/** @import { Report } from '../../../reports/report.js' */
/** @import { SourceFile, TextEdit } from '../../../shared/source-file.js' */

/** Both states of the files, by the path that findings name. `prefix`: of the working directory, as seen from the root of the repository. `isNew`: whether the base has no such file. @typedef {{before: ReadonlyMap<string, SourceFile>, after: ReadonlyMap<string, SourceFile>, isNew: (file: string) => boolean, prefix: string}} Versions */
/** @typedef {{path: string, first: number, last: number, text: string, finding: Finding}} Suggestion `text`: what the lines from `first` to `last` become */

/** Reviews with more comments are not read. */
const MAX_SUGGESTIONS = 30;
/** GitLab takes no suggestion over more lines (docs.gitlab.com, Suggest changes). */
const MAX_LINES = 100;

/**
 * @param {Report} report of a change
 * @param {Versions} versions
 * @returns {Suggestion[]}
 */
function suggestionsOf({ findings, edits }, versions) {
  const changed = changedLinesOf(versions);
  return findings
    .flatMap((finding) => {
      const own = finding.fix?.safe ? edits?.get(finding.key) : undefined;
      return own ? (suggestionOf(finding, own, versions, changed) ?? []) : [];
    })
    .slice(0, MAX_SUGGESTIONS);
}

/** @param {Versions} versions @returns {(file: string) => ReadonlySet<number>} numbers of the lines that the change adds to a file */
function changedLinesOf({ before, after, isNew }) {
  /** @type {Map<string, Set<number>>} */
  const known = new Map();
  return (file) => {
    const [old, now] = [before.get(file)?.text ?? (isNew(file) ? '' : undefined), after.get(file)?.text];
    const lines = known.get(file) ?? (old === undefined || now === undefined ? new Set() : changedLines(old, now));
    known.set(file, lines);
    return lines;
  };
}

/**
 * @param {Finding} finding
 * @param {TextEdit[]} edits
 * @param {Versions} versions
 * @param {(file: string) => ReadonlySet<number>} changed
 * @returns {Suggestion | undefined} undefined where the lines are not all new, or the fix is in several files
 */
function suggestionOf(finding, edits, { after, prefix }, changed) {
  const [file] = edits.map((edit) => edit.file);
  if (!file || edits.some((edit) => edit.file.path !== file.path)) return undefined;
  const { lineStarts, text } = file;
  const first = Math.min(...edits.map(({ start }) => file.position(start).line));
  const last = Math.max(...edits.map(({ end }) => file.position(end).line));
  const [from, to] = [lineStarts[first - 1] ?? 0, lineStarts[last] ?? text.length];
  const before = text.slice(from, to);
  // Where a secret is masked the shown text is not that of the file. What becomes of other line ends is unknown.
  if (before !== after.get(file.path)?.text.slice(from, to) || before.includes('\r')) return undefined;
  const lines = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  if (lines.length > MAX_LINES || !lines.every((line) => changed(file.path).has(line))) return undefined;
  const moved = edits.map((edit) => ({ ...edit, start: edit.start - from, end: edit.end - from }));
  const { text: now, deferred } = applyEdits(before, moved);
  if (deferred.length > 0) return undefined;
  const path = posix.join(prefix, file.path);
  // Outside of the repository.
  if (path.startsWith('../')) return undefined;
  return { path, first, last, text: now.replace(/\n$/, ''), finding };
}

/** @param {Suggestion} suggestion @param {string} language of the block @returns {string} the comment; its first line is found by the next run */
function bodyOf({ text, finding: { key, message, advice, fix } }, language) {
  const lines = [
    `<!-- couch-advisor ${key} -->`,
    `${withCode(message)}. ${withCode(advice)}`,
    '',
    withCode(fix?.title ?? ''),
    '',
  ];
  return `${lines.join('\n')}\n${fence(text, language)}`;
}

/**
 * @param {Report} report
 * @param {Versions} versions
 * @returns {string} the body of `POST /repos/{owner}/{repo}/pulls/{number}/reviews` (docs.github.com, REST API, pull request reviews)
 */
export function renderGithubReview(report, versions) {
  const comments = suggestionsOf(report, versions).map((suggestion) => {
    const { path, first, last } = suggestion;
    const range = first === last ? {} : { start_line: first, start_side: 'RIGHT' };
    return { path, ...range, line: last, side: 'RIGHT', body: bodyOf(suggestion, 'suggestion') };
  });
  return stringifyJson({ event: 'COMMENT', comments });
}

/**
 * @param {Report} report
 * @param {Versions} versions
 * @returns {string} bodies of `POST /projects/{id}/merge_requests/{iid}/discussions` (docs.gitlab.com, Discussions API), without the three
 *   commits of the position
 */
export function renderGitlabReview(report, versions) {
  const discussions = suggestionsOf(report, versions).map((suggestion) => {
    const { path, first, last } = suggestion;
    const position = { position_type: 'text', old_path: path, new_path: path, new_line: last };
    return { body: bodyOf(suggestion, `suggestion:-${last - first}+0`), position };
  });
  return stringifyJson(discussions);
}
