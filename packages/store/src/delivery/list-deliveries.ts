import type { AttemptOutcome } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { SealBrokenError } from '../encryption/seal.ts';
import type { Vault } from '../encryption/vault.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { snippetPlace } from './snippet-place.ts';

export interface DeliveryView {
  readonly deliveryId: string;
  readonly version: number;
  readonly status: 'pending' | 'delivered' | 'exhausted' | 'superseded';
  /** Null once no attempt is due. */
  readonly nextAttemptAt: Date | null;
  readonly attempts: readonly AttemptView[];
}

interface AttemptView {
  readonly number: number;
  readonly at: Date;
  readonly outcome: AttemptOutcome;
  readonly statusCode: number | null;
  readonly durationMs: number;
  readonly responseSnippet: string | null;
}

/** A request's deliveries, in the order of their versions, each with its attempts. Null: no such request. */
export async function listDeliveries(
  { db, vault }: Store,
  caller: Caller,
  requestId: string,
): Promise<DeliveryView[] | null> {
  if (!isIssuedId('req', requestId)) return null;
  const request = await db
    .selectFrom('request')
    .select('id')
    .where('id', '=', requestId)
    .where(within(caller, 'account_id'))
    .executeTakeFirst();
  if (!request) return null;
  // One statement: in two, an attempt that is being written would show beside the step that came before it.
  const { rows } = await sql<DeliveryRow & (AttemptRow | { number: null })>`
    select delivery.id, delivery.version, delivery.status, delivery.run_at, attempt.*
    from delivery left join delivery_attempt as attempt on attempt.delivery_id = delivery.id
    where delivery.request_id = ${requestId}
    order by delivery.version, attempt.number`.execute(db);
  const deliveries = [...new Map(rows.map((row) => [row.id, row])).values()];
  const attempts = rows.filter((row) => row.number !== null);
  await recordAccess(db, { caller, operation: 'requests.deliveries', requestIds: [requestId] });
  return Promise.all(
    deliveries.map(async ({ id, version, status, run_at }) => ({
      deliveryId: id,
      version,
      status,
      nextAttemptAt: status === 'pending' ? run_at : null,
      attempts: await Promise.all(
        attempts
          .filter((attempt) => attempt.delivery_id === id)
          .map((attempt) => openAttempt(vault, attempt)),
      ),
    })),
  );
}

interface DeliveryRow {
  id: string;
  version: number;
  status: DeliveryView['status'];
  run_at: Date;
}

interface AttemptRow {
  delivery_id: string;
  number: number;
  at: Date;
  outcome: AttemptOutcome;
  status_code: number | null;
  duration_ms: number;
  response_snippet: Buffer | null;
}

async function openAttempt(vault: Vault, row: AttemptRow): Promise<AttemptView> {
  return {
    number: row.number,
    at: row.at,
    outcome: row.outcome,
    statusCode: row.status_code,
    durationMs: row.duration_ms,
    responseSnippet: await openSnippet(vault, row),
  };
}

/** Null for one that does not open, too: what the receiver said is a courtesy, and must not hide what was attempted. */
async function openSnippet(vault: Vault, { delivery_id: id, at, response_snippet: sealed }: AttemptRow) {
  if (!sealed) return null;
  try {
    return (await vault.open(snippetPlace(id, at), sealed)).toString('utf8');
  } catch (err) {
    if (err instanceof SealBrokenError) return null;
    throw err;
  }
}
