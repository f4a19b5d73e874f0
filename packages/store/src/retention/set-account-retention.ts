import { type Kysely, sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { askerOf, isOnlyPerson, type NotSecond, whyNotSecond } from '../access/two-people.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { insertRow, readNow } from '../row-macs/covered-rows.ts';
import type { Tables } from '../tables/tables.ts';
import { findAsking, type FoundAccountRetention, readAccountRetention } from './account-retention.ts';

export interface NewAccountRetention {
  readonly caller: Caller;
  readonly accountId: string;
  /** From the end of a request; null keeps its data. */
  readonly days: number | null;
}

/** For so long a shorter retention erases nothing: what is erased by mistake does not come back. */
const GRACE = '1 day';

const isShorter = (days: number | null, before: number | null): days is number =>
  days !== null && (before === null || days < before);

/**
 * Sets after how many days an account's finished requests lose their data. A longer retention begins at once, though it
 * does not bring back what is gone, and takes back a shorter one that was asked for. A shorter one is only asked for: a
 * second person confirms it ({@link confirmAccountRetention}). Asked for again it stays as it is.
 */
export async function setAccountRetention(
  { db, vault }: Store,
  { caller, accountId, days }: NewAccountRetention,
): Promise<FoundAccountRetention> {
  if (!isIssuedId('acct', accountId)) return { kind: 'not_found' };
  return db.transaction().execute(async (trx): Promise<FoundAccountRetention> => {
    const inside = { db: trx, vault };
    const account = await lockRetention(trx, { caller, accountId });
    if (!account) return { kind: 'not_found' };
    const { retention_days: before } = account;
    const asked = await findAsking(inside, accountId);
    const isAsking = isShorter(days, before);
    if (!isAsking || asked?.days !== days)
      await trx.deleteFrom('retention_asking').where('account_id', '=', accountId).execute();
    if (isAsking && asked?.days !== days)
      await insertRow(inside, 'retention_asking', {
        account_id: accountId,
        days,
        ...(await askerOf(inside, caller)),
        asked_at: await readNow(trx),
      });
    await recordAccess(trx, {
      caller,
      operation: 'accounts.setRetention',
      subjectId: accountId,
      details: {
        before: { retention_days: before, ...(asked && { asked_days: asked.days }) },
        after: { retention_days: isAsking ? before : days, ...(isAsking && { asked_days: days }) },
      },
    });
    if (!isAsking && days !== before)
      await change(trx, { accountId, before, days, changedBy: caller.keyId, askedBy: null });
    return readAccountRetention(inside, { caller, accountId });
  });
}

export interface RetentionConfirmation {
  /** A person who has just signed in. */
  readonly caller: Caller;
  readonly accountId: string;
  /** The days that were asked for: a person confirms only the number that they saw. */
  readonly days: number;
}

export type ConfirmedRetention =
  /** Also where the retention has these days already: then nothing changes. */
  | FoundAccountRetention
  /** These days are not asked for: others are, or it lapsed, or was taken back. */
  | { readonly kind: 'not_asked' }
  | { readonly kind: 'another_person_required'; readonly because: NotSecond };

/**
 * Makes an account's retention shorter, once a second person confirms what somebody asked for. It erases nothing for a
 * day, so that a mistake can be taken back. Where one person only is active on the installation, that one confirms, and
 * the line of the audit says so.
 */
export async function confirmAccountRetention(
  { db, vault }: Store,
  { caller, accountId, days }: RetentionConfirmation,
): Promise<ConfirmedRetention> {
  if (!isIssuedId('acct', accountId)) return { kind: 'not_found' };
  return db.transaction().execute(async (trx): Promise<ConfirmedRetention> => {
    const inside = { db: trx, vault };
    const account = await lockRetention(trx, { caller, accountId });
    if (!account) return { kind: 'not_found' };
    const { retention_days: before } = account;
    if (before === days) return readAccountRetention(inside, { caller, accountId });
    const asked = await findAsking(inside, accountId);
    if (asked?.days !== days || !isShorter(days, before)) return { kind: 'not_asked' };
    const isAlone = await isOnlyPerson(inside, caller);
    const because = isAlone ? null : await whyNotSecond(inside, asked, caller);
    if (because) return { kind: 'another_person_required', because };
    const { asked_by: askedBy, asked_at: askedAt } = asked;
    await trx.deleteFrom('retention_asking').where('account_id', '=', accountId).execute();
    await change(trx, { accountId, before, days, changedBy: caller.keyId, askedBy });
    await recordAccess(trx, {
      caller,
      operation: 'accounts.confirmRetention',
      subjectId: accountId,
      details: {
        before: { retention_days: before },
        after: {
          retention_days: days,
          asked_by: askedBy,
          asked_at: askedAt.toISOString(),
          by_one_person: isAlone,
        },
      },
    });
    return readAccountRetention(inside, { caller, accountId });
  });
}

/** Locks an account's retention until the transaction ends; undefined for no such account within reach. */
const lockRetention = (
  trx: Kysely<Tables>,
  { caller, accountId }: Pick<NewAccountRetention, 'caller' | 'accountId'>,
) =>
  trx
    .selectFrom('account')
    .select('retention_days')
    .where('id', '=', accountId)
    .where(within(caller, 'id'))
    .forNoKeyUpdate()
    .executeTakeFirst();

interface Change {
  readonly accountId: string;
  readonly before: number | null;
  readonly days: number | null;
  readonly changedBy: string;
  readonly askedBy: string | null;
}

async function change(
  trx: Kysely<Tables>,
  { accountId, before, days, changedBy, askedBy }: Change,
): Promise<void> {
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
    .values({
      account_id: accountId,
      changed_by: changedBy,
      asked_by: askedBy,
      days_before: before,
      days_after: days,
    })
    .execute();
}
