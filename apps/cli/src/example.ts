import type { Command } from 'commander';
import { visible } from './terminal/visible.ts';

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

/** The words of a command and of what it is about, as they were typed: `iv requests get req_1`. Options are left out. */
export function commandWords(command: Command): string {
  const names = [];
  for (let each: Command | null = command; each; each = each.parent) names.unshift(each.name());
  return [...names, ...command.args].map(visible).join(' ');
}
