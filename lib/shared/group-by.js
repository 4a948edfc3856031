// Groups the members of a list, as `Map.groupBy` does, which Node.js has from version 21 on.

/**
 * @template T, K
 * @param {Iterable<T>} list
 * @param {(item: T) => K} keyOf
 * @returns {Map<K, T[]>} by key, in the order of the list
 */
export function groupBy(list, keyOf) {
  /** @type {Map<K, T[]>} */
  const groups = new Map();
  for (const item of list) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
