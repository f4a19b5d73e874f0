import { type ConsoleEvent, readEvents } from './read-events.ts';

/** `lost`: the stream was cut and is opened again at once. `missing`: it could not be opened and is tried again. */
export type StreamNews = ConsoleEvent | { readonly kind: 'lost' | 'missing' };

const RETRY_MS_MIN = 500;
const RETRY_MS_MAX = 15_000;

/** Keeps a stream open until the session ends or `signal` aborts, with an exponential delay between tries. */
export async function keepReading(signal: AbortSignal, onNews: (news: StreamNews) => void): Promise<void> {
  let failureCount = 0;
  while (!signal.aborted) {
    let wasOpen = false;
    try {
      for await (const event of readEvents(signal)) {
        wasOpen = true;
        onNews(event);
        if (event.kind === 'ended') return;
      }
    } catch {
      // Refused, unreachable or cut: all are tried again.
    }
    if (signal.aborted) return;
    failureCount = wasOpen ? 0 : failureCount + 1;
    onNews({ kind: wasOpen ? 'lost' : 'missing' });
    // Spread out: a service that starts again meets the pages one after the other.
    const delayMs = Math.min(RETRY_MS_MIN * 2 ** failureCount, RETRY_MS_MAX) * (0.75 + Math.random() / 2);
    await aMoment(delayMs, signal);
  }
}

/** Waits, or less where the browser comes online or `signal` aborts. */
function aMoment(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}
