import type { RequestInfo, RequestModel } from '@insurance-verification/schema';
import { CompiledQuery } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { actorColumns, recordAccess } from '../access/record-access.ts';
import type { BlindIndexer } from '../encryption/blind-index.ts';
import type { Encrypter, Vault } from '../encryption/vault.ts';
import { binaryArray } from '../functions/binary-array.ts';
import { PREPARED } from '../functions/prepared-call.ts';
import { issueId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { keepingOf, type Route } from '../tables/intake.ts';
import { insertRequestsFunction } from './insert-requests.sql.ts';
import { memberIndex, memberIndexer, npiIndex, npiIndexer } from './member-index.ts';
import { genderPlace, openRequestModel, requestModelColumns, serviceDatePlace } from './read-request.ts';

export type InsertedRequest =
  | { readonly kind: 'created'; readonly request: RequestModel }
  | Exclude<Replay, { readonly kind: 'not_stored' }>;

interface PreparedRequest extends NewRequest {
  readonly id: string;
  readonly encrypted: Buffer;
  readonly encryptedServiceDate: Buffer | null;
  readonly encryptedGender: Buffer | null;
  readonly memberIndex: bigint;
  readonly npiIndex: bigint;
  readonly key: { readonly index: Buffer; readonly bodyDigest: Buffer } | null;
}

/**
 * Stores requests, their idempotency keys and their access log lines in one statement, and so in one transaction: all
 * or nothing. The results are in the order of the list. The caller must not pass equal keys in one list.
 */
export async function insertRequests(
  store: Store,
  requests: readonly NewRequest[],
  options: InsertOptions = {},
): Promise<InsertedRequest[]> {
  const { vault } = store;
  const accountIds = requests.map(({ caller }) => caller.accountId);
  const encrypt = await vault.encrypterFor(accountIds);
  const ofMember = await memberIndexer(vault, accountIds);
  const ofNpi = await npiIndexer(vault, accountIds);
  const prepared = requests.map((request) => prepare(vault, { encrypt, ofMember, ofNpi }, request));
  const { received_at: receivedAt, repeated_ids: repeatedIds } = await insert(store, prepared, options);
  const receivedTimestamp = receivedAt.toISOString();
  const created = (request: PreparedRequest) => createdRequest(request, receivedTimestamp);
  if (repeatedIds.length === 0) return prepared.map(created);
  return Promise.all(
    prepared.map(async (request) =>
      repeatedIds.includes(request.id) ? replay(store, request) : created(request),
    ),
  );
}

interface Keyed {
  readonly encrypt: Encrypter;
  readonly ofMember: BlindIndexer;
  readonly ofNpi: BlindIndexer;
}

function prepare(vault: Vault, { encrypt, ofMember, ofNpi }: Keyed, request: NewRequest): PreparedRequest {
  const { caller, input, idempotencyKey, serviceDate, gender } = request;
  const id = issueId('req');
  const encrypted = encrypt(caller.accountId, `request.input:${id}`, JSON.stringify(input));
  const encryptedServiceDate = serviceDate
    ? encrypt(caller.accountId, serviceDatePlace(id), JSON.stringify(serviceDate))
    : null;
  const encryptedGender = gender ? encrypt(caller.accountId, genderPlace(id), JSON.stringify(gender)) : null;
  const key =
    idempotencyKey === null
      ? null
      : {
          index: vault.index('idempotency_key.key', idempotencyKey),
          bodyDigest: vault.index('idempotency_key.body', repeatedText(request)),
        };
  return {
    ...request,
    id,
    encrypted,
    encryptedServiceDate,
    encryptedGender,
    memberIndex: memberIndex(ofMember, caller.accountId, input.patient_info.subscriber_id),
    npiIndex: npiIndex(ofNpi, caller.accountId, input.provider_info.npi),
    key,
  };
}

export interface InsertOptions {
  /** The batch that they all came in; absent or null for single requests. */
  readonly batchId?: string | null;
  /** Of their payers: how long a request waits for one that does not answer. Absent: none is asked by this service. */
  readonly routes?: readonly Route[] | undefined;
}

interface Insertion {
  /** The transaction's start: the same for the whole list. */
  readonly received_at: Date;
  /** Requests whose key was used before: nothing of them was stored. */
  readonly repeated_ids: readonly string[];
}

/** Its `on conflict do nothing` waits for a concurrent transaction with the same key, whose row can then be read. */
async function insert(
  { db }: Store,
  requests: readonly PreparedRequest[],
  { batchId = null, routes = [] }: InsertOptions,
): Promise<Insertion> {
  const keeping = new Map(routes.map((route) => [route.payerId, keepingOf(route)]));
  const keyed = requests.flatMap(({ id, caller, key }) => (key ? [{ id, caller, ...key }] : []));
  const actors = requests.map(({ caller }) => actorColumns(caller.by));
  const { rows } = await db.executeQuery<Insertion>(
    CompiledQuery.raw(CALL, [
      binaryArray('text', requests, ({ id }) => id),
      binaryArray('text', requests, ({ caller }) => caller.accountId),
      binaryArray('text', requests, ({ caller }) => caller.keyId),
      binaryArray('text', requests, ({ payerId }) => payerId),
      binaryArray('text', requests, ({ input }) => input.payer_info.name),
      binaryArray('bytea', requests, ({ encrypted }) => encrypted),
      // Marks requests of test accounts: they never reach a real verifier or payer.
      binaryArray('boolean', requests, ({ caller }) => caller.mode === 'test'),
      binaryArray('bigint', requests, (request) => request.memberIndex),
      binaryArray('bigint', requests, (request) => request.npiIndex),
      binaryArray('bytea', requests, ({ encryptedServiceDate }) => encryptedServiceDate),
      binaryArray('text', requests, ({ neededBy }) => neededBy?.toISOString() ?? null),
      binaryArray('text', keyed, ({ id }) => id),
      binaryArray('text', keyed, ({ caller }) => caller.accountId),
      binaryArray('bytea', keyed, ({ index }) => index),
      binaryArray('bytea', keyed, ({ bodyDigest }) => bodyDigest),
      binaryArray('text', actors, ({ actor_name }) => actor_name),
      binaryArray('text', actors, ({ session_id }) => session_id),
      binaryArray('text', actors, ({ address }) => address),
      binaryArray('boolean', actors, ({ emergency }) => emergency),
      batchId,
      binaryArray('bigint', requests, ({ payerId }) => keeping.get(payerId)?.seconds ?? null),
      binaryArray('boolean', requests, ({ payerId }) => keeping.get(payerId)?.isLast ?? false),
      binaryArray('bytea', requests, ({ encryptedGender }) => encryptedGender),
    ]),
  );
  const [insertion] = rows;
  if (!insertion) throw new Error('insert_requests answered nothing.');
  return insertion;
}

/** A constant text, which Kysely need not assemble for each statement. */
const CALL = `select now() as received_at,
  ${insertRequestsFunction.name}($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
  $16, $17, $18, $19, $20, $21, $22, $23) as repeated_ids ${PREPARED}`;

/** Returns the first answer under a repeated key. */
async function replay(store: Store, request: NewRequest): Promise<InsertedRequest> {
  const first = await replayRequest(store, request);
  if (first.kind === 'not_stored') throw new Error('A repeated idempotency key has no request.');
  return first;
}

function createdRequest({ id, input }: PreparedRequest, receivedTimestamp: string): InsertedRequest {
  const request: RequestModel = {
    request_id: id,
    input,
    received_timestamp: receivedTimestamp,
    state: 'pending',
    error_reason: null,
  };
  return { kind: 'created', request };
}

export interface NewRequest {
  readonly caller: Caller;
  readonly payerId: string;
  readonly input: RequestInfo;
  /** The caller's `Idempotency-Key`; null when it sent none. */
  readonly idempotencyKey: string | null;
  /** The day to ask about, `YYYY-MM-DD`; absent or null: the day of asking. */
  readonly serviceDate?: string | null;
  /** The patient's gender for inquiries over X12, `F`, `M` or `U`; absent or null: not given. */
  readonly gender?: string | null;
  /** When the caller needs the first result; absent or null: no time given. */
  readonly neededBy?: Date | null;
}

/**
 * The text that a repeat under the same idempotency key must equal: the body, and the headers for the service date,
 * the time of need and the gender. JSON has no line break of its own, so no two requests have one text.
 */
function repeatedText({ input, serviceDate, neededBy, gender }: NewRequest): string {
  const body = JSON.stringify(input);
  if (!serviceDate && !neededBy && !gender) return body;
  const said = `${body}\n${serviceDate ?? ''}\n${neededBy?.toISOString() ?? ''}`;
  return gender ? `${said}\n${gender}` : said;
}

type Replay =
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
