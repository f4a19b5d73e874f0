import type { EventType } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { recordAccess } from '../access/record-access.ts';
import { destinationHostOf, endpointUrlPlace } from '../delivery/message.ts';
import type { Vault } from '../encryption/vault.ts';
import { issueId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import type { SubscriptionArguments } from '../tables/delivery.ts';
import { endpointSecretPlace } from './endpoints.ts';

// A subscription over MCP is an endpoint with a key, a time to live and the client's own secret.

/** Subscriptions of an account that are live. */
export const SUBSCRIPTION_COUNT_MAX = 100;

/** What identifies a subscription, besides the key that makes it (SEP-3415, "Subscription Identity"). */
export interface SubscriptionKey {
  readonly name: EventType | 'work.available';
  readonly wanted: SubscriptionArguments;
  readonly url: string;
}

/** The same for the same key, address, name and arguments, in whatever order these come. It is no secret. */
export function subscriptionIdOf(
  vault: Vault,
  keyId: string,
  { name, wanted, url }: SubscriptionKey,
): string {
  const parts = JSON.stringify([keyId, url, name, wanted.payer ?? null, wanted.channel ?? null]);
  return `sub_${vault.index('webhook_endpoint.subscription', parts).toString('hex').slice(0, 32)}`;
}

/** Whether a subscription is live; `too_many`: it is not, and the caller's account may have no further one. */
export async function findSubscription(
  { db }: Pick<Store, 'db'>,
  { caller, id }: { readonly caller: Caller; readonly id: string },
): Promise<{ readonly kind: 'live' | 'none' | 'too_many' }> {
  const live = await db
    .selectFrom('webhook_endpoint')
    .select('subscription')
    .where('account_id', '=', caller.accountId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .execute();
  if (live.some(({ subscription }) => subscription === id)) return { kind: 'live' };
  return { kind: live.length < SUBSCRIPTION_COUNT_MAX ? 'none' : 'too_many' };
}

interface Subscribing {
  readonly caller: Caller;
  readonly id: string;
  readonly key: SubscriptionKey;
  /** The client's own. */
  readonly secret: string;
  readonly ttlSeconds: number;
}

type Subscribed =
  | { readonly kind: 'subscribed'; readonly expiresAt: Date }
  /** The account has as many as it may have. */
  | { readonly kind: 'too_many' };

/** Minutes for which the secret before signs as well, once a refresh brings another one. */
const OVERLAP_MINUTES = 10;

/** Makes a subscription, or refreshes it: another time to live, and the secret replaced. */
export async function subscribe(
  store: Store,
  { caller, id, key: { name, wanted, url }, secret, ttlSeconds }: Subscribing,
): Promise<Subscribed> {
  const { db, vault } = store;
  const { accountId, keyId, mode, acrossAccounts } = caller;
  return db.transaction().execute(async (trx): Promise<Subscribed> => {
    await trx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
    const found = await findSubscription({ db: trx }, { caller, id });
    if (found.kind === 'too_many') return { kind: 'too_many' };
    const known = await trx
      .selectFrom('webhook_endpoint')
      .select(['id', 'secret'])
      .where('subscription', '=', id)
      .executeTakeFirst();
    const endpointId = known?.id ?? issueId('ep');
    const owner = { accountId };
    const place = endpointSecretPlace(endpointId);
    const before = known && (await vault.decrypt(owner, place, known.secret)).toString('utf8');
    const renewed = {
      expires_at: sql<Date>`now() + make_interval(secs => ${ttlSeconds})`,
      ended_at: null,
      ...(before !== secret && {
        secret: await vault.encrypt(owner, place, secret),
        ...(found.kind === 'live' &&
          known && {
            previous_secret: known.secret,
            previous_secret_until: sql<Date>`now() + make_interval(mins => ${OVERLAP_MINUTES})`,
          }),
      }),
    };
    const row = known
      ? await trx
          .updateTable('webhook_endpoint')
          .set(renewed)
          .where('id', '=', endpointId)
          .returning('expires_at')
          .executeTakeFirstOrThrow()
      : await trx
          .insertInto('webhook_endpoint')
          .values({
            id: endpointId,
            account_id: accountId,
            reach: acrossAccounts && name !== 'work.available' ? (mode === 'live' ? 'all' : 'test') : 'own',
            url: await vault.encrypt(owner, endpointUrlPlace(endpointId), url),
            destination_host: destinationHostOf(vault, url),
            types: [name],
            secret: await vault.encrypt(owner, place, secret),
            subscription: id,
            key_id: keyId,
            wanted: sql<SubscriptionArguments>`${JSON.stringify(wanted)}::jsonb`,
            expires_at: renewed.expires_at,
          })
          .returning('expires_at')
          .executeTakeFirstOrThrow();
    if (found.kind !== 'live') {
      // It learns at once what waits.
      await trx.deleteFrom('work_notice').where('endpoint_id', '=', endpointId).execute();
      await recordAccess(trx, {
        caller,
        operation: 'endpoints.create',
        subjectId: endpointId,
        details: { before: null, after: { types: [name], subscription: id } },
      });
    }
    if (!row.expires_at) throw new Error('A subscription always has an end.');
    return { kind: 'subscribed', expiresAt: row.expires_at };
  });
}

/** Ends a live subscription of the caller's key: nothing more is posted, also not what is still due. */
export async function endSubscription(
  { db }: Store,
  { caller, id }: { readonly caller: Caller; readonly id: string },
): Promise<{ readonly kind: 'ended' | 'not_found' }> {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('webhook_endpoint')
      .set({ ended_at: sql<Date>`now()` })
      .where('subscription', '=', id)
      .where('key_id', '=', caller.keyId)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', sql<Date>`now()`)
      .returning(['id', 'types'])
      .executeTakeFirst();
    if (!row) return { kind: 'not_found' as const };
    await recordAccess(trx, {
      caller,
      operation: 'endpoints.end',
      subjectId: row.id,
      details: { before: { ended: false }, after: { ended: true } },
    });
    return { kind: 'ended' as const };
  });
}
