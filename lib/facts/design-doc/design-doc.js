// Facts about a design document as a whole: whether CouchDB would accept it, what it holds, which parts are deprecated.

import { entry, entryPlace, member, memberOrOpen, nodePlace } from '../../sources/record.js';
import { factsOf, isKnown } from '../fact.js';
import { entries, isBareMap, isJavaScript } from '../subjects.js';
import { misspeltInView } from './spelling.js';

/** @import { Entry, ValueNode } from '../../sources/record.js' */
/** @import { DeclareFact, DesignDocSubject, FactDeclaration, Item } from '../fact.js' */

/** @typedef {'string' | 'object' | 'array' | 'boolean'} FieldType */

/**
 * What `validate_ddoc_fields` of couch_mrview.erl demands (3.5.2; the same since 2.0 but for `validate_doc_update`, which
 * may be an object from 3.6 on). `*` stands for every member.
 * @type {{path: string[], types: FieldType[]}[]}
 */
const FIELD_TYPES = [
  { path: ['language'], types: ['string'] },
  { path: ['options'], types: ['object'] },
  { path: ['options', 'include_design'], types: ['boolean'] },
  { path: ['options', 'local_seq'], types: ['boolean'] },
  { path: ['options', 'partitioned'], types: ['boolean'] },
  { path: ['filters'], types: ['object'] },
  { path: ['filters', '*'], types: ['object', 'string'] },
  { path: ['lists'], types: ['object'] },
  { path: ['lists', '*'], types: ['object', 'string'] },
  { path: ['shows'], types: ['object'] },
  { path: ['shows', '*'], types: ['object', 'string'] },
  { path: ['updates'], types: ['object'] },
  { path: ['updates', '*'], types: ['object', 'string'] },
  { path: ['rewrites'], types: ['string', 'array'] },
  { path: ['validate_doc_update'], types: ['string'] },
  { path: ['views'], types: ['object'] },
  { path: ['views', '*'], types: ['object'] },
  { path: ['views', '*', 'reduce'], types: ['string'] },
];

/** Deprecated since CouchDB 3.0 (whatsnew/3.0.rst, ddocs/ddocs.rst). */
const DEPRECATED_MEMBERS = ['lists', 'shows', 'updates', 'rewrites'];

/** @type {DeclareFact<DesignDocSubject>} */
const designDocFact = factsOf({ subject: 'design-doc', sources: ['design-docs'], basis: 'declared' });

/** @type {FactDeclaration<DesignDocSubject>[]} */
export const designDocFacts = [
  designDocFact('ddoc.structureErrors', 'list', {
    meaning: 'Members whose type makes CouchDB refuse the document with 400 `invalid_design_doc`.',
    extract: (subject) => ({ value: structureErrors(subject) }),
  }),
  designDocFact('ddoc.looseViewFiles', 'list', {
    meaning: 'Files directly in the folder `views` of a couchapp, where only folders become views.',
    extract: ({ record }) => ({
      value: entries(member(record.node, 'views'))
        .filter((item) => isLooseFile(record, item))
        .map(({ key, node }) => ({ value: `views.${key}`, place: nodePlace(node) })),
    }),
  }),
  designDocFact('ddoc.language', 'text', {
    meaning: 'The `language` of the functions; `javascript` if the document names none.',
    forOwnRules: 'what the views of a design document are written in',
    extract: (subject) => ({ value: subject.language, place: placeOf(member(subject.record.node, 'language')) }),
  }),
  designDocFact('ddoc.isJavaScript', 'boolean', {
    meaning: 'Whether its functions are JavaScript.',
    phrases: ['the design document is JavaScript', 'the design document is not JavaScript'],
    extract: (subject) => ({ value: isJavaScript(subject.language) }),
  }),
  designDocFact('ddoc.viewCount', 'count', {
    meaning: 'Number of views, without `lib`.',
    phrases: 'the design document has {value} {view|views}',
    extract: (subject) => ({ value: subject.views.length, place: placeOf(member(subject.record.node, 'views')) }),
  }),
  designDocFact('ddoc.isPartitioned', 'boolean', {
    meaning: 'Whether the document sets `partitioned`; without it, it is partitioned in a partitioned database.',
    phrases: ['the design document is partitioned', 'the design document is not partitioned'],
    extract: ({ record }) => {
      const option = memberOrOpen(memberOrOpen(record.node, 'options'), 'partitioned');
      if (option?.type === 'unknown') return { unknown: option.reason };
      // One that says nothing is as its database, where that is known.
      if (!option && record.database?.isPartitioned) return { value: true, basis: 'measured' };
      return { value: option?.type === 'boolean' && option.value === true, place: placeOf(option) };
    },
  }),
  designDocFact('ddoc.customReduces', 'list', {
    meaning: 'The views whose reduce is written in JavaScript.',
    phrases: 'the reduce of {value} is written in JavaScript',
    extract: ({ language, views }, ask) => {
      if (!isJavaScript(language)) return { value: [] };
      const custom = views.filter((view) => {
        const kind = ask(view, 'reduce.kind');
        return isKnown(kind) && kind.value === 'custom';
      });
      return {
        value: custom.map(({ name, reduceNode }) => ({
          value: name,
          ...(reduceNode ? { place: nodePlace(reduceNode) } : {}),
        })),
      };
    },
  }),
  designDocFact('ddoc.deprecatedMembers', 'list', {
    meaning: 'Its show, list and update functions and rewrites, which are deprecated since CouchDB 3.0.',
    phrases: '{value} is deprecated',
    extract: (subject) => {
      const value = deprecatedMembers(subject);
      // The folder of a couchapp has no line of its own: its first function stands for it.
      return { value, place: value[0]?.place };
    },
  }),
  designDocFact('ddoc.hasLists', 'boolean', {
    meaning: 'Whether it has list functions, which format the rows of views.',
    phrases: ['the design document has list functions', 'the design document has no list functions'],
    extract: ({ record }) => {
      const lists = memberOrOpen(record.node, 'lists');
      if (lists?.type === 'unknown') return { unknown: lists.reason };
      return { value: lists?.type === 'object' && lists.entries.length > 0, place: placeOf(lists) };
    },
  }),
];

