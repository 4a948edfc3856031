// Makes the rows of a Mango index of type `json` for documents (mango_native_proc:get_index_entries/2, 3.5.0).

/** The definition of an index, as `_index` takes it under `index`. @typedef {{fields: (string | Record<string, string>)[] | Record<string, string>, partial_filter_selector?: unknown}} IndexDefinition */
/** @typedef {{key: unknown[], value: null}} MangoRow */

/** A list index in a path: `list_to_integer/1` accepts a sign and leading zeros. */
const INTEGER = /^[+-]?\d+$/;
const MISSING = Symbol('missing');

/**
 * @param {IndexDefinition} definition
 * @returns {string[]} its columns in order, whatever their direction, which CouchDB ignores
 */
function columnsOf({ fields }) {
  if (!Array.isArray(fields)) return Object.keys(fields);
  return fields.flatMap((field) => (typeof field === 'string' ? [field] : Object.keys(field)));
}

/**
 * @param {IndexDefinition} definition
 * @param {object} doc
 * @returns {MangoRow[] | {unknown: string}} no row where a column is missing in the document, or where it is a design document
 */
export function mangoRows(definition, doc) {
  const filter = definition.partial_filter_selector;
  if (filter !== undefined && JSON.stringify(filter) !== '{}')
    return { unknown: 'which documents a `partial_filter_selector` matches is unknown' };
  if ('_id' in doc && typeof doc._id === 'string' && doc._id.startsWith('_design/')) return [];
  const key = columnsOf(definition).map((column) => fieldAt(doc, column));
  return key.includes(MISSING) ? [] : [{ key, value: null }];
}

/**
 * mango_util:parse_field/1, mango_doc:get_field/2: `\.` is a dot in a name.
 * @param {unknown} value
 * @param {string} field
 * @returns {unknown} `MISSING` where there is none
 */
function fieldAt(value, field) {
  let current = value;
  for (const part of field.split(/(?<!\\)\./)) {
    const name = part.replaceAll('\\', '');
    if (Array.isArray(current)) {
      const position = INTEGER.test(name) ? Number(name) : -1;
      if (position < 0 || position >= current.length) return MISSING;
      current = current[position];
    } else if (typeof current === 'object' && current !== null && Object.hasOwn(current, name)) {
      current = Reflect.get(current, name);
    } else return MISSING;
  }
  return current;
}
