import type { Socket } from 'node:net';
import type pg from 'pg';

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
