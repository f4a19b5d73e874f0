import type { Socket } from 'node:net';
import type pg from 'pg';

/** Milliseconds without a byte from the server. Above its own `statement_timeout` of 15 s, so it speaks first. */
const SILENCE_MS_MAX = 17_000;

/**
 * Makes a pooled connection fail alone and in time.
 *
 * The pool listens for errors of idle connections only: one that breaks between two statements of a transaction would
 * end the process. And a half-open one answers nothing, so only a clock of our own notices it. `query_timeout` of
 * node-postgres is not that clock: it rejects the query and hands the dead connection to the next caller, who waits
 * 17 s more, and so on.
 */
export function guardConnection(client: pg.PoolClient, silenceMsMax = SILENCE_MS_MAX): void {
  client.on('error', () => undefined); // the statement under way, or the next one, reports it
  const socket = client.connection.stream as Socket;
  socket.setTimeout(silenceMsMax, () => {
    socket.destroy(Object.assign(new Error('The database has gone silent.'), { code: 'ETIMEDOUT' }));
  });
}
