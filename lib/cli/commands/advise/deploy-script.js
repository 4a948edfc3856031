// Finds the script of package.json that deploys design documents, so that a plan can name it.

import path from 'node:path';
import { readTextFile } from '../../../files/open-file.js';
import { attempt } from '../../../shared/attempt.js';
import { parseJson } from '../../../shared/parse-json.js';

/** Programs that push design documents; grunt by its plugins, whose tasks begin with `couch`. */
const TOOL = /\b(couchdb-push|couchdb-bootstrap|couchapp|grunt couch[\w-]*)\b/;

/**
 * @param {string} cwd
 * @returns {string | undefined} `npm run push` and the program that it runs; undefined where no script is known to deploy
 */
export function deployScript(cwd) {
  const { scripts } = /** @type {{scripts?: unknown}} */ (
    parseJson(attempt(() => readTextFile(path.join(cwd, 'package.json')), '')) ?? {}
  );
  for (const [name, command] of Object.entries(scripts ?? {})) {
    const tool = TOOL.exec(String(command))?.[1];
    if (tool !== undefined && /^[\w:.-]+$/.test(name)) return `\`npm run ${name}\` (${tool})`;
  }
  return undefined;
}
