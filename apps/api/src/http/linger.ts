import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { discard } from '../body/discard.ts';

/** Milliseconds a refused client may go on sending before the connection is cut. */
export const LINGER_MS = 1_000;

/**
 * An answer for a client that is still sending a body nobody reads. Closed at once, the connection would be reset
 * because of the unread bytes, and the client would see the reset instead of the answer. So the answer goes out whole,
 * then incoming bytes are dropped until the client stops or the time is up.
 */
export function lingering(answer: string, req: IncomingMessage): Readable {
  return Readable.from(answerThenDrain(answer, req));
}

async function* answerThenDrain(answer: string, req: IncomingMessage) {
  yield answer;
  req.on('data', discard).resume();
  // Rejects when the client disconnects or the time is up; the answer ends either way.
  await finished(req, { signal: AbortSignal.timeout(LINGER_MS) }).catch(() => undefined);
}
