import type { Command } from 'commander';

/** What may follow a command: its subcommands or arguments, its options, and their values. */
export interface CompletedCommand {
  /** The command's words after `iv`, joined by spaces; empty for `iv` itself. */
  readonly words: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletedOption[];
}

interface CompletedOption {
  readonly flag: string;
  readonly description: string;
  readonly takesValue: boolean;
  /** The allowed values, where they are a fixed set. */
  readonly choices: readonly string[];
}

/** Every command of a program, groups included. */
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
