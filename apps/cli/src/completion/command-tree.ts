import type { Command } from 'commander';

/** What may follow the words of a command: the names of those inside it, or what it is about, its options, and what its options take. */
export interface CompletedCommand {
  /** Its words after `iv`, joined by blanks; empty for `iv` itself. */
  readonly words: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletedOption[];
}

interface CompletedOption {
  readonly flag: string;
  readonly description: string;
  readonly takesValue: boolean;
  /** What it takes, where that is one of a few. */
  readonly choices: readonly string[];
}

/** Every command of a program, those that hold others too. */
export function commandTree(program: Command): CompletedCommand[] {
  const ofAll = program.options.map(completed);
  const visit = (command: Command, words: readonly string[]): CompletedCommand[] => [
    {
      words: words.join(' '),
      commands: [
        ...command.commands.map((each) => ({
          name: each.name(),
          description: firstLine(each.description()),
        })),
        ...command.registeredArguments.flatMap(({ argChoices = [], description }) =>
          argChoices.map((name) => ({ name, description })),
        ),
      ],
      options: [...(command === program ? [] : command.options.map(completed)), ...ofAll, HELP],
    },
    ...command.commands.flatMap((each) => visit(each, [...words, each.name()])),
  ];
  return visit(program, []);
}

const HELP: CompletedOption = {
  flag: '--help',
  description: 'show how it is used',
  takesValue: false,
  choices: [],
};

function completed(option: Command['options'][number]): CompletedOption {
  return {
    flag: option.long ?? option.short ?? '',
    description: firstLine(option.description),
    takesValue: option.required || option.optional,
    choices: option.argChoices ?? [],
  };
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}
