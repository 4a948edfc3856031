// Matches documents against the Mango selectors this project writes, as CouchDB does (mango_selector.erl match and
// mango_doc.erl get_field, 3.5.2). Knows no other operators, and no order of texts.

/** What a field that is not there gives, and what a path gives that leads through something without fields. */
const [NOT_FOUND, BAD_PATH] = [Symbol('not found'), Symbol('bad path')];

/**
 * @param {Record<string, any>} selector
 * @param {unknown} document
 * @returns {boolean}
 */
export function matches(selector, document) {
  return Object.entries(selector).every(([key, condition]) => {
    if (key === '$and') return condition.every((/** @type {any} */ part) => matches(part, document));
    if (key === '$or') return condition.some((/** @type {any} */ part) => matches(part, document));
    const value = fieldOf(document, key.split('.'));
    if (value === BAD_PATH) return false;
    const isObject = condition !== null && typeof condition === 'object';
    if (value === NOT_FOUND) return isObject && JSON.stringify(condition) === '{"$exists":false}';
    return isObject ? meets(value, condition) : value === condition;
  });
}

/**
 * @param {unknown} value
 * @param {string[]} names
 * @returns {unknown}
 */
function fieldOf(value, [name, ...rest]) {
  if (name === undefined) return value;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return BAD_PATH;
  return Object.hasOwn(value, name) ? fieldOf(Reflect.get(value, name), rest) : NOT_FOUND;
}

/**
 * @param {any} value
 * @param {Record<string, any>} condition
 * @returns {boolean}
 */
function meets(value, condition) {
  return Object.entries(condition).every(([operator, operand]) => {
    if (operator === '$not') return !meets(value, operand);
    if (operator === '$exists') return operand;
    if (operator === '$ne') return value !== operand;
    if (operator === '$type') return typeOf(value) === operand;
    // Types come in this order; of one type only numbers are compared here.
    const rank = ['null', 'boolean', 'number', 'string', 'array', 'object'];
    const [first, second] = [rank.indexOf(typeOf(value)), rank.indexOf(typeOf(operand))];
    const order = first === second ? Math.sign(value - operand) : Math.sign(first - second);
    if (operator === '$gt') return order > 0;
    if (operator === '$gte') return order >= 0;
    if (operator === '$lt') return order < 0;
    if (operator === '$lte') return order <= 0;
    throw new Error(`the selector uses ${operator}`);
  });
}

/**
 * @param {unknown} value
 * @returns {string} as `$type` calls it
 */
function typeOf(value) {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
