// Lists the commands in the order of the help.

import { command as advise } from './commands/advise/command.js';
import { command as bench } from './commands/bench/command.js';
import { command as ci } from './commands/ci/command.js';
import { command as completion } from './commands/completion/command.js';
import { command as confirm } from './commands/confirm/command.js';
import { command as digest } from './commands/digest/command.js';
import { command as explain } from './commands/explain/command.js';
import { command as facts } from './commands/facts/command.js';
import { command as init } from './commands/init/command.js';
import { command as lint } from './commands/lint/command.js';
import { command as lsp } from './commands/lsp/command.js';
import { command as mcp } from './commands/mcp/command.js';
import { command as predict } from './commands/predict/command.js';
import { command as profile } from './commands/profile/command.js';
import { command as rule } from './commands/rule/command.js';
import { command as rules } from './commands/rules/command.js';
import { command as upgrade } from './commands/upgrade/command.js';

export const COMMANDS = [
  lint,
  explain,
  facts,
  digest,
  advise,
  confirm,
  lsp,
  mcp,
  ci,
  bench,
  predict,
  upgrade,
  init,
  completion,
  profile,
  rules,
  rule,
];
