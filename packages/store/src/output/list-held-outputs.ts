import type { HeldReason } from '@insurance-verification/schema';
import type { Caller } from '../access/caller.ts';
import { recordAccess } from '../access/record-access.ts';
import type { Store } from '../open-store.ts';
import { cutPage, type Page, type PageOptions } from '../page.ts';

/** A held output without its body. */
export interface HeldOutputSummary {
  readonly heldId: string;
  readonly reason: HeldReason;
  readonly receivedAt: Date;
  readonly requestId: string | null;
}

/** What waits for an operator, newest first. */
export async function listHeldOutputs(
  { db }: Store,
  caller: Caller,
  { limit, cursor }: PageOptions,
): Promise<Page<HeldOutputSummary>> {
  const found = await db
    .selectFrom('held_output')
    .select(['id', 'reason', 'received_at', 'request_id'])
    .where('status', '=', 'held')
    .$if(cursor !== undefined, (query) => query.where('id', '<', cursor ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const { rows, nextCursor } = cutPage(found, limit);
  await recordAccess(db, { caller, operation: 'heldOutputs.list' });
  const items = rows.map((row) => ({
    heldId: row.id,
    reason: row.reason,
    receivedAt: row.received_at,
    requestId: row.request_id,
  }));
  return { items, nextCursor };
}
