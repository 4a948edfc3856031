// Names an index after its columns.

/** CouchDB allows any name; file systems and people do not. */
const MAX_NAME = 60;

/**
 * @param {string[]} columns
 * @param {Record<string, unknown>} [filter]
 * @returns {string} `by_customer_date`, `by_date_type_order`
 */
export function indexName(columns, filter = {}) {
  const words = [...columns, ...Object.entries(filter).flatMap(([field, value]) => [field, String(value)])];
  const name = `by_${words.map((word) => word.replace(/[^\w]+/g, '_').replace(/^_+|_+$/g, '')).join('_')}`;
  return name.slice(0, MAX_NAME);
}
