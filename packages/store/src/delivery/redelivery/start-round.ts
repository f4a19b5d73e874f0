import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../tables/tables.ts';
import { PROBE } from '../wake-when-due.ts';

/** The message of a request's result. */
interface MessageOf {
  readonly requestId: string;
  readonly version: number;
}

interface Bounds {
  /** Only messages that ended so. */
  readonly status?: 'exhausted' | 'delivered';
  /** Only messages that were done before, as Postgres writes it: a Date would lose the microseconds. */
  readonly until?: string;
}

export interface StartedRound {
  readonly requestId: string;
  /** Its `destination_host`. */
  readonly host: Buffer;
}

/**
 * Begins a new round of attempts for finished messages of requests that this transaction locked: same id, same bytes. The
 * request keeps showing the last round's outcome until this one ends. Leaves alone what is under way or superseded.
 */
export async function startRound(
  trx: Transaction<Tables>,
  messages: readonly MessageOf[],
  { status, until }: Bounds = {},
): Promise<StartedRound[]> {
  const requestIds = messages.map(({ requestId }) => requestId);
  const { rows } = await sql<{ request_id: string; destination_host: Buffer }>`
    with started as (
      update delivery set status = 'pending', reason = null, done_at = null, round_attempt_count = 0
      from unnest(${requestIds}::text[], ${messages.map(({ version }) => version)}::integer[])
        as message (request_id, version)
      where delivery.request_id = message.request_id and delivery.version = message.version
        and delivery.request_id = any (${requestIds}::text[])
        and delivery.status = any (${status === undefined ? ['exhausted', 'delivered'] : [status]})
        and delivery.done_at < coalesce(${until ?? null}::timestamptz, 'infinity')
      returning delivery.*
    )
    insert into delivery_queue (destination_host, account_id, run_at, delivery_id, request_id)
    select destination_host, account_id, now(), id, request_id from started
    returning request_id, destination_host`.execute(trx);
  return rows.map((row) => ({ requestId: row.request_id, host: row.destination_host }));
}

/**
 * Notifies the workers of redeliveries to these hosts, so that their circuit breakers let a probe through: a redelivery
 * implies that the receiver is back.
 */
export async function notifyHosts(trx: Transaction<Tables>, hosts: readonly Buffer[]): Promise<void> {
  const payloads = new Set(hosts.map((host) => PROBE + host.toString('base64')));
  await sql`
    select pg_notify('delivery_due', payload) from unnest(${[...payloads]}::text[]) as payload`.execute(trx);
}
