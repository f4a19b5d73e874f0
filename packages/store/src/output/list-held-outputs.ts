import type { HeldReason } from '@insurance-verification/schema';
import type { Caller } from '../access/caller.ts';
import { recordAccess } from '../access/record-access.ts';
import type { Store } from '../open-store.ts';
import { type Page, type PageOptions, readPage } from '../page.ts';
import { heldWithin } from './held-within.ts';
import { namedRequest } from './named-request.ts';

/** A held output without its body. */
export interface HeldOutputSummary {
  readonly heldId: string;
  readonly reason: HeldReason;
  readonly receivedAt: Date;
  readonly requestId: string | null;
}

/** What waits for an operator, of one reason or of all, newest first. */
export async function listHeldOutputs(
  { db }: Store,
  caller: Caller,
  { reason, ...page }: PageOptions & { readonly reason?: HeldReason | undefined },
): Promise<Page<HeldOutputSummary>> {
  const waiting = db
    .selectFrom('held_output')
    .select(['id', 'reason', 'received_at', namedRequest.as('request_id')])
    .where('status', '=', 'held')
    .where(heldWithin(caller));
  const held = reason === undefined ? waiting : waiting.where('reason', '=', reason);
  const { rows, next_cursor } = await readPage(held, page);
  await recordAccess(db, { caller, operation: 'heldOutputs.list' });
  const items = rows.map((row) => ({
    heldId: row.id,
    reason: row.reason,
    receivedAt: row.received_at,
    requestId: row.request_id,
  }));
  return { items, next_cursor };
}
