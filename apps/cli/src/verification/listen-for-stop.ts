import { keepRaw } from './prompts/asking.ts';

/** The signals that end the process; SIGHUP when its terminal closes. A terminal in raw mode sends Ctrl-C as a key. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const CTRL_C = 0x03;

/**
 * Aborts when the command must end: by a signal, by Ctrl-C, or because stdin ended. Keys that no question asked for are
 * neither shown nor kept for the next one. `end` stops listening.
 */
export function listenForStop(): { readonly signal: AbortSignal; readonly end: () => void } {
  const { stdin } = process;
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  const drop = (keys: Buffer) => {
    if (keys.includes(CTRL_C)) stop();
  };
  // After stdin ends, for example under cron, a question would wait for a key and the lease be renewed indefinitely.
  stdin.once('end', stop);
  // Not `once`: the question's own listener runs next, and kills the process if no other listener is left.
  for (const name of SIGNALS) process.on(name, stop);
  if (stdin.isTTY) stdin.on('data', drop);
  keepRaw(stdin);
  return {
    signal: stopped.signal,
    end: () => {
      stdin.off('end', stop);
      for (const name of SIGNALS) process.off(name, stop);
      if (!stdin.isTTY) return;
      stdin.off('data', drop);
      stdin.setRawMode(false).pause();
    },
  };
}
