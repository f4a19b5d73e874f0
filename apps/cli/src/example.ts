import type { Command } from 'commander';

const examples = new WeakMap<Command, string>();

/** Gives a command a right example, which its help shows, and every message about a wrong use of it. */
export function withExample(command: Command, example: string): Command {
  examples.set(command, example);
  return command.addHelpText('after', `\nExample:\n  ${example}`).showHelpAfterError(rightExample(example));
}

/** The example of a command. */
export function exampleOf(command: Command): string {
  return examples.get(command) ?? 'iv --help';
}

/** The last line of a message about a wrong use. */
export function rightExample(example: string): string {
  return `Right, for example: ${example}`;
}
