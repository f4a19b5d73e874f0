import type { CompletedCommand } from './command-tree.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A script that the shell reads once. It contains every word: pressing Tab starts no program. */
export function completionScript(shell: Shell, commands: readonly CompletedCommand[]): string[] {
  return { bash, zsh, fish }[shell](commands);
}

/**
 * Finds the command in the words before the cursor: skips options and their values, and stops at the first word that
 * names no command, because ids follow from there. bash and zsh share these lines.
 */
const WALK = (commands: readonly CompletedCommand[]) => [
  '    case "$at $word" in',
  `      ${commands
    .filter(({ words }) => words !== '')
    .map(({ words }) => quoted(` ${words}`))
    .join('|')}) at="$at $word" ;;`,
  '    esac',
];

function bash(commands: readonly CompletedCommand[]): string[] {
  return [
    '# iv completion bash',
    '_iv() {',
    '  local at="" word words="" previous="${COMP_WORDS[COMP_CWORD-1]}" current="${COMP_WORDS[COMP_CWORD]}"',
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    ...WALK(commands),
    '  done',
    '  case "$at $previous" in',
    ...valueArms(commands, ({ choices }) => `words=${quoted(choices.join(' '))}; at=none`),
    '  esac',
    '  case "$at" in',
    ...commands.map(
      ({ words, commands: inner, options }) =>
        `    ${quoted(words === '' ? '' : ` ${words}`)}) words=${quoted(
          [...inner.map(({ name }) => name), ...options.map(({ flag }) => flag)].join(' '),
        )} ;;`,
    ),
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -F _iv iv',
  ];
}

function zsh(commands: readonly CompletedCommand[]): string[] {
  return [
    '#compdef iv',
    '# iv completion zsh',
    '_iv() {',
    '  local at="" word previous="${words[CURRENT-1]}"',
    '  local -a described',
    '  for word in "${(@)words[2,CURRENT-1]}"; do',
    ...WALK(commands),
    '  done',
    '  case "$at $previous" in',
    ...valueArms(commands, ({ choices }) =>
      choices.length === 0 ? 'return 1' : `compadd -- ${choices.map(quoted).join(' ')}; return`,
    ),
    '  esac',
    '  case "$at" in',
    ...commands.map(({ words, commands: inner, options }) => {
      const entries = [
        ...inner.map(({ name, description }) => quoted(`${name}:${description}`)),
        ...options.map(({ flag, description }) => quoted(`${flag}:${description}`)),
      ];
      return `    ${quoted(words === '' ? '' : ` ${words}`)}) described=(${entries.join(' ')}) ;;`;
    }),
    '  esac',
    "  _describe 'iv' described",
    '}',
    'compdef _iv iv',
  ];
}

function valueArms(
  commands: readonly CompletedCommand[],
  then: (option: CompletedCommand['options'][number]) => string,
): string[] {
  return commands.flatMap(({ words, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(
        (option) => `    ${quoted(`${words === '' ? '' : ` ${words}`} ${option.flag}`)}) ${then(option)} ;;`,
      ),
  );
}

/** fish parses the preceding words itself; a condition selects the command. */
function fish(commands: readonly CompletedCommand[]): string[] {
  return [
    '# iv completion fish',
    'function __iv_at',
    '  set -l at',
    '  for word in (commandline -opc)[2..-1]',
    '    switch "$at $word"',
    `      case ${commands
      .filter(({ words }) => words !== '')
      .map(({ words }) => quoted(` ${words}`))
      .join(' ')}`,
    '        set at "$at $word"',
    '    end',
    '  end',
    '  test "$at" = "$argv[1]"',
    'end',
    'complete -c iv -f',
    ...commands.flatMap(({ words, commands: inner, options }) => {
      const here = `complete -c iv -n ${quoted(`__iv_at ${quoted(words === '' ? '' : ` ${words}`)}`)}`;
      return [
        ...inner.map(({ name, description }) => `${here} -a ${quoted(name)} -d ${quoted(description)}`),
        ...options.map(({ flag, description, takesValue, choices }) => {
          const value = takesValue
            ? ` -x${choices.length > 0 ? ` -a ${quoted(choices.join(' '))}` : ''}`
            : '';
          return `${here} -l ${flag.slice(2)}${value} -d ${quoted(description)}`;
        }),
      ];
    }),
  ];
}

/** Quotes any text as one word for all three shells. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
