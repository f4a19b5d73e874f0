import { createHash } from 'node:crypto';
import {
  type Delivery,
  type DeliveryReceipt,
  type InsurancePlanData,
  type RequestInfo,
  type ResponseModel,
  type ResultSeal,
  stateOf,
  type VerificationProof,
} from '@insurance-verification/schema';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { accountNameOf } from '../access/list-accounts.ts';
import { within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { sealOfLine } from '../audit/stored-seal.ts';
import { messageBody } from '../delivery/message.ts';
import { readAttempts, withoutInternals } from '../evidence/attempt-evidence.ts';
import { ofDay, type StoredBenefits } from '../evidence/stored-benefits.ts';
import { openErrorReason, openServiceDate, requestModelColumns } from '../intake/read-request.ts';
import { isIssuedId } from '../issued-id.ts';
import { KNOWN_ANSWERS_ACCOUNT_ID } from '../known-answers/known-answers-account.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables/tables.ts';
import { readDeliveries } from './read-deliveries.ts';
import { readVersions, toVersions } from './read-versions.ts';

interface ProofSearch {
  readonly caller: Caller;
  readonly requestId: string;
  /** As in `RequestViewing`. */
  readonly makesRequests: boolean;
}

type FoundProof =
  | {
      readonly kind: 'found';
      /** All but the benefits, which are read from the rows below. */
      readonly proof: Omit<VerificationProof, 'benefits'>;
      readonly input: RequestInfo;
      readonly insuranceData: InsurancePlanData[];
      /** Null for a result that came without. */
      readonly benefits: StoredBenefits | null;
      /** Whether the caller sees the patient, and so the benefits, at once. */
      readonly isShown: boolean;
    }
  /** `not_ready`: no result yet. `not_found`: no such request within the caller's reach. `erased`: its data is gone. */
  | { readonly kind: 'not_ready' | 'not_found' | 'erased' };

/**
 * What proves a verification: the standing result, where it comes from, and what became of it. A request whose answer is
 * known has none: no provider gets its result.
 */
export async function getProof(
  store: Store,
  { caller, requestId, makesRequests }: ProofSearch,
): Promise<FoundProof> {
  const row = await findResult(store, caller, requestId);
  if (!row) return { kind: 'not_found' };
  if (row.erased_at) return { kind: 'erased' };
  if (row.body === null) return { kind: 'not_ready' };
  await recordAccess(store.db, { caller, operation: 'requests.proof', requestIds: [requestId] });
  const { version } = row;
  const [body, errorReason, asked, benefits, attempts, versions, deliveries, seal] = await Promise.all([
    openMessage(store, { ...row, body: row.body }),
    openErrorReason(store.vault, row),
    openServiceDate(store.vault, row),
    row.benefits &&
      store.vault.decryptJson<StoredBenefits>(
        { accountId: row.account_id },
        `result.benefits:${requestId}.${version}`,
        row.benefits,
      ),
    readAttempts(store, [requestId]),
    readVersions(store, requestId),
    readDeliveries(store, requestId),
    sealOfResult(store.db, { requestId, version }),
  ]);
  const result = JSON.parse(body.toString('utf8')) as ResponseModel;
  const { input } = result.request;
  const isShown = row.sandbox || (makesRequests && row.account_id === caller.accountId);
  const attempt = attempts.get(requestId)?.find((one) => one.result_version === version);
  const delivery = deliveries.find((one) => one.version === version);
  if (!delivery) throw new Error('A result has no delivery.');
  return {
    kind: 'found',
    proof: {
      request_id: requestId,
      account_id: row.account_id,
      account_name: JSON.parse(row.account_name) as string,
      received_timestamp: row.received_at.toISOString(),
      payer_id: row.payer_id,
      payer: row.payer_name,
      provider_info: input.provider_info,
      cpt_code_coverage: input.cpt_code_coverage ?? [],
      service_date: asked ?? benefits?.serviceDate ?? null,
      state: stateOf(row.outcome, row.delivery),
      error_reason: errorReason,
      version,
      attempt: attempt
        ? { ...withoutInternals(attempt), provenance: isShown ? attempt.provenance : [] }
        : null,
      coverages: result.insurance_data.map(({ verification_time, verification_source, plan_info }) => ({
        verification_time,
        verification_source,
        plan_info,
      })),
      versions: toVersions(versions, attempts.get(requestId) ?? []),
      delivery: receiptOf(delivery),
      digest: createHash('sha256').update(body).digest('hex'),
      seal,
      result: isShown ? result : null,
    },
    input,
    insuranceData: result.insurance_data,
    benefits: ofDay(benefits, asked),
    isShown,
  };
}

async function findResult({ db }: Store, caller: Caller, requestId: string) {
  if (!isIssuedId('req', requestId)) return undefined;
  return db
    .selectFrom('request')
    .leftJoin('result', (join) =>
      join.onRef('result.request_id', '=', 'request.id').onRef('result.version', '=', 'request.version'),
    )
    .select(requestModelColumns.map((column) => `request.${column}` as const))
    .select(['request.account_id', 'request.payer_id', 'request.payer_name', 'request.sandbox'])
    .select(['request.version', 'request.erased_at', 'request.service_date'])
    .select(['result.body', 'result.benefits'])
    .select('result.outcome as result_outcome')
    .select(accountNameOf('request.account_id').as('account_name'))
    .where('request.id', '=', requestId)
    .where(within(caller, 'request.account_id'))
    .where('request.account_id', '!=', KNOWN_ANSWERS_ACCOUNT_ID)
    .executeTakeFirst();
}

type ResultRow = NonNullable<Awaited<ReturnType<typeof findResult>>> & { readonly body: Buffer };

/** The bytes that are delivered. */
async function openMessage({ vault }: Store, row: ResultRow): Promise<Buffer> {
  const open = await vault.decrypterFor([row.input, row.body]);
  return messageBody({
    requestId: row.id,
    receivedTimestamp: row.received_at.toISOString(),
    outcome: row.result_outcome ?? 'complete',
    inputText: open(row.account_id, `request.input:${row.id}`, row.input),
    findingText: open(row.account_id, `result.body:${row.id}.${row.version}`, row.body),
  });
}

/** A redelivery does not take back that it was taken. */
function receiptOf({ delivery_id, status, attempts }: Delivery): DeliveryReceipt {
  const taken = attempts.find(({ outcome }) => outcome === 'succeeded');
  return {
    delivery_id,
    status,
    accepted_at: taken ? new Date(Date.parse(taken.at) + taken.duration_ms).toISOString() : null,
    status_code: taken?.status_code ?? null,
  };
}

/**
 * The seal over the audit's entry of a result, as its note states it. One statement writes both, so they have one time.
 * @returns null where the entry is gone, with the month that was dropped.
 */
async function sealOfResult(
  db: Kysely<Tables>,
  { requestId, version }: { readonly requestId: string; readonly version: number },
): Promise<ResultSeal | null> {
  const { rows } = await sql<{ id: string }>`
    select entry.id from result
    join access_log as entry on entry.request_id = result.request_id and entry.at = result.applied_at
    where result.request_id = ${requestId} and result.version = ${version}
    order by entry.id limit 1`.execute(db);
  const [entry] = rows;
  if (!entry) return null;
  const seal = await sealOfLine(db, BigInt(entry.id));
  return { seal: seal?.number ?? null, sealed_at: seal?.statement?.at.toISOString() ?? null };
}
