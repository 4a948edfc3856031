// Sets the clock and the time zone of foreign code, written for the engine of the sandbox: its text runs there and
// nowhere else. Whatever time zone this machine has, local time is that of the given zone.

/** @typedef {{now: number, zoneMinutes: number}} ForeignClock the moment at which the code runs, in milliseconds; local time less UTC, in minutes */

/** Whether code read the moment, and whether it read the zone: code that did not runs alike at any other. @typedef {{now: boolean, zone: boolean}} ClockReads */

/**
 * Replaces `Date` by one that stands still, and whose local time is a fixed number of minutes from UTC (ECMA-262, 21.4.1.20 LocalTime).
 * @param {any} realm the global object of the foreign realm
 * @param {ForeignClock} clock
 * @returns {ClockReads} kept up to date
 */
function setForeignClock(realm, { now, zoneMinutes }) {
  const reads = { now: false, zone: false };
  const readNow = () => {
    reads.now = true;
    return now;
  };
  /** Local time less UTC, in milliseconds. */
  const readShift = () => {
    reads.zone = true;
    return zoneMinutes * 60_000;
  };
  const { Date: Real } = realm;
  const { prototype } = Real;
  const { apply, construct } = realm.Reflect;
  const { getTime, setTime } = prototype;
  /** @param {unknown} date @returns {any} a date whose UTC parts are the local parts of the given one */
  const shifted = (date) => new Real(apply(getTime, date, []) + readShift());
  for (const part of ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds', 'Milliseconds']) {
    const [get, set] = [prototype[`getUTC${part}`], prototype[`setUTC${part}`]];
    prototype[`get${part}`] = function getLocal() {
      return apply(get, shifted(this), []);
    };
    if (!set) continue;
    prototype[`set${part}`] = function setLocal(/** @type {unknown[]} */ ...parts) {
      return apply(setTime, this, [apply(set, shifted(this), parts) - readShift()]);
    };
  }
  prototype.getYear = function getYear() {
    return shifted(this).getUTCFullYear() - 1900;
  };
  prototype.getTimezoneOffset = function getTimezoneOffset() {
    return apply(getTime, this, []) * 0 - readShift() / 60_000;
  };
  const minutes = zoneMinutes < 0 ? -zoneMinutes : zoneMinutes;
  const digits = `${(minutes - (minutes % 60)) / 60}`.padStart(2, '0') + `${minutes % 60}`.padStart(2, '0');
  const zone = `GMT${zoneMinutes < 0 ? '-' : '+'}${digits}`;
  /** `Wed, 01 Jan 2025 00:00:00 GMT` gives both parts. @param {any} date @param {boolean} hasDay @param {boolean} hasTime */
  const written = (date, hasDay, hasTime) => {
    const text = shifted(date).toUTCString();
    if (text === 'Invalid Date') return text;
    const [day, number, month, year, time] = text.replace(',', '').split(' ');
    const parts = hasDay ? [day, month, number, year] : [];
    return (hasTime ? [...parts, time, zone] : parts).join(' ');
  };
  /** @type {[string, boolean, boolean][]} */
  const texts = [
    ['toString', true, true],
    ['toLocaleString', true, true],
    ['toDateString', true, false],
    ['toLocaleDateString', true, false],
    ['toTimeString', false, true],
    ['toLocaleTimeString', false, true],
  ];
  for (const [name, hasDay, hasTime] of texts) {
    prototype[name] = function toLocalText() {
      return written(this, hasDay, hasTime);
    };
  }
  const hasZone = /(?:Z|GMT|UTC?|[+-]\d\d:?\d\d)\s*(?:\(.*\))?$/i;
  const isDateOnly = /^\s*[+-]?\d{4,6}(?:-\d\d){0,2}\s*$/;
  const isIso = /^\s*[+-]?\d{4,6}-\d\d-\d\dT/;
  const hasYear = /(?:^|\D)\d{4}(?:\D|$)/;
  /** Engines take a text such as `due-00012` for a date, each for another; here it is none. @param {unknown} value @returns {number} */
  const parse = (value) => {
    const text = `${value}`;
    if (!hasYear.test(text)) return NaN;
    if (hasZone.test(text) || isDateOnly.test(text)) return Real.parse(text);
    return Real.parse(text + (isIso.test(text) ? 'Z' : ' UTC')) - readShift();
  };
  /** @param {unknown[]} given @returns {number} */
  const momentOf = (given) => {
    if (given.length === 0) return readNow();
    if (given.length > 1) return Real.UTC(...given) - readShift();
    const [value] = given;
    if (value instanceof Real) return apply(getTime, value, []);
    const primitive = value !== null && typeof value === 'object' ? value.valueOf() : value;
    return typeof primitive === 'string' ? parse(primitive) : +(/** @type {any} */ (primitive));
  };
  /** @this {unknown} @param {unknown[]} given */
  function Shifted(...given) {
    if (new.target === undefined) return `${new Real(readNow())}`;
    return construct(Real, [momentOf(given)], new.target);
  }
  realm.Object.defineProperty(Shifted, 'name', { value: 'Date' });
  realm.Object.defineProperty(Shifted, 'length', { value: 7 });
  Shifted.prototype = prototype;
  prototype.constructor = Shifted;
  Shifted.parse = parse;
  Shifted.UTC = Real.UTC;
  Shifted.now = function now_() {
    return readNow();
  };
  realm.Date = Shifted;
  return reads;
}

/** The function above as a text. */
export const FOREIGN_CLOCK = `(${setForeignClock.toString()})`;
