// Knows code that runs once: migrations, seeds and examples by their paths, scripts by their text.

/** Code in these folders and files runs once. */
const SET_UP =
  /(?:^|[/._-])(?:migrat\w*|seeds?|seeders?|seeding|fixtures?|examples?|samples?|demos?|bench(?:marks?)?|setup|set-up|install\w*|playground|upgrad\w*|scripts)(?:[/._-]|$)/i;

/** A program of its own: the system runs it, or it reads what it was called with. */
const PROGRAM =
  /^\ufeff?#!|\bprocess\.argv\b|\b(?:Deno\.args|parseArgs)\b|['"](?:commander|yargs(?:\/\w+)?|minimist|meow|optimist)['"]/;
/** `export {}` only makes TypeScript take the file for a module. */
const EXPORTS = /\bexports\b|^[^\S\n]*export\s+(?!\{\s*\})/m;
/** Servers, timers, feeds and queues go on until they are stopped. `setTimeout(resolve, 100)` is a pause. */
const GOES_ON =
  /\b(?:listen|createServer|serve|setInterval|subscribe|consume|follow|schedule)\s*\(|\bsetTimeout\s*\(\s*(?!(?:r|res|resolve|ok|done|fulfil+)\s*,)|\blive['"]?\s*:|\b(?:changesReader|continuous|longpoll|cron\w*|ipcMain)\b|\.on\s*\(\s*['"]message['"]/i;

/** @param {string} path @returns {boolean} */
export const isSetUp = (path) => SET_UP.test(path);

/**
 * @param {string} text of a file
 * @returns {boolean} whether it is a program that runs from top to bottom and ends, which nothing imports
 */
export function isScript(text) {
  return PROGRAM.test(text) && !EXPORTS.test(text) && !GOES_ON.test(text);
}
