import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Session } from './sessions.ts';

/** Milliseconds between two keep-alive comments: proxies close connections that are silent for a minute. */
const COMMENT_MS = 15_000;

/**
 * Holds a session's stream until its client disconnects or the session ends. It carries keep-alive comments only:
 * through it a client without a call in flight shows its presence.
 */
export async function holdStream(res: ServerResponse, session: Session): Promise<void> {
  session.presence.open();
  res.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    connection: 'close', // a graceful stop then waits for nothing once the stream ends
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
    session.presence.closeStream();
  }
}
