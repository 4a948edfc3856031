// Replaces lib/sandbox/compiled-engine.js: a browser shares no code that was compiled in the page, and the thread compiles its own.

/** @returns {undefined} */
export function compiledEngine() {
  return undefined;
}
