import { stripVTControlCharacters } from 'node:util';
import { type IPty, spawn } from '@lydell/node-pty';
import { Terminal } from '@xterm/headless';
import { expect, onTestFinished } from 'vitest';
import type { TestService } from '../a-service.ts';
import { naming } from '../iv.ts';
import { inherited, runSource } from '../run-source.ts';

export const UP = '\u001B[A';
export const DOWN = '\u001B[B';
export const ENTER = '\r';
export const ESC = '\u001B';
export const CTRL_C = '\u0003';
export const DELETE = '\u007F';
const SHOW_CURSOR = '\u001B[?25h';
const HIDE_CURSOR = '\u001B[?25l';

const SIZE = { cols: 100, rows: 40 };
const patiently = { timeout: 30_000 };

/** `iv work next` in its own pseudo-terminal, as a person has it: raw keys, one screen for both streams. */
export function startNext(service: TestService, args: readonly string[] = []) {
  const terminal: IPty = spawn(
    process.execPath,
    [...runSource(new URL('../../src/main.js', import.meta.url)), 'work', 'next', ...args],
    { ...SIZE, env: { ...inherited(), ...naming(service), TERM: 'xterm-256color' } },
  );
  let shown = '';
  let seenLength = 0;
  let exitCode: number | undefined;
  terminal.onData((text) => (shown += text));
  terminal.onExit((exit) => (exitCode = exit.exitCode));
  onTestFinished(() => {
    if (exitCode === undefined) terminal.kill('SIGKILL');
  });
  const unseen = () => stripVTControlCharacters(shown.slice(seenLength));
  const seen = async (pattern: RegExp) => {
    await expect.poll(unseen, patiently).toMatch(pattern);
    const text = unseen();
    seenLength = shown.length;
    return text;
  };
  return {
    /** Waits for a screen that awaits a key, and returns the text since the previous one. */
    seen,
    /** Waits for an unanswered question, and types. */
    answer: async (question: RegExp, keys: string) => {
      await seen(question);
      terminal.write(keys);
    },
    /** The same for several questions in order. */
    answerAll: async (answers: readonly (readonly [RegExp, string])[]) => {
      for (const [question, keys] of answers) {
        await seen(question);
        terminal.write(keys);
      }
    },
    type: (keys: string) => terminal.write(keys),
    /** The lines that a person sees now, with those that have scrolled away. */
    screen: () => linesOf(shown),
    kill: (signal: string) => terminal.kill(signal),
    ended: async () => {
      await expect.poll(() => exitCode, patiently).toBeDefined();
      // The person must get back a terminal with a visible cursor.
      const cursorIsShown = shown.lastIndexOf(SHOW_CURSOR) >= shown.lastIndexOf(HIDE_CURSOR);
      return { exitCode, cursorIsShown, text: stripVTControlCharacters(shown) };
    },
  };
}

/** What a terminal makes of a program's output: what was wiped is gone. */
async function linesOf(output: string): Promise<string[]> {
  const screen = new Terminal({ ...SIZE, allowProposedApi: true });
  await new Promise<void>((resolve) => screen.write(output, resolve));
  const { active } = screen.buffer;
  const lines = Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true));
  screen.dispose();
  return lines.filter((line) => line !== undefined);
}
