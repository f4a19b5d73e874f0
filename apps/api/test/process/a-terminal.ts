import { stripVTControlCharacters } from 'node:util';
import { SERVICE_COMMAND } from '@insurance-verification/testing/start-service-process';
import { until } from '@insurance-verification/testing/until';
import { type IPty, spawn } from '@lydell/node-pty';
import { onTestFinished } from 'vitest';

/** The service in a terminal of 80 columns, as a person starts it. */
export interface Terminal {
  readonly pid: number;
  /** Everything shown so far, without colours, with `\n` line ends. */
  readonly shown: () => string;
  type(keys: string): void;
  /** Closes the terminal, like a click on its close button. */
  close(): void;
  /** The exit code. */
  ended(): Promise<number>;
}

export function aTerminal(env: Record<string, string>, flags: readonly string[] = []): Terminal {
  const [node, ...words] = SERVICE_COMMAND;
  const terminal: IPty & { destroy?(): void } = spawn(node, [...flags, ...words], {
    env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm', ...env },
    cols: 80,
  });
  let shown = '';
  let exitCode: number | undefined;
  terminal.onData((text) => (shown += text));
  terminal.onExit((end) => (exitCode = end.exitCode));
  onTestFinished(() => {
    try {
      if (exitCode === undefined) process.kill(terminal.pid, 'SIGKILL');
    } catch {
      // it has ended, and a terminal that was closed does not always say so
    }
  });
  return {
    pid: terminal.pid,
    shown: () => stripVTControlCharacters(shown).replaceAll('\r\n', '\n'),
    type: (keys) => terminal.write(keys),
    close: () => terminal.destroy?.(),
    ended: () => until('it ended', () => exitCode),
  };
}