/**
 * @param {DesignDocSubject} subject
 * @returns {Item[]} in the order the server would meet them
 */
function structureErrors(subject) {
  const root = subject.record.node;
  /** @type {Item[]} */
  const items = [];
  for (const { path, types } of FIELD_TYPES) {
    for (const { found, name } of select(root, path)) {
      const hasType = types.some((type) => type === found.node.type);
      const isLater = name === 'validate_doc_update' && found.node.type === 'object';
      if (hasType || found.node.type === 'unknown' || isLater || isBareMap(subject.record, found.node)) continue;
      if (path[0] === 'views' && path.length === 2 && isLooseFile(subject.record, found)) continue;
      items.push({
        value: `\`${name}\` is ${describe(found.node)} and must be ${types.map(withArticle).join(' or ')}`,
        place: nodePlace(found.node),
      });
    }
  }
  const isQuery = subject.language === 'query';
  for (const view of entries(member(root, 'views'))) {
    if (view.key === 'lib' || view.node.type !== 'object') continue;
    const map = entry(view.node, 'map');
    const name = `views.${view.key}.map`;
    if (!map && memberOrOpen(view.node, 'map')) continue;
    if (!map) {
      const meant = misspeltInView(view.node).find(({ expected }) => expected === 'map')?.item;
      const meantKey = meant ? `; did you mean \`${meant.key}\`?` : '';
      items.push({
        value: `\`views.${view.key}\` has no \`map\` function${meantKey}`,
        place: entryPlace(meant ?? view),
      });
    } else if (map.node.type !== 'unknown' && map.node.type !== (isQuery ? 'object' : 'string')) {
      const wanted = isQuery ? 'an object' : 'a string';
      items.push({ value: `\`${name}\` is ${describe(map.node)} and must be ${wanted}`, place: nodePlace(map.node) });
    }
    for (const member of view.node.entries) {
      if ((member.key !== 'map' && member.key !== 'reduce') || !isEmptyText(member.node)) continue;
      const empty = `\`views.${view.key}.${member.key}\` is empty and must be a function`;
      items.push({ value: empty, place: nodePlace(member.node) });
    }
  }
  return items;
}

/**
 * couchapp pushes no member of `views` that is no object (1.0.2, localdoc.py doc), and other tools push each.
 * @param {DesignDocSubject['record']} record
 * @param {Entry} item a member of `views`
 * @returns {boolean}
 */
function isLooseFile({ origin }, { key, node }) {
  return origin === 'couchapp' && key !== 'lib' && node.type !== 'object' && node.type !== 'unknown';
}

/**
 * An empty text, which CouchDB refuses with 404 `missing function` (tried on 3.5.0).
 * @param {ValueNode} node
 * @returns {boolean}
 */
function isEmptyText(node) {
  return node.type === 'string' && node.value === '';
}

/**
 * @param {ValueNode} root
 * @param {string[]} path
 * @returns {{found: Entry, name: string}[]} what stands at the path; nothing below a value of another type
 */
function select(root, path) {
  /** @type {{node: ValueNode, found: Entry | undefined, name: string}[]} */
  let reached = [{ node: root, found: undefined, name: '' }];
  for (const step of path) {
    reached = reached.flatMap(({ node, name }) =>
      entries(node)
        .filter((item) => step === '*' || item.key === step)
        .map((item) => ({ node: item.node, found: item, name: name === '' ? item.key : `${name}.${item.key}` })),
    );
  }
  return reached.flatMap(({ found, name }) => (found ? [{ found, name }] : []));
}

/**
 * @param {DesignDocSubject} subject
 * @returns {Item[]}
 */
function deprecatedMembers(subject) {
  /** @type {Item[]} */
  const items = [];
  for (const name of DEPRECATED_MEMBERS) {
    const found = entry(subject.record.node, name);
    if (!found) continue;
    const { node } = found;
    const isEmpty =
      (node.type === 'object' && node.entries.length === 0) ||
      (node.type === 'array' && node.items.length === 0) ||
      (node.type === 'string' && node.value.trim() === '') ||
      node.type === 'null';
    // A text where CouchDB wants an object is no function: the document is refused for it.
    const isRefused = name !== 'rewrites' && node.type === 'string';
    if (isEmpty || isRefused) continue;
    if (node.type === 'object') {
      for (const item of entries(node)) items.push({ value: `${name}.${item.key}`, place: entryPlace(item) });
    } else items.push({ value: name, place: entryPlace(found) });
  }
  return items;
}

/**
 * @param {ValueNode | undefined} node
 * @returns {import('../../shared/source-file.js').Place | undefined}
 */
function placeOf(node) {
  return node && nodePlace(node);
}

/**
 * @param {ValueNode} node
 * @returns {string}
 */
function describe(node) {
  return node.type === 'null' ? 'null' : withArticle(node.type);
}

/**
 * @param {string} type
 * @returns {string}
 */
function withArticle(type) {
  return `${/^[aou]/.test(type) ? 'an' : 'a'} ${type}`;
}
