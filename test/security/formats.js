// Writes every format of a command in one run, and checks what each must be.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inspectGithub, inspectJson, inspectJunit, inspectMarkdown, inspectPage } from './inspect.js';

/** @import { Inspection } from './inspect.js' */

/** `inspect`: of what it prints; `files`: that it writes, each with what it must be. @typedef {{name: string, argv: string[], inspect: Inspection, files: Record<string, Inspection>}} Run */

/** @type {Record<string, Inspection>} */
export const REPORT_FORMATS = {
  json: inspectJson,
  sarif: inspectJson,
  junit: inspectJunit,
  gitlab: inspectJson,
  github: inspectGithub,
  markdown: inspectMarkdown,
  html: inspectPage,
};

/**
 * @param {string} command
 * @param {Record<string, Inspection>} formats
 * @returns {{argv: string[], files: Record<string, Inspection>}} all of them from one run, and text on standard output
 */
export function inFiles(command, formats) {
  const entries = Object.entries(formats).map(
    ([format, inspect]) => /** @type {const} */ ([format, `${command}.${format}`, inspect]),
  );
  return {
    argv: ['--format', 'text', ...entries.flatMap(([format, file]) => ['--format', `${format}=${file}`])],
    files: Object.fromEntries(entries.map(([, file, inspect]) => [file, inspect])),
  };
}

/**
 * @param {Run} run that has ended
 * @param {string} cwd
 * @returns {{file: string, text: string, failure: string | undefined}[]} the files that it had to write
 */
export function inspectOutput({ files }, cwd) {
  return Object.entries(files).map(([file, inspect]) => {
    if (!existsSync(path.join(cwd, file))) return { file, text: '', failure: 'it was not written' };
    const text = readFileSync(path.join(cwd, file), 'utf8');
    return { file, text, failure: inspect(text) };
  });
}
