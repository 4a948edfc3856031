// Lists all families of attacks, in the order of the table.

import { answers } from './families/answers.js';
import { assistants } from './families/assistants.js';
import { cache } from './families/cache.js';
import { confirmKilled } from './families/confirm-killed.js';
import { echoes } from './families/echoes.js';
import { embeddedServer } from './families/embedded-server.js';
import { files } from './families/files.js';
import { fixes } from './families/fixes.js';
import { functions } from './families/functions.js';
import { hook } from './families/hook.js';
import { limits } from './families/limits.js';
import { links } from './families/links.js';
import { mutations } from './families/mutations.js';
import { names } from './families/names.js';
import { repositories } from './families/repositories.js';
import { secrets } from './families/secrets.js';
import { servers } from './families/servers.js';

/** @type {readonly import('./attack.js').Family[]} */
export const FAMILIES = [
  embeddedServer,
  functions,
  limits,
  names,
  mutations,
  cache,
  fixes,
  confirmKilled,
  servers,
  repositories,
  hook,
  secrets,
  links,
  answers,
  echoes,
  files,
  assistants,
];
