import type { DismissedHeldOutputs, HeldReason } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import type { Tables } from '../../tables/tables.ts';
import { handOnDismissed } from '../../verification/overdue/hand-on-dismissed.ts';
import { namedRequest } from '../named-request.ts';
import { heldOwner, heldPlace, heldRefs } from './held-seal.ts';

export interface BulkDismissal {
  readonly caller: Caller;
  readonly reason: HeldReason;
  /** Only outputs received before this time; defaults to now. */
  readonly receivedBefore?: Date | undefined;
  /** Only outputs that name this request. */
  readonly requestId?: string | undefined;
  readonly note?: string | undefined;
  readonly limit: number;
}

/** Rows locked at once: applying one of them waits some 20 ms at most. */
const BATCH_COUNT = 250;

const OPERATION = 'heldOutputs.dismissMany';

/**
 * Dismisses many held outputs of one reason, oldest first. One transaction per batch, so an interrupted call keeps its
 * progress, and calling again does the rest. Skips new arrivals, so that a flood cannot keep it going, and outputs that
 * somebody is settling.
 */
export async function dismissHeldOutputs(
  store: Store,
  dismissal: BulkDismissal,
): Promise<DismissedHeldOutputs> {
  const { db } = store;
  const { caller, limit, requestId } = dismissal;
  // No row names an id that was never issued, or a NUL, which PostgreSQL refuses in any text.
  if (requestId !== undefined && !isIssuedId('req', requestId)) {
    await recordAccess(db, { caller, operation: OPERATION });
    return { dismissed: 0, more: false };
  }
  // As text: a Date would lose the microseconds, and with them outputs received in this millisecond.
  const { until } = await db
    .selectNoFrom(
      sql<string>`least(now(), ${dismissal.receivedBefore ?? null}::timestamptz)::text`.as('until'),
    )
    .executeTakeFirstOrThrow();
  const scope = { ...dismissal, until };
  let dismissedCount = 0;
  while (dismissedCount < limit) {
    const batchCount = Math.min(BATCH_COUNT, limit - dismissedCount);
    const batch = await db.transaction().execute((trx) => dismissBatch(trx, store, scope, batchCount));
    if (batch === 0) break;
    dismissedCount += batch;
  }
  if (dismissedCount === 0) await recordAccess(db, { caller, operation: OPERATION });
  const left = await waiting(db, scope).limit(1).executeTakeFirst();
  return { dismissed: dismissedCount, more: left !== undefined };
}

type Scope = BulkDismissal & { readonly until: string };

async function dismissBatch(
  trx: Transaction<Tables>,
  { vault }: Store,
  scope: Scope,
  batchCount: number,
): Promise<number> {
  const { caller, note } = scope;
  const rows = await waiting(trx, scope).limit(batchCount).forUpdate('held_output').skipLocked().execute();
  if (rows.length === 0) return 0;
  const text = note === undefined ? null : JSON.stringify(note);
  const notes: (Buffer | null)[] = [];
  // One after the other: keys that other processes made are loaded over the single connection for data keys.
  for (const row of rows)
    notes.push(text === null ? null : await vault.seal(heldOwner(row), heldPlace('note', row), text));
  await sql`
    update held_output set status = 'dismissed', settled_at = now(), settled_by = ${caller.keyId}, note = dismissed.note,
      benefits = null
    from unnest(${rows.map(({ id }) => id)}::text[], ${notes}::bytea[]) as dismissed (id, note)
    where held_output.id = dismissed.id`.execute(trx);
  const requestIds = new Set(rows.flatMap(({ request_id: id }) => (id === null ? [] : [id])));
  if (scope.reason === 'agent_result') await handOnDismissed(trx, [...requestIds]);
  await recordAccess(trx, { caller, operation: OPERATION, requestIds: [...requestIds] });
  return rows.length;
}

function waiting(db: Store['db'], { caller, reason, until, requestId }: Scope) {
  return heldRefs(db, caller)
    .where('status', '=', 'held')
    .where('reason', '=', reason)
    .where('held_output.received_at', '<', sql<Date>`${until}::timestamptz`)
    .$if(requestId !== undefined, (held) => held.where(namedRequest, '=', requestId ?? ''))
    .orderBy('held_output.id');
}
