import pg from 'pg';

export interface DueListener {
  close(): Promise<void>;
}

/** Whom to tell. */
export interface DueHandlers {
  /** Some delivery fell due. */
  readonly wake: () => void;
  /** Someone asked to deliver to this host again: it may be back. By `ClaimedDelivery.hostKey`. */
  readonly probe: (hostKey: string) => void;
}

/** Milliseconds before another try after the connection broke. The poll carries the work meanwhile. */
const RECONNECT_MS = 1_000;

/**
 * Tells whenever some process made a delivery due. A hint only: what is missed while the connection is away is found
 * by the poll.
 */
export function listenForDueDeliveries(
  directConnectionString: string,
  { wake, probe }: DueHandlers,
): DueListener {
  let closed = false;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;

  const connect = async () => {
    const next = new pg.Client({
      connectionString: directConnectionString,
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
    next.on('notification', ({ payload = '' }) => (payload === '' ? wake() : probe(payload)));
    try {
      client = next;
      await next.connect();
      await next.query('listen delivery_due');
      wake(); // whatever fell due while no one listened
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
