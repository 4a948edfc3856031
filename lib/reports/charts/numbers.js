// Formats numbers as short texts for pictures and tables.

/** Larger numbers of ticks are shown in these. */
const STEPS = /** @type {const} */ ([
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
]);

/**
 * @param {number} value
 * @returns {string} with at least three digits that count: `0.0123`, `12.3`, `1,230`, `1,234,567`; `1.2e-7` and `2e+21` at the ends
 */
export function formatNumber(value) {
  if (!Number.isFinite(value)) return 'unknown';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e15 || size < 1e-4) return String(Number(value.toPrecision(2)).toExponential());
  if (size >= 999.5) return groupDigits(Math.round(value).toFixed(0));
  return String(Number(value.toPrecision(3)));
}

/**
 * @param {number} value
 * @param {string} unit what stands behind it; may be empty
 * @returns {string}
 */
export function formatWithUnit(value, unit) {
  return unit === '' ? formatNumber(value) : `${formatNumber(value)}\u00a0${unit}`;
}

/**
 * Labels for ticks of one axis, all with as many digits as distinguish them.
 * @param {number[]} values
 * @returns {string[]} `0`, `20k`, `40k`; `0.5`, `1.0`
 */
export function formatTicks(values) {
  const largest = Math.max(0, ...values.map(Math.abs));
  const [divisor, sign] = largest >= 10_000 ? (STEPS.find(([step]) => largest >= step) ?? [1, '']) : [1, ''];
  const gaps = values.slice(1).map((value, at) => Math.abs(value - /** @type {number} */ (values[at])) / divisor);
  const gap = gaps.length > 0 ? Math.min(...gaps) : largest / divisor;
  if (largest !== 0 && (largest / divisor >= 1e6 || gap < 1e-5)) {
    return values.map((value) => (value === 0 ? '0' : Number(value.toPrecision(4)).toExponential()));
  }
  const places = gap > 0 ? Math.min(6, countPlaces(gap)) : 0;
  return values.map((value) => (value === 0 ? '0' : `${groupDigits((value / divisor).toFixed(places))}${sign}`));
}

/**
 * @param {number} value of a tick on a logarithmic axis, which is shown as it is
 * @returns {string}
 */
export function formatLogTick(value) {
  const size = Math.abs(value);
  if (size >= 1e15 || (size > 0 && size < 1e-3)) return Number(value.toPrecision(3)).toExponential();
  const [divisor, sign] = size >= 10_000 ? (STEPS.find(([step]) => size >= step) ?? [1, '']) : [1, ''];
  return `${groupDigits(String(Number((value / divisor).toPrecision(3))))}${sign}`;
}

/**
 * @param {number} gap between ticks
 * @returns {number} of decimal places that show it
 */
function countPlaces(gap) {
  for (let places = 0; places < 6; places += 1) {
    const scaled = gap * 10 ** places;
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6 * scaled) return places;
  }
  return 6;
}

/**
 * @param {string} digits
 * @returns {string} with a comma between thousands
 */
function groupDigits(digits) {
  return digits.replace(/\B(?<!\..*)(?=(\d{3})+(?!\d))/g, ',');
}
