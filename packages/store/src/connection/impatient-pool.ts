import type { Socket } from 'node:net';
import type pg from 'pg';

/**
 * Milliseconds that a caller waits for a connection in use. Together with the longest lock wait (`lock_timeout`, 1.2
 * s), a caller of an overloaded database gets an error within two seconds.
 */
export const TURN_MS_MAX = 700;

/**
 * A pool that bounds the wait for a connection in use. `connectionTimeoutMillis` cannot: it also bounds the opening of
 * a new connection, which takes longer on a busy machine.
 */
export function impatientPool(
  pool: pg.Pool,
): Pick<pg.Pool, 'end' | 'options'> & { connect(): Promise<pg.PoolClient> } {
  // Subtracts the requests made earlier in this tick: the pool hands an idle connection over only in the next one.
  const freeCount = () => pool.idleCount + pool.options.max - pool.totalCount - pool.waitingCount;
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: () => (freeCount() > 0 ? pool.connect() : waitOneTurn(pool.connect())),
  };
}

async function waitOneTurn(connecting: Promise<pg.PoolClient>): Promise<pg.PoolClient> {
  const { promise: outOfPatience, reject } = Promise.withResolvers<never>();
  const tooLong = Object.assign(new Error('No connection came free.'), { code: 'ETIMEDOUT' });
  let gaveUp = false;
  const timer = setTimeout(() => {
    gaveUp = true;
    reject(tooLong);
  }, TURN_MS_MAX);
  connecting.then(
    (client) => gaveUp && client.release(),
    () => undefined, // the race below reports it, unless the wait ended first
  );
  try {
    return await Promise.race([connecting, outOfPatience]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Milliseconds without a byte from the server. Above the server's `statement_timeout` of 15 s, so that the server
 * reports first.
 */
const SILENCE_MS_MAX = 17_000;

/**
 * Makes a pooled connection fail in time: a half-open one never answers, so only a local timer notices it.
 * node-postgres's `query_timeout` does not help: it rejects the query but hands the dead connection to the next caller,
 * who waits 17 s more, and so on.
 */
export function guardConnection(client: pg.PoolClient, silenceMsMax = SILENCE_MS_MAX): void {
  const socket = client.connection.stream as Socket;
  socket.setTimeout(silenceMsMax, () => {
    socket.destroy(Object.assign(new Error('The database has gone silent.'), { code: 'ETIMEDOUT' }));
  });
}

/** Runs a limited number of tasks at a time, while the others queue. */
export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * @param patienceMs how long a task waits in the queue before it rejects with the error of an exhausted pool; without
 * it, indefinitely.
 */
export function createSemaphore(atOnceMax: number, patienceMs = Infinity): Semaphore {
  const waiting = new Set<() => void>();
  let free = atOnceMax;
  const waitForTurn = () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.add(resolve);
    if (patienceMs === Infinity) return promise;
    const timer = setTimeout(() => {
      waiting.delete(resolve);
      reject(Object.assign(new Error('No turn came.'), { code: 'ETIMEDOUT' }));
    }, patienceMs);
    return promise.finally(() => clearTimeout(timer));
  };
  return async (work) => {
    if (free === 0) await waitForTurn();
    else free -= 1;
    try {
      return await work();
    } finally {
      const [next] = waiting; // its slot passes on directly, so no newcomer can take it
      if (next) {
        waiting.delete(next);
        next();
      } else free += 1;
    }
  };
}
