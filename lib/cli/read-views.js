// Finds the views whose functions can be profiled, with the libraries that their maps may require.

import { createSubjects, entries } from '../facts/subjects.js';
import { member } from '../sources/record.js';

/** @import { DesignDocSubject, FunctionSubject, Target } from '../facts/fact.js' */
/** @import { GivenFunction, GivenView } from '../measure/profile/run/profile-view.js' */
/** @import { SourceRecord, ValueNode } from '../sources/record.js' */

/**
 * @param {SourceRecord[]} records
 * @param {Target} target
 * @returns {GivenView[]} in the order of the sources
 */
export function readViews(records, target) {
  return createSubjects(records, target).subjects.flatMap((subject) => {
    if (subject.kind !== 'view' || !subject.map) return [];
    const { map, reduce, reduceNode, name, parent } = subject;
    /** @type {GivenView} */
    const view = { name: `${parent.name}/${name}`, map: givenFunction(map), libraries: librariesOf(parent) };
    if (reduce) view.reduce = givenFunction(reduce);
    else if (reduceNode?.type === 'string') view.builtin = reduceNode.value.trim();
    return [view];
  });
}

/**
 * @param {FunctionSubject} subject
 * @returns {GivenFunction}
 */
function givenFunction({ text, place }) {
  return { text: text.text, place: { file: place.file, line: place.line } };
}

/**
 * @param {DesignDocSubject} designDoc
 * @returns {GivenView['libraries']}
 */
function librariesOf(designDoc) {
  /** @type {GivenView['libraries']} */
  const found = [];
  const visit = (/** @type {ValueNode} */ node, /** @type {string[]} */ path) => {
    if (node.type === 'string') {
      const place = node.text.wholePlace;
      found.push({ path, text: node.text.text, place: place && { file: place.file, line: place.line } });
      return;
    }
    for (const item of entries(node)) visit(item.node, [...path, item.key]);
  };
  const root = member(designDoc.record.node, 'views');
  const lib = root && member(root, 'lib');
  for (const item of entries(lib)) visit(item.node, [item.key]);
  return found;
}
