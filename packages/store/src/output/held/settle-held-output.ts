import { sql, type Transaction } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import type { Tables } from '../../tables/tables.ts';

export interface Settlement {
  readonly heldId: string;
  readonly status: 'applied' | 'dismissed';
  readonly caller: Caller;
  /** Sealed. */
  readonly note?: Buffer | null;
}

/** Marks a held output as settled; false, without changes, when it was settled before. */
export async function settleHeldOutput(db: Transaction<Tables>, settlement: Settlement): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('held_output')
    .set({
      status: settlement.status,
      settled_at: sql<Date>`now()`,
      settled_by: settlement.caller.keyId,
      note: settlement.note ?? null,
      ...(settlement.status === 'dismissed' && { benefits: null }),
    })
    .where('id', '=', settlement.heldId)
    .where('status', '=', 'held')
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
