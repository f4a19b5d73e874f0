import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { type FoundAccountRetention, readAccountRetention } from './account-retention.ts';

export interface NewAccountRetention {
  readonly caller: Caller;
  readonly accountId: string;
  /** From the end of a request; null keeps its data. */
  readonly days: number | null;
}

/** For so long a shorter retention erases nothing: what is erased by mistake does not come back. */
const GRACE = '1 day';

const isShorter = (days: number | null, before: number | null) =>
  days !== null && (before === null || days < before);

/**
 * Sets after how many days an account's finished requests lose their data. A shorter retention begins a day later, so
 * that a mistake can be taken back; a longer one at once, though it does not bring back what is gone.
 */
export async function setAccountRetention(
  { db, vault }: Store,
  { caller, accountId, days }: NewAccountRetention,
): Promise<FoundAccountRetention> {
  if (!isIssuedId('acct', accountId)) return { kind: 'not_found' };
  return db.transaction().execute(async (trx): Promise<FoundAccountRetention> => {
    const account = await trx
      .selectFrom('account')
      .select('retention_days')
      .where('id', '=', accountId)
      .where(within(caller, 'id'))
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!account) return { kind: 'not_found' };
    const { retention_days: before } = account;
    await recordAccess(trx, {
      caller,
      operation: 'accounts.setRetention',
      subjectId: accountId,
      details: { before: { retention_days: before }, after: { retention_days: days } },
    });
    if (days !== before) {
      await trx
        .updateTable('account')
        .set({
          retention_days: days,
          ...(isShorter(days, before) && { erases_from: sql<Date>`now() + ${GRACE}::interval` }),
          ...(days === null && { erases_from: null }),
        })
        .where('id', '=', accountId)
        .execute();
      await trx
        .insertInto('retention_change')
        .values({ account_id: accountId, changed_by: caller.keyId, days_before: before, days_after: days })
        .execute();
    }
    return readAccountRetention({ db: trx, vault }, { caller, accountId });
  });
}
