import { keepReading, type StreamNews } from './keep-reading.ts';

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
