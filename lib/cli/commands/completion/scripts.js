// Writes shell completion scripts from the table of commands. They run nothing except `couch-advisor rules`, for ids.

/** @import { Command, OptionSpec } from '../../command.js' */

/** @typedef {'bash' | 'zsh' | 'fish'} Shell */

/** What may stand behind an option. @typedef {{kind: 'none' | 'words' | 'files' | 'rules' | 'free', words: readonly string[]}} Value */

/** Prints the ids of all rules, one a line: with the program of the path, else that of the project. */
const LIST_RULES =
  "sh -c 'command -v couch-advisor >/dev/null && exec couch-advisor rules; exec npx --no-install couch-advisor rules' 2>/dev/null | sed -n 's|^\\([a-z]*/[a-z0-9-]*\\).*|\\1|p'";

/** Of commands that take no option of their own. @type {OptionSpec[]} */
const HELP = [{ name: 'help', about: 'print this help' }];

/**
 * @param {Shell} shell
 * @param {readonly Command[]} commands
 * @returns {string}
 */
export function renderCompletion(shell, commands) {
  if (shell === 'bash') return renderBash(commands);
  return shell === 'zsh' ? renderZsh(commands) : renderFish(commands);
}

/** @param {OptionSpec} option @returns {Value} */
function valueBehind({ name, value, choices, words = choices }) {
  if (value === undefined || value.startsWith('[')) return { kind: 'none', words: [] };
  if (words) return { kind: 'words', words };
  if (name === 'rule') return { kind: 'rules', words: [] };
  return { kind: /^<(?:file|path)>$/.test(value) ? 'files' : 'free', words: [] };
}

/** @param {Command} command @returns {Value} of words that are no options */
function parameterOf({ parameters }) {
  const [first] = parameters;
  if (!first) return { kind: 'none', words: [] };
  if (first.name.includes('rule')) return { kind: 'rules', words: [] };
  if (first.words) return { kind: 'words', words: first.words };
  return { kind: parameters.some((parameter) => /paths|logs/.test(parameter.name)) ? 'files' : 'free', words: [] };
}

/** @param {Command} command @returns {OptionSpec[]} */
function optionsOf({ options }) {
  return [...options, ...HELP];
}

/** @param {readonly Command[]} commands @returns {string} */
function renderBash(commands) {
  const cases = commands.map((command) => {
    const options = optionsOf(command);
    const values = options.flatMap((option) => {
      const reply = bashReply(valueBehind(option));
      return valueBehind(option).kind === 'none' ? [] : [`      --${option.name}) ${reply}; return ;;`];
    });
    return `  ${command.name})
    case "$previous" in
${values.join('\n')}
    esac
    if [[ "$current" == -* ]]; then
      COMPREPLY=($(compgen -W '${options.map(({ name }) => `--${name}`).join(' ')}' -- "$current"))
    else
      ${bashReply(parameterOf(command))}
    fi ;;`.replace(/\n {4}case "\$previous" in\n\n {4}esac/, '');
  });
  return `# Completion of couch-advisor for bash: source <(couch-advisor completion bash)
_couch_advisor() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" IFS=$' \\t\\n'
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')} help --help --version' -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  help) COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')}' -- "$current")) ;;
  esac
}
complete -o bashdefault -o default -F _couch_advisor couch-advisor
# As it is typed in a project: npx --no-install couch-advisor.
_couch_advisor_npx() {
  local at
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    if [[ "\${COMP_WORDS[at]}" == couch-advisor ]]; then
      COMP_WORDS=("\${COMP_WORDS[@]:at}")
      ((COMP_CWORD -= at))
      _couch_advisor
      return
    fi
    [[ "\${COMP_WORDS[at]}" == -* ]] || return
  done
}
complete -p npx >/dev/null 2>&1 || complete -o bashdefault -o default -F _couch_advisor_npx npx
`;
}

/** @param {Value} value @returns {string} a command of bash; where it leaves the reply empty, bash completes files */
function bashReply({ kind, words }) {
  if (kind === 'words') return `COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$current"))`;
  if (kind === 'rules') return `COMPREPLY=($(compgen -W "$(${LIST_RULES})" -- "$current"))`;
  return ':';
}

