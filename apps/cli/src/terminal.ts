import type { Command } from 'commander';
import { jsonText } from './json-text.ts';

/** What a command tells: data on stdout, messages on stderr. */
export interface Terminal {
  readonly json: boolean;
  /** The command's one answer: the document with `--json`, else the lines. */
  answer(document: unknown, lines: readonly string[]): void;
  /** One of many answers: the document on one line with `--json`, else the lines. */
  report(document: unknown, lines: readonly string[]): void;
  /** A message for a person. */
  say(message: string): void;
}

export function openTerminal(command: Command): Terminal {
  const json = command.optsWithGlobals()['json'] === true;
  const write = (lines: readonly string[]) => process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  return {
    json,
    answer: (document, lines) => write(json ? [jsonText(document, 2)] : lines),
    report: (document, lines) => write(json ? [jsonText(document)] : lines),
    say: (message) => process.stderr.write(`${message}\n`),
  };
}
