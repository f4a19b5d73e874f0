import type { Socket } from 'node:net';
import type pg from 'pg';
import { clientFor } from './client-for.ts';
import { isPooled } from './role-settings.ts';

export interface Listener {
  close(): Promise<void>;
}

/** The handler of each notification, called with its payload; empty when it had none, or after a reconnect. */
export interface Wakes {
  readonly delivery_due?: (payload: string) => void;
  readonly work_due?: (payload: string) => void;
  /** Something changed that a console may show. */
  readonly console_hint?: (payload: string) => void;
}

/** Milliseconds until a reconnect. Meanwhile polling finds the work. */
const RECONNECT_MS = 1_000;

/** Milliseconds between two checks of the connection, and the time for an answer. */
const CHECK_MS = 10_000;
const ANSWER_MS = 5_000;

/**
 * Listens to other processes' notifications. They only save time: polling finds whatever is missed while disconnected,
 * and every reconnect calls all handlers once.
 *
 * Does not listen behind a pooler: LISTEN would stay in a backend that runs anyone's next transaction.
 * @param onPooled called once in that case: from then on only polling finds the work.
 */
export function listen(
  directConnectionString: string,
  wakes: Wakes,
  onPooled: () => void = () => undefined,
  checkMs = CHECK_MS,
): Listener {
  const Client = clientFor(directConnectionString);
  const wakeOf = new Map(Object.entries(wakes) as [string, (payload: string) => void][]);
  let closed = false;
  let client: pg.Client | undefined;
  /** The next check or reconnect. */
  let timer: NodeJS.Timeout | undefined;

  const connect = async () => {
    const next = new Client({ connectionTimeoutMillis: 5_000 });
    let lost = false;
    const onLost = () => {
      if (lost) return;
      lost = true;
      clearTimeout(timer);
      drop(next);
      if (!closed) timer = setTimeout(() => void connect(), RECONNECT_MS);
    };
    // Only a query detects a server that is frozen or went without a word: a stopped process's kernel answers
    // keepalives too. To listen once more changes nothing, and fails on a standby.
    const check = () => {
      timer = setTimeout(onLost, ANSWER_MS);
      next.query(`listen ${[...wakeOf.keys()][0] ?? ''}`).then(checkLater, onLost);
    };
    const checkLater = () => {
      clearTimeout(timer);
      if (!lost && !closed) timer = setTimeout(check, checkMs);
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
      checkLater();
      for (const wake of wakeOf.values()) wake(''); // for work that fell due without a listener
    } catch {
      onLost();
    }
  };
  void connect();

  return {
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined); // a broken connection may fail to close
    },
  };
}

/** Terminates without a handshake: an unresponsive server would block it. */
function drop(client: pg.Client): void {
  (client.connection.stream as Socket).destroy();
}
