// Registers `couch-advisor completion`: its arguments, options and help, and the code that runs it.

/** @import { Command } from '../../command.js' */

/** @type {Command} */
export const command = {
  name: 'completion',
  about: 'print a shell completion script',
  parameters: [{ name: '<shell>', about: 'bash, zsh or fish', words: ['bash', 'zsh', 'fish'] }],
  options: [],
  notes: `Examples (in a project after npx --no-install):
  source <(couch-advisor completion bash)         in ~/.bashrc
  source <(couch-advisor completion zsh)          in ~/.zshrc, after compinit
  couch-advisor completion fish | source          in config.fish`,
  load: () => import('./run.js'),
};
