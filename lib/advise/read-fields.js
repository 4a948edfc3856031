// Proposes that views which store whole documents emit the fields that are read of them, where all that reads them is known.

import { isKnown } from '../facts/fact.js';
import { viewInUse } from '../facts/request/view.js';
import { documentName, emitInstead, fieldsOf } from '../proof/synthesis/emitted-value.js';
import { joinWords } from '../shared/join-words.js';
import { changeOf, definitionOf, nameOfView } from './view-change.js';

/** @import { Ask, RunSubject, ViewSubject } from '../facts/fact.js' */
/** @import { Finding } from '../engine/findings/finding.js' */
/** @import { Outcome } from '../engine/rule.js' */
/** @import { FindingLink, ViewCandidate } from './view-candidates.js' */

/**
 * Needs no finding: a copy that is read often enough to pay off can be smaller, too.
 * @param {FindingLink[]} links findings of the run
 * @param {{run: RunSubject, ask: Ask, changeFor: (finding: Finding) => Outcome['change']}} about
 * @returns {{candidates: ViewCandidate[], notes: string[]}} `notes`: why there is none for a view that stores whole documents
 */
export function readFieldCandidates(links, { run, ask, changeFor }) {
  const settled = links.filter(
    ({ finding, subject }) => subject.kind === 'view' && changeFor(finding) === 'emit-fields',
  );
  const found = run.subjects.flatMap((view) => {
    if (view.kind !== 'view' || viewInUse(view) !== view) return [];
    const own = settled.filter(({ subject }) => subject.kind === 'view' && viewInUse(subject) === view);
    return (
      withReadFields(
        view,
        own.map(({ finding }) => finding.key),
        ask,
      ) ?? []
    );
  });
  return {
    candidates: found.filter((one) => typeof one !== 'string'),
    notes: found.filter((one) => typeof one === 'string'),
  };
}

/**
 * @param {ViewSubject} view
 * @param {string[]} findings keys of those that it settles
 * @param {Ask} ask
 * @returns {ViewCandidate | string | undefined} with the fields of documents that are read as values instead of whole documents; or why that is unknown
 */
function withReadFields(view, findings, ask) {
  const before = definitionOf(view);
  const [copies, type, read] = ['view.copiesDocs', 'view.valueType', 'view.readValueFields'].map((id) => ask(view, id));
  if (!before || !copies || !isKnown(copies) || copies.value !== true) return undefined;
  const name = nameOfView(view);
  if (!read || !isKnown(read) || !Array.isArray(read.value))
    return `${name} stores whole documents, and which of their fields are read is unknown (${read && 'unknown' in read ? read.unknown : ''}): no change is proposed`;
  const fields = read.value.map(({ value }) => value);
  const document = documentName(before.map);
  const value = document !== undefined && fields.length > 0 ? fieldsOf(document, fields) : 'null';
  // A copy may have been changed, and other values are read as they are.
  const isSure = type && isKnown(type) && type.value === 'document';
  const map = isSure ? emitInstead(before.map, value, document) : undefined;
  if (map === undefined) return `${name} stores whole documents in a way that was not followed: no change is proposed`;
  const base = changeOf(view, findings, {
    kind: 'change-view',
    suffix: 'read fields',
    title: fields.length > 0 ? `emit only ${joinWords(fields)} in ${name}` : `emit no values in ${name}`,
    after: { ...before, map },
  });
  return (
    base && {
      ...base,
      serves: [],
      because: [
        `all queries of it in the code and the logs read ${fields.length > 0 ? `only ${joinWords(fields)} of its values` : 'no value'}`,
        'programs that were not read may need more: check that before',
      ],
    }
  );
}
