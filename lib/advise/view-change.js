// Makes the change of a view that a candidate is: its functions before and after, and where it is defined.

import { viewInFiles } from '../facts/request/view.js';

/** @import { ViewSubject } from '../facts/fact.js' */
/** @import { PlanChange } from './plan.js' */
/** @import { ViewCandidate } from './view-candidates.js' */

/** @param {ViewSubject} view @returns {string} `_design/app/_view/totals` */
export function nameOfView({ name, parent }) {
  return `${parent.record.id ?? '_design/…'}/_view/${name}`;
}

/**
 * @param {ViewSubject} view
 * @returns {{map: string, reduce?: string} | undefined} its functions; undefined where its map is not JavaScript
 */
export function definitionOf({ map, reduce, reduceNode }) {
  if (!map) return undefined;
  const text = reduce?.text.text ?? (reduceNode?.type === 'string' ? reduceNode.value : undefined);
  return { map: map.text.text, ...(text === undefined ? {} : { reduce: text }) };
}

/**
 * @param {ViewSubject} view
 * @param {string[]} findings keys of findings that it settles
 * @param {{kind: PlanChange['kind'], suffix: string, title: string, after?: {map: string, reduce?: string}}} about
 * @returns {Omit<ViewCandidate, 'serves' | 'because'> | undefined}
 */
export function changeOf(view, findings, { kind, suffix, title, after }) {
  const before = definitionOf(view);
  if (!before || view.parent.record.id === null) return undefined;
  const { file, line } = viewInFiles(view).place;
  return {
    id: `${nameOfView(view)} ${suffix}`,
    change: {
      kind,
      designDoc: view.parent.record.id,
      name: view.name,
      ...(after ? { view: after } : {}),
      replaces: { view: before },
      file: `${file}:${line}`,
    },
    title,
    view,
    index: undefined,
    alternative: nameOfView(view),
    findings,
  };
}
