// Reads the body of a query as parameters, as if they were in its URL: those of views as they are, and of a Mango query
// its fields and operators, without a single value.

/** Parameters of views that a body may hold (couch_mrview_http:parse_body_and_query, 3.5.0). */
const VIEW_PARAMETERS = new Set(
  `include_docs reduce group group_level descending update stable inclusive_end update_seq conflicts attachments key keys startkey
  start_key endkey end_key startkey_docid endkey_docid limit skip`.split(/\s+/),
);

/** What is requested with such a body. */
const VIEW_PATH = /\/(?:_all_docs|_design_docs|_local_docs|_design\/[^/]+\/_view\/[^/]+)$/;
const FIND_PATH = /\/(?:_find|_explain)$/;

/** Names of fields and documents that are kept as they are; others become `?`, so that a shape is one short text. */
const PLAIN_NAME = /^[\w.$/-]{1,64}$/;
/** Selectors may hold each other. */
const DEEPEST = 20;
/** A selector of more conditions is made by a program, and no shape; so is a list of more fields. */
const MAX_CONDITIONS = 24;
/** What an answer says where an index was named and not taken (mango_cursor:invalid_index_warning/2, 3.5.0). */
const HINT_NOT_TAKEN = /was not used because it (?:does not contain|is not) a valid index/;

/**
 * @param {string} path
 * @param {unknown} body
 * @param {unknown} [answer] to a Mango query: it says whether the index was taken that the query names
 * @returns {string} `name=value&…`, empty where the body says nothing that is kept
 */
export function bodyParameters(path, body, answer) {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return '';
  const pairs = FIND_PATH.test(path) ? findPairs({ ...body }, answer) : VIEW_PATH.test(path) ? viewPairs(body) : [];
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
 * @param {unknown} answer
 * @returns {[string, string][]} under names of our own: in an address `sort` and `fields` mean something else to other endpoints
 */
function findPairs({ selector, sort, fields, bookmark, limit, skip, r, ...hint }, answer) {
  /** @type {[string, string][]} */
  const pairs = [['find.selector', describeSelector(selector)]];
  if (Array.isArray(sort) && sort.length > 0) pairs.push(['find.sort', sort.map(sortName).join()]);
  if (Array.isArray(fields) && fields.length > 0) pairs.push(['find.fields', fieldNames(fields)]);
  if (typeof bookmark === 'string' && bookmark !== '' && bookmark !== 'nil') pairs.push(['find.bookmark', '']);
  pairs.push(...hintPairs(hint, answer));
  if (typeof r === 'number' && r > 1) pairs.push(['find.r', String(r)]);
  if (typeof limit === 'number') pairs.push(['limit', String(limit)]);
  if (typeof skip === 'number') pairs.push(['skip', String(skip)]);
  return pairs;
}

/**
 * @param {Record<string, unknown>} body
 * @param {unknown} answer
 * @returns {[string, string][]} the index that is named; null and an empty list name none (mango_opts:validate_use_index/1, 3.5.0)
 */
function hintPairs({ use_index: useIndex, allow_fallback: allowFallback }, answer) {
  const names = [useIndex ?? []].flat();
  if (names.length === 0) return [];
  /** @type {[string, string][]} */
  const pairs = [['find.use_index', names.map(plain).join('/')]];
  if (allowFallback === false) pairs.push(['find.no_fallback', '']);
  /** @type {Record<string, unknown>} */
  const { docs, warning } = { ...(typeof answer === 'object' ? answer : null) };
  if (Array.isArray(docs)) {
    const isTaken = !(typeof warning === 'string' && HINT_NOT_TAKEN.test(warning));
    pairs.push(['find.hint_taken', String(isTaken)]);
  }
  return pairs;
}

/**
 * @param {unknown[]} fields that are requested
 * @returns {string} in one order, whatever theirs is
 */
function fieldNames(fields) {
  return fields.length > MAX_CONDITIONS ? '?' : [...new Set(fields.map(plain))].sort().join();
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
  if (!isWhole || conditions.size > MAX_CONDITIONS) return '?';
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
