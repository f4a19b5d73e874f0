import { ErrorReason, type InsurancePlanData, type RequestInfo } from '@insurance-verification/schema';
import type { RecordedOperation } from '@insurance-verification/schema/contract';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { actorColumns } from '../../access/record-access.ts';
import { destinationHostOf } from '../../delivery/destination-host.ts';
import { DirectHandoff, type NewDelivery } from '../../delivery/leases/direct-handoff.ts';
import { LEASE_SECONDS } from '../../delivery/leases/lease.ts';
import type { LocalWorker } from '../../delivery/leases/local-worker.ts';
import { messageBody } from '../../delivery/message-body.ts';
import type { Sealer, Vault } from '../../encryption/vault.ts';
import { keepExchangesCall, type PlainX12Exchange } from '../../evidence/x12-exchange.ts';
import { binaryArray } from '../../functions/binary-array.ts';
import { prepared } from '../../functions/prepared-call.ts';
import type { LockedRequest } from '../../intake/lock-request.ts';
import { openRequestInfo } from '../../intake/request-row.ts';
import { issueId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import type { Tables } from '../../tables/tables.ts';
import { applyFindingsFunction } from './apply-findings.sql.ts';
import { digestOf, type FindingAttempt, type ResultFinding } from './finding.ts';

export interface Application {
  readonly request: OpenedRequest;
  readonly finding: ResultFinding;
  readonly caller: Caller | null;
  readonly operation: RecordedOperation;
  readonly heldOutputId?: string;
  /** The verifier's attempt that produced it; absent when there was none, as when a request is closed. */
  readonly attempt?: FindingAttempt;
}

/** What is written along with the findings. */
export interface AppliedWith {
  readonly exchanges?: readonly PlainX12Exchange[];
  readonly localWorker?: LocalWorker | undefined;
}

/** The parts of a request that a result is made from. Only the version ever changes. */
export interface OpenedRequest {
  readonly id: string;
  readonly accountId: string;
  readonly input: RequestInfo;
  readonly receivedTimestamp: string;
  /** The current result's version; 0 before the first. */
  readonly version: number;
}

/** The content of `result.body`. `messageBody` relies on its two fields and on their order. */
export interface StoredFinding {
  readonly errorReason: string | null;
  readonly insuranceData: InsurancePlanData[];
}

/**
 * Makes each finding its request's next result and queues its delivery, all in one statement. Unfinished deliveries of
 * earlier versions end as `superseded`, so a stale result cannot leave the queue later. Leases on the request become
 * void, and its attempts record who found what.
 * @param applications of different requests.
 * @param also.exchanges evidence stored in the same transaction, whatever is applied.
 * @param also.localWorker begins at once the deliveries it has a slot for. Not allowed within a transaction: it would send
 * what may still be rolled back.
 * @returns whether each was applied. If not, nothing was done: its request got a result since it was read, its lease no
 * longer holds, or somebody else is changing the request at the moment.
 */
export async function applyFindings(
  db: Kysely<Tables>,
  store: Store,
  applications: readonly Application[],
  { exchanges = [], localWorker }: AppliedWith = {},
): Promise<boolean[]> {
  const seal = await store.vault.sealerFor(applications.map(({ request }) => request.accountId));
  const rows = applications.map((application) => toRow(store.vault, seal, application));
  const handoff = new DirectHandoff(
    store,
    localWorker,
    rows.map(({ message }) => message),
  );
  let written: Awaited<ReturnType<typeof write>>;
  try {
    written = await write(db, store, { rows, exchanges, handoff });
  } catch (err) {
    handoff.abandon();
    throw err;
  }
  const { places } = written;
  const isWritten = applications.map((_, index) => places.has(index + 1));
  await handoff.settle({ ...written, isWritten });
  return isWritten;
}

/**
 * Makes a finding the next result of a request that this transaction locked with `lockRequest`.
 * @returns the result's version, from 1.
 */
export async function applyToLocked(
  trx: Transaction<Tables>,
  store: Store,
  application: Omit<Application, 'request'> & { readonly request: LockedRequest },
): Promise<number> {
  const request = await openFoundRequest(store.vault, application.request);
  const [isApplied] = await applyFindings(trx, store, [{ ...application, request }]);
  if (!isApplied) throw new Error('A locked request was given a result by another.');
  return request.version + 1;
}

/** The columns of a request that a result is made from. */
export type FoundRequestRow = Pick<LockedRequest, 'id' | 'account_id' | 'input' | 'received_at' | 'version'>;

/** Decrypts the parts of a request's row that a result is made from. */
export async function openFoundRequest(vault: Vault, row: FoundRequestRow): Promise<OpenedRequest> {
  return {
    id: row.id,
    accountId: row.account_id,
    input: await openRequestInfo(vault, row),
    receivedTimestamp: row.received_at.toISOString(),
    version: row.version,
  };
}

interface Writing {
  readonly rows: readonly Row[];
  readonly exchanges: readonly PlainX12Exchange[];
  readonly handoff: DirectHandoff;
}

interface WrittenRow {
  readonly places: readonly number[];
  readonly written_at: Date;
  readonly signing_account_ids: readonly string[] | null;
  readonly signing_secrets: readonly Buffer[] | null;
}

async function write(db: Kysely<Tables>, store: Store, { rows, exchanges, handoff }: Writing) {
  const column = <Name extends Exclude<keyof Row, 'message'>>(name: Name) => rows.map((row) => row[name]);
  const bytes = (elementOf: (row: Row) => Buffer | null) => binaryArray('bytea', rows, elementOf);
  const statement = sql<WrittenRow>`
    select applied.* ${exchanges.length > 0 ? sql`, ${await keepExchangesCall(store.vault, exchanges)}` : sql``}
    from ${sql.raw(applyFindingsFunction.name)}(
      ${column('requestId')}, ${column('version')}, ${column('outcome')}, ${bytes(({ outcomeReason }) => outcomeReason)},
      ${bytes(({ body }) => body)}, ${bytes(({ benefits }) => benefits)}, ${bytes(({ digest }) => digest)}, ${column('slug')}, ${column('heldOutputId')}, ${column('keyId')},
      ${column('callerAccountId')}, ${column('operation')}, ${column('actor_name')}, ${column('session_id')},
      ${column('address')}, ${column('emergency')}, ${column('hasAttempt')}, ${column('leaseToken')},
      ${column('channel')}, ${bytes(({ evidence }) => evidence)}, ${column('deliveryId')}, ${column('accountId')},
      ${bytes(({ destination }) => destination)}, ${bytes(({ destinationHost }) => destinationHost)},
      ${store.firstDeliveryDelaySeconds}, ${handoff.leaseTokens}, ${LEASE_SECONDS}, ${store.notifier}) as applied ${prepared}`;
  const [answer] = (await statement.execute(db)).rows;
  if (!answer) throw new Error('A function with one answer gave none.');
  const accountIds = answer.signing_account_ids ?? [];
  const secrets = (answer.signing_secrets ?? []).map((secret, index) => ({
    secret,
    accountId: accountIds[index] ?? '',
  }));
  const byAccount = Map.groupBy(secrets, ({ accountId }) => accountId);
  return {
    places: new Set(answer.places),
    writtenAt: answer.written_at,
    sealedSecrets: new Map([...byAccount].map(([id, some]) => [id, some.map(({ secret }) => secret)])),
  };
}

type Row = ReturnType<typeof toRow>;

function toRow(vault: Vault, seal: Sealer, application: Application) {
  const { request, finding, caller, attempt } = application;
  const { id, accountId, input } = request;
  const version = request.version + 1;
  const deliveryId = issueId('msg');
  const stored: StoredFinding = { errorReason: finding.errorReason, insuranceData: finding.insuranceData };
  const storedText = JSON.stringify(stored);
  const callbackUrl = input.callback_url;
  const destinationHost = destinationHostOf(vault, callbackUrl);
  const hostKey = destinationHost.toString('base64');
  const message: NewDelivery = {
    deliveryId,
    requestId: id,
    version,
    hasBenefits: finding.benefits !== undefined,
    accountId,
    hostKey,
    callbackUrl,
    body: messageBody({
      requestId: id,
      receivedTimestamp: request.receivedTimestamp,
      outcome: finding.outcome,
      inputText: Buffer.from(JSON.stringify(input)),
      findingText: Buffer.from(storedText),
    }),
  };
  return {
    requestId: id,
    version,
    outcome: finding.outcome,
    outcomeReason:
      finding.errorReason === null
        ? null
        : seal(accountId, `request.outcome_reason:${id}`, JSON.stringify(finding.errorReason)),
    body: seal(accountId, `result.body:${id}.${version}`, storedText),
    benefits: finding.benefits
      ? seal(accountId, `result.benefits:${id}.${version}`, JSON.stringify(finding.benefits))
      : null,
    digest: digestOf(vault, finding),
    slug: ErrorReason.safeParse(finding.errorReason).data ?? null,
    heldOutputId: application.heldOutputId ?? null,
    keyId: caller?.keyId ?? null,
    callerAccountId: caller?.accountId ?? null,
    operation: application.operation,
    ...actorColumns(caller?.by),
    hasAttempt: attempt !== undefined,
    leaseToken: attempt?.leaseToken ?? null,
    channel: attempt?.channel ?? null,
    evidence: attempt?.evidence ?? null,
    deliveryId,
    accountId,
    destination: seal(accountId, `delivery.destination:${deliveryId}`, callbackUrl),
    destinationHost,
    message,
  };
}
