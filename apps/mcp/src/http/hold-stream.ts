import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Session } from './sessions.ts';

/** Milliseconds between two signs of life: proxies close what is silent for a minute. */
const COMMENT_MS = 15_000;

/**
 * Holds a session's stream until its client goes or the session ends. Nothing is sent on it but signs of life: it is how
 * a client without a call under way shows that it is there.
 */
export async function holdStream(res: ServerResponse, session: Session): Promise<void> {
  session.presence.open();
  res.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    connection: 'close', // when the stream ends, so does what a stop would wait for
  });
  res.write(': open\n\n');
  const timer = setInterval(() => res.write(': open\n\n'), COMMENT_MS);
  const end = () => res.end();
  session.ending.signal.addEventListener('abort', end);
  try {
    if (!res.closed) await once(res, 'close');
  } finally {
    clearInterval(timer);
    session.ending.signal.removeEventListener('abort', end);
    session.hasStream = false;
    session.presence.close();
  }
}
