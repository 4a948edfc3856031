// Finds the value of a field of a document by the name that a Mango selector or index gives it: `address.town`,
// `lines.0.sku`, `a\.b` for a name with a dot (mango_util:parse_field/1, mango_doc:get_field/2, 3.5.0).

/** A member that is not there. */
export const NOT_FOUND = Symbol('not found');
/** A path through a value that has no members: a number, or an array without that item. */
export const BAD_PATH = Symbol('bad path');

/** `list_to_integer/1` accepts a sign and leading zeros. */
const INTEGER = /^[+-]?\d+$/;

/**
 * @param {string} field
 * @returns {string[] | undefined} undefined where CouchDB refuses it: `invalid_field_name`, as a part is empty
 */
export function parsePath(field) {
  const isEscaped = field.includes('\\');
  const parts = isEscaped ? field.split(/(?<!\\)\./) : field.split('.');
  if (parts.includes('')) return undefined;
  return isEscaped ? parts.map((part) => part.replaceAll('\\', '')) : parts;
}

/**
 * @param {unknown} value
 * @param {readonly string[]} path
 * @returns {unknown} `NOT_FOUND` or `BAD_PATH` where there is none
 */
export function fieldAt(value, path) {
  let current = value;
  for (const name of path) {
    if (Array.isArray(current)) {
      const position = INTEGER.test(name) ? Number(name) : -1;
      if (position < 0 || position >= current.length) return BAD_PATH;
      current = current[position];
    } else if (typeof current === 'object' && current !== null) {
      if (!Object.hasOwn(current, name)) return NOT_FOUND;
      current = Reflect.get(current, name);
    } else {
      return BAD_PATH;
    }
  }
  return current;
}