/** @param {readonly Command[]} commands @returns {string} */
function renderZsh(commands) {
  const cases = commands.map((command) => {
    const lines = optionsOf(command).map((option) => {
      const star = option.repeats ? '*' : '';
      const action = zshAction(valueBehind(option));
      const behind = valueBehind(option).kind === 'none' ? '' : `=:${option.name}:${action}`;
      return `        ${zshWord(`${star}--${option.name}${behind === '' ? '' : '='}[${zshText(option.about)}]${behind.slice(1)}`)}`;
    });
    const parameter = parameterOf(command);
    if (parameter.kind !== 'none') lines.push(`        ${zshWord(`*:argument:${zshAction(parameter)}`)}`);
    return `      ${command.name})\n        _arguments -s \\\n${lines.join(' \\\n')} ;;`;
  });
  const described = commands.map(({ name, about }) => `    ${zshWord(`${name}:${zshText(about)}`)}`);
  return `#compdef couch-advisor
# Completion of couch-advisor for zsh: source <(couch-advisor completion zsh), or save it as _couch-advisor in a folder of $fpath.
_couch_advisor_rules() {
  local -a rules
  rules=(\${(f)"$(${LIST_RULES})"})
  compadd -a rules
}
_couch_advisor() {
  local -a commands
  commands=(
${described.join('\n')}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  shift words
  ((CURRENT--))
  case "$words[1]" in
${cases.join('\n')}
  esac
}
if [[ "$funcstack[1]" == _couch-advisor ]]; then
  _couch_advisor "$@"
else
  compdef _couch_advisor couch-advisor
  # As it is typed in a project: npx --no-install couch-advisor.
  _couch_advisor_npx() {
    local at=2
    while [[ "$words[at]" == -* ]]; do ((at++)); done
    if [[ "$words[at]" != couch-advisor ]] || ((CURRENT <= at)); then
      _default
      return
    fi
    shift $((at - 1)) words
    ((CURRENT -= at - 1))
    _couch_advisor
  }
  [[ -n "\${_comps[npx]}" ]] || compdef _couch_advisor_npx npx
fi
`;
}

/** @param {Value} value @returns {string} */
function zshAction({ kind, words }) {
  if (kind === 'words') return `(${words.join(' ')})`;
  if (kind === 'rules') return '_couch_advisor_rules';
  return kind === 'files' ? '_files' : ' ';
}

/** @param {string} text @returns {string} within brackets of \`_arguments\` or behind a colon of \`_describe\` */
function zshText(text) {
  return text.replaceAll(/[[\]:\\]/g, (character) => `\\${character}`);
}

/** @param {string} text @returns {string} one word of the shell */
function zshWord(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** @param {readonly Command[]} commands @returns {string} */
function renderFish(commands) {
  const names = commands.map(({ name }) => name).join(' ');
  const lines = [
    '# Completion of couch-advisor for fish: couch-advisor completion fish | source',
    'complete -c couch-advisor -f',
    ...commands.map(
      ({ name, about }) =>
        `complete -c couch-advisor -n "not __fish_seen_subcommand_from ${names}" -a ${name} -d ${fishWord(about)}`,
    ),
  ];
  for (const command of commands) {
    const isSeen = `-n "__fish_seen_subcommand_from ${command.name}"`;
    for (const option of optionsOf(command)) {
      lines.push(
        `complete -c couch-advisor ${isSeen} -l ${option.name}${fishValue(valueBehind(option))} -d ${fishWord(option.about)}`,
      );
    }
    const { kind, words } = parameterOf(command);
    if (kind === 'files') lines.push(`complete -c couch-advisor ${isSeen} -F`);
    else if (kind === 'rules') lines.push(`complete -c couch-advisor ${isSeen} -a ${fishWord(`(${LIST_RULES})`)}`);
    else if (kind === 'words') lines.push(`complete -c couch-advisor ${isSeen} -a ${fishWord(words.join(' '))}`);
  }
  lines.push(
    '# As it is typed in a project: npx --no-install couch-advisor.',
    'function __couch_advisor_npx',
    '  set -l words (commandline -opc)',
    '  set -l current (commandline -ct)',
    '  set -l at (contains -i -- couch-advisor $words)',
    '  complete -C (string join " " -- (string escape -- $words[$at..-1]))" $current"',
    'end',
    'complete -c npx -n "__fish_seen_subcommand_from couch-advisor" -f -a "(__couch_advisor_npx)"',
  );
  return `${lines.join('\n')}\n`;
}

/** @param {Value} value @returns {string} */
function fishValue({ kind, words }) {
  if (kind === 'words') return ` -x -a ${fishWord(words.join(' '))}`;
  if (kind === 'rules') return ` -x -a ${fishWord(`(${LIST_RULES})`)}`;
  if (kind === 'files') return ' -r -F';
  return kind === 'free' ? ' -x' : '';
}

/** @param {string} text @returns {string} one word of the shell */
function fishWord(text) {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
