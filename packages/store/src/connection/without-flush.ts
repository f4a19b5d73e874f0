import { sql } from 'kysely';

/**
 * Lets the surrounding transaction commit without waiting for the disk or a standby: only for leases and notifications.
 * If a database crash loses a lease, its worker lost its connection as well, and the row falls due again. Its text also
 * marks the statement as one that may continue while commits hang.
 */
export const withoutFlush = sql`set_config('synchronous_commit', 'off', true)`;
