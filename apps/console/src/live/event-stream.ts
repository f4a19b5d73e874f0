import type { ConsoleHints } from '@insurance-verification/schema';
import { originSecret } from '../api/origin-secret.ts';

/** The name of the lock and of the channel. Both belong to the origin, so services at other ports have their own. */
const NAME = 'console-events';

/**
 * One stream a browser: the tab that gets the lock reads it and passes it on; when it closes, the next one gets the
 * lock. Not a SharedWorker: the policy's `trusted-types 'none'` refuses its address. Browsers keep a tab that holds a
 * lock from being frozen. Without locks, over plain http from afar, every tab reads a stream of its own.
 */
export function shareStream(signal: AbortSignal, onNews: (news: StreamNews) => void): void {
  if (!('locks' in navigator)) {
    void keepReading(signal, onNews);
    return;
  }
  const channel = new BroadcastChannel(NAME);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin, and takes none
  const say = (news: StreamNews | { readonly kind: 'ask' }) => channel.postMessage(news);
  let isOpen = false;
  let reads = false;
  // A tab that comes later asks how things stand; only the one that reads answers.
  channel.addEventListener('message', ({ data }: MessageEvent<StreamNews | { kind: 'ask' }>) => {
    if (data.kind !== 'ask') onNews(data);
    else if (reads) say({ kind: isOpen ? 'open' : 'missing' });
  });
  signal.addEventListener('abort', () => channel.close());
  say({ kind: 'ask' });
  navigator.locks
    .request(NAME, { signal }, async () => {
      reads = true;
      await keepReading(signal, (news) => {
        if (news.kind !== 'hints') isOpen = news.kind === 'open';
        say(news);
        onNews(news);
      });
    })
    .catch(() => undefined); // given up before it was this tab's turn
}

/** `lost`: the stream was cut and is opened again at once. `missing`: it could not be opened and is tried again. */
export type StreamNews = ConsoleEvent | { readonly kind: 'lost' | 'missing' };

const RETRY_MS_MIN = 500;
const RETRY_MS_MAX = 15_000;

/** Keeps a stream open until the session ends or `signal` aborts, with an exponential delay between tries. */
async function keepReading(signal: AbortSignal, onNews: (news: StreamNews) => void): Promise<void> {
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

/** An event of the stream; `open` once it is connected. */
type ConsoleEvent =
  | { readonly kind: 'open' | 'person' | 'ended' }
  | { readonly kind: 'hints'; readonly hints: ConsoleHints };

/** Milliseconds of silence after which the connection counts as dead: the service writes every 15 s at least. */
const SILENCE_MS = 45_000;

/**
 * Reads `GET /console/events` until it is cut. By fetch, since an EventSource sends no header, and says neither why it
 * was refused nor that a heartbeat came. A 401 is the event `ended`.
 * @throws where the service cannot be reached, or answers anything else.
 */
async function* readEvents(signal: AbortSignal): AsyncGenerator<ConsoleEvent> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const answer = await fetch('/console/events', {
      signal: AbortSignal.any([signal, silence.signal]),
      headers: { accept: 'text/event-stream', 'origin-secret': originSecret() },
    });
    if (answer.status === 401) {
      yield { kind: 'ended' };
      return;
    }
    if (!answer.ok || !answer.body) throw new Error(`answered ${answer.status}`);
    yield { kind: 'open' };
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      const blocks = (rest + value).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventOf(block);
        if (event) yield event;
      }
    }
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

/** Parses one block of the stream; null for a heartbeat or an unknown event. */
function eventOf(block: string): ConsoleEvent | null {
  const field = (name: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  const kind = field('event');
  if (kind === 'person' || kind === 'ended') return { kind };
  if (kind !== 'hints') return null;
  return { kind, hints: JSON.parse(field('data') ?? '{}') as ConsoleHints };
}
