/**
 * The signals that end the process; SIGHUP when its terminal closes. An open question reads Ctrl-C as a key instead.
 */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Aborts when the command must end: by a signal, or because stdin ended. `end` stops listening. */
export function listenForStop(): { readonly signal: AbortSignal; readonly end: () => void } {
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  // After stdin ends, for example under cron, a question would wait for a key and the lease be renewed indefinitely.
  process.stdin.once('end', stop);
  // Not `once`: the question's own listener runs next, and kills the process if no other listener is left.
  for (const name of SIGNALS) process.on(name, stop);
  return {
    signal: stopped.signal,
    end: () => {
      process.stdin.off('end', stop);
      for (const name of SIGNALS) process.off(name, stop);
    },
  };
}
