import pg from 'pg';
import { DatabaseNotWritableError } from './primary.ts';

/**
 * SQLSTATE classes and codes of temporary failures: connection trouble (08), out of resources (53), or at a limit of the
 * server's own, such as its last multixact (54000); a server shutting down or starting (57P), a statement cut by a time-out
 * (57014), a disk or a file that fails (58), a transaction ended for its length or idling (25P03, 25P04), a lock wait that
 * timed out (55P03), serialization (40), a read-only server, such as a standby after a switchover (25006). Also what an operator is about to fix: a changed password or a locked-out role (28), a database
 * that was replaced, or that refuses connections while it is restored (3D000, 55000).
 */
const PASSING = /^(08|53|54000|57P|57014|58|25P03|25P04|55P03|40|25006|28|3D000|55000)/;

const socketErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'EHOSTUNREACH',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** node-postgres has no class or code for these errors, only their texts. */
const driverMessages = [
  'timeout exceeded when trying to connect', // the pool's
  'timeout expired', // a connection's own
  'Connection terminated',
  'Query read timeout',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'driver has already been destroyed',
];

/**
 * Whether an operation failed because the database was unreachable or overloaded, so the same call may succeed later.
 */
export function isDatabaseUnavailable(err: unknown): err is Error {
  if (!(err instanceof Error)) return false;
  if (err instanceof DatabaseNotWritableError) return true;
  if (err instanceof pg.DatabaseError) return PASSING.test(err.code ?? '');
  if ('code' in err && typeof err.code === 'string' && socketErrors.has(err.code)) return true;
  return (
    driverMessages.some((message) => err.message.startsWith(message)) || isDatabaseUnavailable(err.cause)
  );
}
