// Reads selectors of rules, which stand wherever a rule id does: the id, or a family as `call/*` or `call`.

/**
 * @param {string} selector as it is written
 * @returns {string} an id, or a family as `call/*`
 */
export function normalizeSelector(selector) {
  return selector.includes('/') || selector === '' ? selector : `${selector}/*`;
}

/**
 * @param {string} id of a rule
 * @returns {string} the selector of its family
 */
export function familyOf(id) {
  return `${id.slice(0, id.indexOf('/'))}/*`;
}

/**
 * @param {string} selector
 * @param {string} id of a rule
 * @returns {boolean}
 */
export function selectsRule(selector, id) {
  const normal = normalizeSelector(selector);
  return normal === id || normal === familyOf(id);
}

/**
 * @param {string} selector
 * @param {Iterable<string>} ids of rules
 * @returns {string[]} those that it selects
 */
export function selectedIds(selector, ids) {
  return [...ids].filter((id) => selectsRule(selector, id));
}
