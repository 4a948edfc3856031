// Checks how deeply a value is nested, without recursion: what a server sends may be nested deeper than the stack of
// this program allows.

/**
 * @param {unknown} value as JSON was read
 * @param {number} levels
 * @returns {boolean} whether lists and objects are nested in it deeper than that; a list without members is 1 level
 */
export function isDeeperThan(value, levels) {
  let layer = [value].filter(isNested);
  for (let level = 0; layer.length > 0; level += 1) {
    if (level >= levels) return true;
    layer = layer.flatMap((item) => Object.values(item).filter(isNested));
  }
  return false;
}

/** @param {unknown} value @returns {value is object} */
function isNested(value) {
  return typeof value === 'object' && value !== null;
}
