// Writes the commands that build an index before clients query it, for an index that a deploy rebuilds. Pure; runs
// nothing. Every name from the input is in single quotes or percent-encoded: pasting the commands runs nothing else.

import { printable } from '../../shared/printable.js';
import { shellWord } from '../../shared/shell-word.js';
import { encodeName } from '../../shared/url-part.js';

/** @import { IndexBuild } from './index-builds.js' */

/**
 * @param {IndexBuild[]} builds of one design document
 * @param {string | undefined} database its name, where it is known
 * @returns {string[]} lines for a POSIX shell; none where nothing of the document is rebuilt
 */
export function deploySteps(builds, database) {
  const rebuilt = builds.filter(({ fate, kind }) => fate === 'rebuilt' && kind !== 'mango');
  const [first] = rebuilt;
  if (!first?.designDoc?.startsWith('_design/')) return [];
  const name = first.designDoc.slice('_design/'.length);
  const [current, next] = [`_design/${encodeName(name)}`, `_design/${encodeName(`${name}-next`)}`];
  const kinds = [...new Set(rebuilt.map(({ kind }) => kind))];
  return [
    `DB="$COUCHDB_URL/${database === undefined ? 'DATABASE' : encodeName(database)}"`,
    '',
    '# 1. Save the new version under another name, which no client queries yet.',
    ...saveLines(first, next),
    '',
    '# 2. Build its indexes. Each command returns when its index is built; run it again after a timeout.',
    ...rebuilt.flatMap((build) => warmLine(build, next)),
    '',
    '# 3. Replace the old version with it. Identical functions share an index, so the index is warm at once.',
    `REV=$(curl -fsS "$DB/${current}" | jq -r ._rev)`,
    `curl -fsS -X COPY "$DB/${next}" -H "Destination: ${current}?rev=$REV"`,
    // The index process lives as long as the document by which it was queried. What was built in the last seconds is not on the disk yet, and
    // would be lost with the other name (couch_index.erl, 3.5.0: a deleted document ends its index; seen on 3.5.0).
    ...rebuilt.flatMap((build) => warmLine(build, current)),
    '',
    '# 4. Delete the temporary design document and the files of the old index.',
    `REV=$(curl -fsS "$DB/${next}" | jq -r ._rev)`,
    `curl -fsS -X DELETE "$DB/${next}?rev=$REV"`,
    ...kinds.map((kind) => `curl -fsS -X POST "$DB/${CLEANUP[kind]}" -H 'Content-Type: application/json'`),
  ];
}

/** @type {Record<IndexBuild['kind'], string>} */
const CLEANUP = {
  views: '_view_cleanup',
  search: '_search_cleanup',
  nouveau: '_nouveau_cleanup',
  mango: '_view_cleanup',
};

/**
 * @param {IndexBuild} build
 * @param {string} next
 * @returns {string[]}
 */
function saveLines({ file, record }, next) {
  const put = `curl -fsS -X PUT "$DB/${next}" -H 'Content-Type: application/json' -d @-`;
  // What would be shown in another way cannot be pasted.
  const isPlain = printable(file) === file;
  if (isPlain && record?.origin === 'json' && record.node.start === record.file.text.search(/\S/)) {
    return [`jq 'del(._id, ._rev)' ${shellWord(file)} | ${put}`];
  }
  return [
    '# new.json: the design document as your build tool generates it.',
    `jq 'del(._id, ._rev)' new.json | ${put}`,
  ];
}

/**
 * @param {IndexBuild} build
 * @param {string} next
 * @returns {string[]}
 */
function warmLine({ kind, name, views }, next) {
  // One view is enough: all views of a document share one index.
  const [view] = views;
  if (kind === 'views') return view === undefined ? [] : [`curl -fsS "$DB/${next}/_view/${encodeName(view)}?limit=1"`];
  const door = kind === 'search' ? '_search' : '_nouveau';
  return [`curl -fsS "$DB/${next}/${door}/${encodeName(name)}?q=*:*&limit=1"`];
}
