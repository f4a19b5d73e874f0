import { escapeHidden } from '@insurance-verification/schema';
import type { Command } from 'commander';
import { type Block, layOut } from './table.ts';

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

/**
 * JSON that is safe on a terminal: also escapes what `JSON.stringify` leaves, but a terminal acts on (DEL, the C1
 * controls), reorders (bidirectional marks) or does not show. Parsing it yields the same value.
 */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).split('\n').map(escapeHidden).join('\n');
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The words that started this program, so that a hint can be typed as shown: where `iv` is a script of the workspace,
 * the shell has no `iv`.
 */
function startWords(environment: Environment): string {
  const {
    npm_lifecycle_event: script,
    npm_package_name: workspace,
    npm_execpath: manager = '',
  } = environment;
  if (workspace !== 'insurance-verification' || (script !== 'iv' && script !== 'demo')) return 'iv';
  return manager.includes('pnpm') && !manager.includes('_npx') ? 'pnpm iv' : 'npx -y pnpm@12 iv';
}

/** The message, its commands beginning with the words that started this program. */
export function asTyped(message: string, environment: Environment = process.env): string {
  const words = startWords(environment);
  return words === 'iv' ? message : message.replaceAll(/(?<=^|[\s`'"])iv(?= [a-z-])/gm, words);
}

/** The words typed after the program's name, quoted for a shell, without the given option and its value. */
export function typedWithout(option: string, args: readonly string[] = process.argv.slice(2)): string {
  const kept = args.filter(
    (arg, index) => arg !== option && !arg.startsWith(`${option}=`) && args[index - 1] !== option,
  );
  return typedWords(kept);
}

/** The words typed after the program's name, quoted for a shell. */
export function typedWords(args: readonly string[] = process.argv.slice(2)): string {
  return ['iv', ...args.map(shellWord)].join(' ');
}

function shellWord(text: string): string {
  return /^[\w:/.@=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
