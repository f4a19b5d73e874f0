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
