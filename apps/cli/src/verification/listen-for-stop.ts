/** By which others end a process; SIGHUP when its terminal is closed. A terminal's Ctrl-C is a key to an open question. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Aborts when the command is to end: by a signal, or since nothing can be typed any more. `end` stops listening. */
export function listenForStop(): { readonly signal: AbortSignal; readonly end: () => void } {
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  // At its end a question waits for a key that cannot come, and the lease would be renewed for ever: from cron, say.
  process.stdin.once('end', stop);
  // Not `once`: a question's own listener comes next, and kills the process where it is the only one left.
  for (const name of SIGNALS) process.on(name, stop);
  return {
    signal: stopped.signal,
    end: () => {
      process.stdin.off('end', stop);
      for (const name of SIGNALS) process.off(name, stop);
    },
  };
}
