// Facts about reduces that change the array of values they are given, which CouchDB passes to other reduces too.

import { namesOf, parsed } from '../../javascript/analyse.js';
import { readEffects } from '../../javascript/effects.js';
import { bare } from '../../javascript/parse.js';
import { factsOf } from '../fact.js';
import { treeOf } from '../index-groups/index-groups.js';
import { reduceStructure } from '../javascript/reduce-structure.js';

/** @import { AnyNode } from 'acorn' */
/** @import { ParsedFunction } from '../../javascript/parse.js' */
/** @import { Names } from '../../javascript/names.js' */
/** @import { DeclareFact, FactDeclaration, ViewSubject } from '../fact.js' */

/** These change the order alone, which no reduce may depend on. */
const ORDER_ONLY = new Set(['sort', 'reverse']);

/** @type {DeclareFact<ViewSubject>} */
const viewFact = factsOf({ subject: 'view', sources: ['design-docs'] });

/** @type {FactDeclaration<ViewSubject>[]} */
export const reduceChangeFacts = [
  viewFact('reduce.valueChanges', 'list', {
    meaning:
      'Where a custom reduce changes its `values` array, or its elements, while it reduces rows; sorting alone does not count.',
    extract: ({ reduce }) => {
      const tree = reduce && parsed(reduce);
      if (!reduce || !tree?.ok) return { unknown: 'the view has no reduce function in JavaScript that parses' };
      const structure = reduceStructure(reduce.text);
      if ('unknown' in structure) return structure;
      const names = namesOf(tree);
      const { mutations, ignoredMutations } = readEffects(tree, names, 1);
      const value = [...mutations, ...ignoredMutations]
        .filter((node) => !isOrder(node) && (!structure.usesRereduce || isOfRows(node, tree, names)))
        .sort((first, second) => first.start - second.start)
        .map(({ start, end }) => {
          const source = reduce.text.text.slice(start, end).replace(/\s+/g, ' ');
          return { value: source, place: reduce.text.place(start, end), start, end };
        });
      return { value, place: value[0]?.place };
    },
  }),
  viewFact('reduce.sharedValuesViews', 'list', {
    basis: 'declared',
    meaning:
      'Earlier views of the design document with exactly the same map, the same options and a JavaScript reduce: their reduces are called after this one, with the same `values` array.',
    phrases: 'the reduce of {value} gets the same array',
    extract: (view) => {
      const { views } = view.parent;
      const others = views
        .slice(0, views.indexOf(view))
        .filter((other) => other.reduce && other.map && view.map && treeOf(other) === treeOf(view));
      return { value: others.map(({ name, place }) => ({ value: name, place })) };
    },
  }),
];

/**
 * @param {AnyNode} node
 * @returns {boolean}
 */
function isOrder(node) {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const { property, computed } = node.callee;
  return !computed && property.type === 'Identifier' && ORDER_ONLY.has(property.name);
}

/**
 * Results of the reduce itself are given to it alone.
 * @param {AnyNode} node in a function that tests whether it rereduces
 * @param {ParsedFunction} tree
 * @param {Names} names
 * @returns {boolean} whether it stands where `rereduce` is false: under `if (!rereduce)`, or in the `else` of `if (rereduce)`
 */
function isOfRows(node, { fn }, { parents }) {
  const flag = fn?.params[2];
  if (flag?.type !== 'Identifier') return false;
  for (let at = node, parent = parents.get(at); parent; at = parent, parent = parents.get(at)) {
    if (parent.type !== 'IfStatement' && parent.type !== 'ConditionalExpression') continue;
    const test = bare(parent.test);
    const isNegated = test.type === 'UnaryExpression' && test.operator === '!';
    const condition = isNegated ? bare(test.argument) : test;
    if (condition.type !== 'Identifier' || condition.name !== flag.name) continue;
    if (at === (isNegated ? parent.consequent : parent.alternate)) return true;
  }
  return false;
}
