import type { RequestInfo, RequestModel } from '@insurance-verification/schema';
import { CompiledQuery } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { recordAccess } from '../access/record-access.ts';
import { issueId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { openRequestModel, requestModelColumns } from '../request-row.ts';
import { insertRequestsFunction } from './insert-requests.sql.ts';

export interface NewRequest {
  readonly caller: Caller;
  readonly payerId: string;
  readonly input: RequestInfo;
  /** The caller's `Idempotency-Key`; null when it sent none. */
  readonly idempotencyKey: string | null;
}

export type InsertedRequest =
  | { readonly kind: 'created' | 'replayed'; readonly request: RequestModel }
  /** The key was used before, with another body. Nothing was stored. */
  | { readonly kind: 'idempotency_key_reused' };

interface PreparedRequest extends NewRequest {
  readonly id: string;
  readonly text: string;
  readonly sealed: Buffer;
  readonly key: Buffer | null;
  readonly bodyDigest: Buffer | null;
}

/**
 * Stores requests, their idempotency keys and their access log lines in one statement, so in one transaction: all of
 * the list or none. Answers in the order of the list. Equal keys within one list must be kept apart by the caller.
 */
export async function insertRequests(
  store: Store,
  requests: readonly NewRequest[],
): Promise<InsertedRequest[]> {
  const prepared = await Promise.all(requests.map((request) => prepare(store, request)));
  const receivedAtById = await insert(store, prepared);
  return Promise.all(
    prepared.map(async (request): Promise<InsertedRequest> => {
      const receivedAt = receivedAtById.get(request.id);
      return receivedAt ? { kind: 'created', request: created(request, receivedAt) } : replay(store, request);
    }),
  );
}

async function prepare({ vault }: Store, request: NewRequest): Promise<PreparedRequest> {
  const id = issueId('req');
  const { accountId } = request.caller;
  const text = JSON.stringify(request.input);
  const keyed = request.idempotencyKey !== null;
  return {
    ...request,
    id,
    text,
    sealed: await vault.seal({ accountId }, `request.input:${id}`, text),
    key: keyed ? vault.index('idempotency_key.key', request.idempotencyKey ?? '') : null,
    bodyDigest: keyed ? vault.index('idempotency_key.body', text) : null,
  };
}

/**
 * Its `on conflict do nothing` waits for a rival transaction with the same key, so the row it left can be read after.
 */
async function insert({ db }: Store, requests: readonly PreparedRequest[]): Promise<Map<string, Date>> {
  const { rows } = await db.executeQuery<{ id: string; received_at: Date }>(
    CompiledQuery.raw(CALL, [
      requests.map(({ id }) => id),
      requests.map(({ caller }) => caller.accountId),
      requests.map(({ caller }) => caller.keyId),
      requests.map(({ payerId }) => payerId),
      requests.map(({ input }) => input.payer_info.name),
      requests.map(({ sealed }) => sealed),
      requests.map(({ key }) => key),
      requests.map(({ bodyDigest }) => bodyDigest),
    ]),
  );
  return new Map(rows.map((row) => [row.id, row.received_at]));
}

/** As text, which Kysely need not put together anew for each statement. */
const CALL = `select id, received_at from ${insertRequestsFunction.name}($1, $2, $3, $4, $5, $6, $7, $8)`;

/** The first answer again. It is a pure function of what was stored, so it is made anew rather than kept. */
async function replay({ db, vault }: Store, request: PreparedRequest): Promise<InsertedRequest> {
  if (!request.key || !request.bodyDigest)
    throw new Error('A request without an idempotency key was not inserted.');
  const first = await db
    .selectFrom('idempotency_key')
    .innerJoin('request', 'request.id', 'idempotency_key.request_id')
    .select(requestModelColumns)
    .select('idempotency_key.body_digest')
    .where('idempotency_key.account_id', '=', request.caller.accountId)
    .where('idempotency_key.key', '=', request.key)
    .executeTakeFirstOrThrow();
  if (!first.body_digest.equals(request.bodyDigest)) return { kind: 'idempotency_key_reused' };
  await recordAccess(db, { caller: request.caller, operation: 'requests.create', requestIds: [first.id] });
  const asCreated = {
    outcome: 'none',
    outcome_reason: null,
    delivery: 'none',
    delivery_reason: null,
  } as const;
  return { kind: 'replayed', request: await openRequestModel(vault, { ...first, ...asCreated }) };
}

function created(request: PreparedRequest, receivedAt: Date): RequestModel {
  return {
    request_id: request.id,
    input: request.input,
    received_timestamp: receivedAt.toISOString(),
    state: 'pending',
    error_reason: null,
  };
}
