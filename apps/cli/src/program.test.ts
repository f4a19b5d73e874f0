import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { exampleOf } from './example.ts';
import { createProgram } from './program.ts';

function leavesOf(command: Command, path: readonly string[]): { line: string; command: Command }[] {
  if (command.commands.length === 0) return [{ line: path.join(' '), command }];
  return command.commands.flatMap((inner) => leavesOf(inner, [...path, inner.name()]));
}

const leaves = leavesOf(createProgram(), ['iv']);

// Breaks if a command is added or removed without updating README's table.
test('the commands are those of the table', () => {
  const page = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(iv(?: [a-z][a-z-]*)+)/gm)].map(([, line]) => line);
  expect(leaves.map(({ line }) => line)).toEqual([...new Set(rows)]);
});

// Breaks if a wrong-usage message shows another command's example, or none.
test.each(leaves.map(({ line, command }) => [line, command] as const))(
  '%s has an example of itself',
  (line, command) => {
    expect(exampleOf(command)).toContain(line);
    expect(command.description()).not.toBe('');
  },
);

// Broke: `iv listen --secret whsec_…` was in the list of processes, and examples taught to type keys into the shell's
// history.
test.each(leaves.map(({ line, command }) => [line, command] as const))(
  '%s takes no secret as an argument, and its example has none',
  (_line, command) => {
    const taken = [
      ...command.options.map(({ flags }) => flags),
      ...command.registeredArguments.map((argument) => argument.name()),
    ];
    expect(
      taken.filter((name) =>
        /secret|password|token|credential|whsec|api.?key|encryption|seal.key/i.test(name),
      ),
    ).toEqual([]);
    expect(exampleOf(command)).not.toMatch(/(KEY|SECRET|TOKEN|DATABASE_URL)=/);
  },
);
