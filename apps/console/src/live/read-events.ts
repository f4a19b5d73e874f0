import type { ConsoleHints } from '@insurance-verification/schema';
import { originSecret } from '../api/origin-secret.ts';

/** An event of the stream; `open` once it is connected. */
export type ConsoleEvent =
  | { readonly kind: 'open' | 'person' | 'ended' }
  | { readonly kind: 'hints'; readonly hints: ConsoleHints };

/** Milliseconds of silence after which the connection counts as dead: the service writes every 15 s at least. */
const SILENCE_MS = 45_000;

/**
 * Reads `GET /console/events` until it is cut. By fetch, since an EventSource sends no header, and says neither why it
 * was refused nor that a heartbeat came. A 401 is the event `ended`.
 * @throws where the service cannot be reached, or answers anything else.
 */
export async function* readEvents(signal: AbortSignal): AsyncGenerator<ConsoleEvent> {
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
