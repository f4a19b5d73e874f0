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
  expect(leaves.map(({ line }) => line)).toEqual([
    'iv requests list',
    'iv requests search',
    'iv requests get',
    'iv requests create',
    'iv requests close',
    'iv requests attempts',
    'iv requests exchanges',
    'iv work stats',
    'iv deliveries list',
    'iv deliveries redeliver',
    'iv held list',
    'iv held show',
    'iv held compare',
    'iv held apply',
    'iv held dismiss',
    'iv held dismiss-many',
    'iv keys create',
    'iv keys list',
    'iv keys revoke',
    'iv keys first',
    'iv accounts create',
    'iv accounts list',
    'iv accounts suspend',
    'iv accounts resume',
    'iv accounts limits',
    'iv accounts retention',
    'iv staff add',
    'iv staff list',
    'iv staff set-roles',
    'iv staff end',
    'iv sessions list',
    'iv sessions end',
    'iv sessions break-glass',
    'iv console',
    'iv audit list',
    'iv audit export',
    'iv audit seals',
    'iv audit verify',
    'iv audit key',
    'iv audit months',
    'iv audit archive',
    'iv audit drop',
    'iv secret show',
    'iv secret rotate',
    'iv report response-times',
    'iv report requests',
    'iv report times',
    'iv report reasons',
    'iv report queue',
    'iv report held',
    'iv listen',
    'iv demo',
    'iv simulate',
    'iv migrate',
    'iv backup',
    'iv restore',
  ]);
});

// Breaks if a wrong-usage message shows another command's example, or none.
test.each(leaves.map(({ line, command }) => [line, command] as const))(
  '%s has an example of itself',
  (line, command) => {
    expect(exampleOf(command)).toContain(line);
    expect(command.description()).not.toBe('');
  },
);
