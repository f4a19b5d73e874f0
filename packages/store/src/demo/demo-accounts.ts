import { sql, type Transaction } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { insertAccount } from '../access/create-account.ts';
import { recordAccess } from '../access/record-access.ts';
import { issueId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { readRows } from '../row-macs/covered-rows.ts';
import type { Tables } from '../tables/tables.ts';

export interface DemoAccounts {
  readonly caller: Caller;
  /** Names of the clinics. */
  readonly names: readonly string[];
  readonly createWebhookSecret: () => string;
}

/** Creates the test accounts of a demo day. @returns their ids, in the order of the names. */
export async function createDemoAccounts(
  { db, vault }: Store,
  { caller, names, createWebhookSecret }: DemoAccounts,
): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    const ids: string[] = [];
    for (const name of names) {
      const account = { name, kind: 'provider', mode: 'test' } as const;
      const { id } = await insertAccount(trx, vault, issueId('acct'), {
        ...account,
        webhookSecret: createWebhookSecret(),
      });
      await trx.updateTable('account').set({ is_demo: true }).where('id', '=', id).execute();
      await recordAccess(trx, {
        caller,
        operation: 'demo.playDay',
        subjectId: id,
        details: { before: null, after: account },
      });
      ids.push(id);
    }
    return ids;
  });
}

/**
 * Deletes the demo accounts with everything of theirs but the lines of the audit. Only test accounts by their MAC: whoever
 * writes to the database cannot make a live account one of them.
 * @returns how many requests were deleted.
 */
export async function removeDemoAccounts(
  store: Store,
  { caller }: { readonly caller: Caller },
): Promise<number> {
  const accounts = await readRows(store, 'account', { is: { mode: 'test' }, where: sql<boolean>`is_demo` });
  if (accounts.length === 0) return 0;
  return store.db.transaction().execute(async (trx) => {
    const ids = accounts.map(({ id }) => id);
    const requestCount = await deleteAllOf(trx, ids);
    for (const id of ids) await recordAccess(trx, { caller, operation: 'demo.clearDay', subjectId: id });
    return requestCount;
  });
}

async function deleteAllOf(trx: Transaction<Tables>, ids: readonly string[]): Promise<number> {
  // Against a claim or a sending that is under way: it ends first, and finds nothing afterwards.
  const { rows: requests } = await sql<{ id: string }>`
    select id from request where account_id = any (${ids}) order by id for update`.execute(trx);
  const requestIds = requests.map(({ id }) => id);
  const { rows: deliveries } = await sql<{ id: string }>`
    select id from delivery
    where request_id = any (${requestIds}) or account_id = any (${ids})
      or event_id in (select event.id from event where event.account_id = any (${ids}))`.execute(trx);
  const deliveryIds = deliveries.map(({ id }) => id);
  await sql`delete from delivery_queue where delivery_id = any (${deliveryIds})`.execute(trx);
  await sql`delete from delivery_attempt where delivery_id = any (${deliveryIds})`.execute(trx);
  // What is known of a host was counted from these deliveries, or is counted again from the next.
  await sql`
    delete from receiver_hour where destination_host in (
      select destination_host from receiver where delivery_id = any (${deliveryIds}))`.execute(trx);
  await sql`delete from receiver where delivery_id = any (${deliveryIds})`.execute(trx);
  await sql`delete from delivery where id = any (${deliveryIds})`.execute(trx);
  await sql`
    delete from held_output
    where request_id = any (${requestIds}) or named_request_id = any (${requestIds})`.execute(trx);
  for (const table of [
    'result',
    'draft',
    'x12_exchange',
    'verification_attempt',
    'work_queue',
    'erasure',
    'legal_hold',
    'erasure_later',
    'idempotency_key',
  ])
    await sql`delete from ${sql.table(table)} where request_id = any (${requestIds})`.execute(trx);
  await sql`delete from request where id = any (${requestIds})`.execute(trx);
  for (const table of [
    'event',
    'webhook_endpoint',
    'account_served',
    'legal_hold',
    'retention_asking',
    'retention_change',
    'account_limit',
    'earlier_webhook_secret',
    'hourly_fact',
    'queue_depth',
  ])
    await sql`delete from ${sql.table(table)} where account_id = any (${ids})`.execute(trx);
  for (const table of [
    'sign_in_link',
    'emergency_access',
    'staff_session',
    'staff_identity',
    'passkey',
    'staff_settings',
  ])
    await sql`
      delete from ${sql.table(table)}
      where staff_id in (select id from staff where account_id = any (${ids}))`.execute(trx);
  for (const table of ['staff', 'api_key', 'data_key'])
    await sql`delete from ${sql.table(table)} where account_id = any (${ids})`.execute(trx);
  await sql`delete from account where id = any (${ids})`.execute(trx);
  return requestIds.length;
}
