import { inCheckout } from '@insurance-verification/environment';
import { escapeHidden } from '@insurance-verification/schema';
import type { Command } from 'commander';

const examples = new WeakMap<Command, string>();

/** Gives a command a correct example, shown in its help and in every wrong-usage message. */
export function withExample(command: Command, example: string): Command {
  examples.set(command, example);
  return command.addHelpText('after', `\nExample:\n  ${example}`).showHelpAfterError(rightExample(example));
}

/** The example of a command. */
export function exampleOf(command: Command): string {
  return examples.get(command) ?? 'iv --help';
}

/** The last line of a wrong-usage message. */
export function rightExample(example: string): string {
  return `Right, for example: ${example}`;
}

/** How a command finds a service. @param which one where none is named, another where that one does not answer */
export function nameService(which: 'one' | 'another', words: string): string {
  const start = inCheckout ? 'Start one with `npx -y pnpm@12 start`, or name' : 'Name';
  return `${start} ${which}: IV_URL=https://verify.example ${words}`;
}

/** The command and its arguments as typed, without options: `iv requests get req_1`. */
export function commandWords(command: Command): string {
  const names = [];
  for (let each: Command | null = command; each; each = each.parent) names.unshift(each.name());
  return [...names, ...command.args].map(escapeHidden).join(' ');
}
