import type { Command } from 'commander';
import { asTyped } from './as-typed.ts';
import { jsonText } from './json-text.ts';
import { layOut } from './lay-out.ts';
import type { Block } from './table.ts';

/** A command's output: data on stdout, messages on stderr. */
export interface Terminal {
  readonly json: boolean;
  /** Prints the command's only answer: the document with `--json`, otherwise the blocks. */
  answer(document: unknown, blocks: readonly Block[]): void;
  /** Prints one of many answers: the document on one line with `--json`, otherwise the blocks. */
  report(document: unknown, blocks: readonly Block[]): void;
  /** Prints a message for a person. */
  say(message: string): void;
}

export function openTerminal(command: Command): Terminal {
  const { json, wide } = command.optsWithGlobals<{ json?: true; wide?: true }>();
  const write = (lines: readonly string[]) => process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  const say = (message: string) => process.stderr.write(`${asTyped(message)}\n`);
  const show = (blocks: readonly Block[]) => {
    const { lines, leftOut } = layOut(blocks, wide ? Infinity : stdoutWidth());
    write(lines);
    if (leftOut.length > 0) say(`Left out for want of width: ${leftOut.join(', ')}. --wide shows them.`);
  };
  return {
    json: json === true,
    answer: (document, blocks) => (json ? write([jsonText(document, 2)]) : show(blocks)),
    report: (document, blocks) => (json ? write([jsonText(document)]) : show(blocks)),
    say,
  };
}

/** Infinite for a file or a pipe: a script must not lose what a window is too narrow for. */
function stdoutWidth(): number {
  return process.stdout.isTTY ? process.stdout.columns || Infinity : Infinity;
}
