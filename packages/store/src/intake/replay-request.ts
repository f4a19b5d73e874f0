import type { RequestModel } from '@insurance-verification/schema';
import { recordAccess } from '../access/record-access.ts';
import type { Store } from '../open-store.ts';
import { type NewRequest, repeatedText } from './new-request.ts';
import { openRequestModel, requestModelColumns } from './request-row.ts';

export type Replay =
  | { readonly kind: 'replayed'; readonly request: RequestModel }
  /** The key was used before with another body, or another service date or time by which it is needed. */
  | { readonly kind: 'idempotency_key_reused' }
  /** The data of its request is gone. */
  | { readonly kind: 'erased' }
  /** Without a key, or with one that was not used before. */
  | { readonly kind: 'not_stored' };

/**
 * Repeats the first response under an idempotency key. It is a pure function of the stored data, so it is rebuilt
 * rather than stored.
 */
export async function replayRequest({ db, vault }: Store, request: NewRequest): Promise<Replay> {
  const { caller, idempotencyKey } = request;
  if (idempotencyKey === null) return { kind: 'not_stored' };
  const first = await db
    .selectFrom('idempotency_key')
    .innerJoin('request', 'request.id', 'idempotency_key.request_id')
    .select(requestModelColumns.map((column) => `request.${column}` as const))
    .select(['request.erased_at', 'idempotency_key.body_digest'])
    .where('idempotency_key.account_id', '=', caller.accountId)
    .where('idempotency_key.key', '=', vault.index('idempotency_key.key', idempotencyKey))
    .executeTakeFirst();
  if (!first) return { kind: 'not_stored' };
  if (first.erased_at) return { kind: 'erased' };
  if (!first.body_digest.equals(vault.index('idempotency_key.body', repeatedText(request))))
    return { kind: 'idempotency_key_reused' };
  await recordAccess(db, { caller, operation: 'requests.create', requestIds: [first.id] });
  const asCreated = {
    account_id: caller.accountId, // it is the key's: the request's own would open whatever a key is pointed to
    outcome: 'none',
    outcome_reason: null,
    delivery: 'none',
    delivery_reason: null,
  } as const;
  return { kind: 'replayed', request: await openRequestModel(vault, { ...first, ...asCreated }) };
}
