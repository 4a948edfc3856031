// The body of a query in, parameters out as if they stood in its address: those of views as they are, and of a Mango query its
// fields and operators, without a single value.

/** Parameters of views that a body may hold (couch_mrview_http:parse_body_and_query, 3.5.0). */
const VIEW_PARAMETERS = new Set(
  `include_docs reduce group group_level descending update stable inclusive_end update_seq conflicts attachments key keys startkey
  start_key endkey end_key startkey_docid endkey_docid limit skip`.split(/\s+/),
);

/** What is asked with such a body. */
const VIEW_PATH = /\/(?:_all_docs|_design_docs|_local_docs|_design\/[^/]+\/_view\/[^/]+)$/;
const FIND_PATH = /\/(?:_find|_explain)$/;

/** Names of fields and documents that are kept as they are; others become `?`, so that a shape is one short text. */
const PLAIN_NAME = /^[\w.$/-]{1,64}$/;
/** Selectors may hold each other. */
const DEEPEST = 20;
/** A selector of more conditions is made by a program, and no shape. */
const MOST_CONDITIONS = 24;

/**
 * @param {string} path
 * @param {unknown} body
 * @returns {string} `name=value&…`, empty where the body says nothing that is kept
 */
export function bodyParameters(path, body) {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return '';
  const pairs = FIND_PATH.test(path) ? findPairs({ ...body }) : VIEW_PATH.test(path) ? viewPairs(body) : [];
  return pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
}

/**
 * @param {object} body
 * @returns {[string, string][]}
 */
function viewPairs(body) {
  return Object.entries(body)
    .filter(([name]) => VIEW_PARAMETERS.has(name))
    .map(([name, value]) => [
      name,
      typeof value === 'string' && name.endsWith('_docid') ? value : JSON.stringify(value),
    ]);
}

/**
 * @param {Record<string, unknown>} body
 * @returns {[string, string][]} under names of our own: in an address `sort` and `fields` mean something else to other endpoints
 */
function findPairs({ selector, sort, fields, bookmark, use_index: useIndex, limit, skip }) {
  /** @type {[string, string][]} */
  const pairs = [['find.selector', describeSelector(selector)]];
  if (Array.isArray(sort) && sort.length > 0) pairs.push(['find.sort', sort.map(sortName).join()]);
  if (Array.isArray(fields) && fields.length > 0) pairs.push(['find.fields', '']);
  if (typeof bookmark === 'string' && bookmark !== '' && bookmark !== 'nil') pairs.push(['find.bookmark', '']);
  if (useIndex !== undefined) pairs.push(['find.use_index', [useIndex].flat().map(plain).join('/')]);
  if (typeof limit === 'number') pairs.push(['limit', String(limit)]);
  if (typeof skip === 'number') pairs.push(['skip', String(skip)]);
  return pairs;
}

/**
 * @param {unknown} item `"date"` or `{"date": "desc"}`
 * @returns {string} `date` or `-date`
 */
function sortName(item) {
  if (typeof item === 'string') return plain(item);
  const [[name, direction] = ['?', '']] = Object.entries(item ?? {});
  return `${direction === 'desc' ? '-' : ''}${plain(name)}`;
}

/**
 * @param {unknown} selector
 * @returns {string} `customer:eq,date:gte`, `*:or` for what joins others but `$and`; `none` for an empty one, `?` where it is too large
 */
function describeSelector(selector) {
  /** @type {Set<string>} */
  const conditions = new Set();
  const isWhole = addConditions(selector, '', conditions, 0);
  if (!isWhole || conditions.size > MOST_CONDITIONS) return '?';
  return conditions.size === 0 ? 'none' : [...conditions].sort().join();
}

/**
 * @param {unknown} value
 * @param {string} field that the value is about, empty at the top
 * @param {Set<string>} conditions
 * @param {number} depth
 * @returns {boolean} false where it is nested too deep
 */
function addConditions(value, field, conditions, depth) {
  if (depth > DEEPEST) return false;
  if (Array.isArray(value) || typeof value !== 'object' || value === null) {
    conditions.add(`${field === '' ? '*' : field}:eq`);
    return true;
  }
  const entries = Object.entries(value);
  if (entries.length === 0 && field !== '') conditions.add(`${field}:eq`);
  return entries.every(([name, inner]) => {
    if (name === '$and' && Array.isArray(inner)) {
      return inner.every((item) => addConditions(item, field, conditions, depth + 1));
    }
    if (!name.startsWith('$')) {
      return addConditions(inner, field === '' ? plain(name) : `${field}.${plain(name)}`, conditions, depth + 1);
    }
    const operator = name === '$exists' && inner === false ? 'missing' : plain(name.slice(1));
    conditions.add(`${field === '' ? '*' : field}:${operator}`);
    return true;
  });
}

/**
 * @param {unknown} name
 * @returns {string}
 */
function plain(name) {
  return typeof name === 'string' && PLAIN_NAME.test(name) ? name : '?';
}
