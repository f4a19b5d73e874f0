import { sql } from 'kysely';

/**
 * Lets the transaction around it commit without waiting for the disk or a standby: for leases and notifications
 * alone. A lease that a crash of the database takes back was held by a worker that lost its connection with it, and the
 * row falls due again. In the text of the statement it also says that the statement may go on while commits hang.
 */
export const withoutFlush = sql`set_config('synchronous_commit', 'off', true)`;
