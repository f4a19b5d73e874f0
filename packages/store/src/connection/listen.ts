import type pg from 'pg';
import { clientFor } from './client-for.ts';
import { isPooled } from './is-pooled.ts';

export interface Listener {
  close(): Promise<void>;
}

/** Whom each notification wakes, with what came with it; an empty text when nothing did. */
export interface Wakes {
  readonly delivery_due?: (payload: string) => void;
  readonly work_due?: (payload: string) => void;
}

/** Milliseconds before another try after the connection broke. The polls carry the work meanwhile. */
const RECONNECT_MS = 1_000;

/**
 * Listens to the notifications of other processes. They only hasten: the polls find what is missed while the connection
 * is away, and each time it is back everybody is woken once.
 *
 * Behind a pooler nobody listens: LISTEN would stay in a backend that the next transaction of anybody gets.
 * @param onPooled told once, when that is so: from then on the polls alone carry the work.
 */
export function listen(
  directConnectionString: string,
  wakes: Wakes,
  onPooled: () => void = () => undefined,
): Listener {
  const Client = clientFor(directConnectionString);
  const wakeOf = new Map(Object.entries(wakes) as [string, (payload: string) => void][]);
  let closed = false;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;

  const connect = async () => {
    const next = new Client({
      connectionTimeoutMillis: 5_000,
      // It never sends, so only these probes notice a server that is gone without a word. Unset, they begin after 2 h.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    let lost = false;
    const onLost = () => {
      if (lost) return;
      lost = true;
      next.end().catch(() => undefined); // already broken
      if (!closed) retry = setTimeout(() => void connect(), RECONNECT_MS);
    };
    next.on('error', onLost);
    next.on('end', onLost);
    next.on('notification', ({ channel, payload = '' }) => wakeOf.get(channel)?.(payload));
    try {
      client = next;
      await next.connect();
      if (await isPooled(next)) {
        lost = true; // for good
        await next.end();
        onPooled();
        return;
      }
      for (const channel of wakeOf.keys()) await next.query(`listen ${channel}`);
      for (const wake of wakeOf.values()) wake(''); // whatever fell due while no one listened
    } catch {
      onLost();
    }
  };
  void connect();

  return {
    close: async () => {
      closed = true;
      clearTimeout(retry);
      await client?.end().catch(() => undefined); // closing a broken connection is no news
    },
  };
}
