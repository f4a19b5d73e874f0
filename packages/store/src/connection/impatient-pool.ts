import type pg from 'pg';

/**
 * Milliseconds for which a caller waits for a connection that others hold. With the longest wait for a lock
 * (`lock_timeout`, 1.2 s) a caller of an overloaded database is told so within two seconds.
 */
export const TURN_MS_MAX = 700;

/**
 * A pool that lets nobody wait long for a connection in use. `connectionTimeoutMillis` cannot do it: it bounds the
 * making of a new connection too, which a busy machine needs longer for.
 */
export function impatientPool(
  pool: pg.Pool,
): Pick<pg.Pool, 'end' | 'options'> & { connect(): Promise<pg.PoolClient> } {
  // Less those that others asked for in this same turn: the pool hands an idle one over in the next.
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
