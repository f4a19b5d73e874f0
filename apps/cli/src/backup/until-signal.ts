const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs work that a signal aborts. The process ends only after the work has removed its leftovers, however often Ctrl-C
 * is pressed meanwhile.
 */
export async function untilSignal<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  const end = (name: NodeJS.Signals) => abort.abort(new Error(`ended by ${name}, and nothing is left of it`));
  for (const name of SIGNALS) process.on(name, end);
  try {
    return await work(abort.signal);
  } catch (err) {
    throw abort.signal.aborted ? abort.signal.reason : err;
  } finally {
    for (const name of SIGNALS) process.off(name, end);
  }
}
