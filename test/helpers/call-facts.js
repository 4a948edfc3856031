// Prints the facts of calls in a temporary project, for tests of these facts.

import { createProject } from './temporary-project.js';

/** @typedef {Record<string, unknown>} Facts by id; `unknown` for what is not known */

/**
 * @param {string} head of the file
 * @param {string} code of an async function
 * @param {Record<string, string | object>} [others] files of the project
 * @returns {Promise<Facts>} of its first call in the order of the text
 */
export async function callFactsOf(head, code, others = {}) {
  const text = `${head}async function load() {\n${code}\n}\n`;
  const { stdout } = await createProject({ 'a.js': text, ...others }).run(['facts', '--format', 'json']);
  const { subjects } = JSON.parse(stdout);
  const calls = subjects.filter((/** @type {{kind: string}} */ { kind }) => kind === 'call');
  return factsOf(
    calls.find((/** @type {{place: {line: number}}} */ { place }) => place.line > head.split('\n').length),
  );
}

/**
 * @param {{facts: Record<string, {value?: unknown}>} | undefined} subject
 * @returns {Facts}
 */
function factsOf(subject) {
  return Object.fromEntries(
    Object.entries(subject?.facts ?? {}).map(([id, { value = 'unknown' }]) => {
      return [id, Array.isArray(value) ? value.map((item) => item.value ?? item) : value];
    }),
  );
}
