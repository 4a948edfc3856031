// Replaces lib/sandbox/thread-clock.js: a browser does not report the processor time of a thread, so a share of the elapsed time is used instead.
// Code that makes steps is stopped by counting them, as in Node.js; this clock only ends what makes none.

/** A thread that gets less of a processor than this may be ended too early. */
const MIN_SHARE = 1 / 4;

/** @returns {undefined} threads of a browser have no number */
export function ownThreadId() {
  return undefined;
}

/** @returns {{read: () => number, close: () => void}} `read`: milliseconds */
export function openThreadClock() {
  return { read: () => performance.now() * MIN_SHARE, close: () => {} };
}
