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
