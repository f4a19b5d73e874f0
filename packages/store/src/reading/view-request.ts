import {
  type Delivery,
  type HeldOutputSummary,
  initialsOf,
  type RequestView,
  type ResponseModel,
  stateOf,
  type X12ExchangeSummary,
} from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { recordAccess } from '../access/record-access.ts';
import { explainReason, forProvider, readAttempts } from '../evidence/attempt-evidence.ts';
import { erasedErrorReason, openServiceDate } from '../intake/read-request.ts';
import type { Store } from '../open-store.ts';
import { selectHeld, toHeldOutline } from '../output/held/read-held.ts';
import { standingHolds } from '../retention/standing-holds.ts';
import { findRow } from '../row-macs/covered-rows.ts';
import type { Route } from '../tables/intake.ts';
import { channelIn, payerWaitOf } from './open-shown.ts';
import { readDeliveries } from './read-deliveries.ts';
import { readVersions, toVersions } from './read-versions.ts';
import { findRevealed, readRevealed } from './reveal-request.ts';

interface RequestViewing {
  readonly caller: Caller;
  readonly requestId: string;
  /** Of the configured payers. */
  readonly routes: readonly Route[];
  /** Whether the caller posts requests of its account itself, and so sees their patients at once. */
  readonly makesRequests: boolean;
}

type ViewedRequest =
  | { readonly kind: 'found'; readonly view: RequestView }
  /** No such request within the caller's reach. */
  | { readonly kind: 'not_found' };

/**
 * One request with everything that happened to it. Who posts requests sees the patients of its own account's, whom it
 * named itself; a reader of other accounts' requests sees none before {@link revealRequest}, which is on record as such. A test
 * account's patients are invented, and shown to everybody.
 */
export async function viewRequest(
  store: Store,
  { caller, requestId, routes, makesRequests }: RequestViewing,
): Promise<ViewedRequest> {
  const row = await findRevealed(store, { caller, requestId });
  if (!row) return { kind: 'not_found' };
  await recordAccess(store.db, { caller, operation: 'requests.view', requestIds: [requestId] });
  const [
    revealed,
    serviceDate,
    versions,
    heldOutputs,
    attempts,
    deliveries,
    exchanges,
    holds,
    erasedBecause,
  ] = await Promise.all([
    row.erased_at ? null : readRevealed(store, row),
    openServiceDate(store.vault, row),
    readVersions(store, requestId),
    readHeldSummaries(store, { caller, requestId }),
    readAttempts(store, [requestId]),
    readDeliveries(store, requestId),
    readExchangeSummaries(store, requestId),
    standingHolds(store, { accountId: row.account_id, requestId }),
    row.erased_at ? whyErased(store, requestId) : null,
  ]);
  const isShown = row.sandbox || (makesRequests && row.account_id === caller.accountId);
  return {
    kind: 'found',
    view: {
      ...(revealed ? outlineOf(revealed) : erasedOutline(row)),
      request_id: requestId,
      account_id: row.account_id,
      account_name: JSON.parse(row.account_name) as string,
      payer_id: row.payer_id,
      channel: channelIn(routes, row),
      erased_at: row.erased_at?.toISOString() ?? null,
      patient_initials: initialsOf(revealed?.request.input.patient_info.name),
      service_date: serviceDate,
      needed_by: row.needed_by?.toISOString() ?? null,
      overdue: row.is_overdue,
      ...payerWaitOf(routes, row),
      erased_because: erasedBecause,
      holds,
      versions: toVersions(versions, attempts.get(requestId) ?? []),
      held_outputs: heldOutputs,
      attempts: forProvider(attempts.get(requestId) ?? []).map((attempt) => ({
        ...attempt,
        provenance: isShown ? attempt.provenance : [],
      })),
      deliveries: isShown ? deliveries : deliveries.map(withoutSnippets),
      exchanges,
      revealed: isShown ? revealed : null,
    },
  };
}

/** What somebody gave as the reason of its erasure; without that its account's retention was over. */
async function whyErased(store: Store, requestId: string): Promise<RequestView['erased_because']> {
  const where = sql<boolean>`erased_at is not null`;
  const erasure = await findRow(store, 'erasure', { is: { request_id: requestId }, where });
  return erasure?.reason ?? 'retention';
}

/** A receiver may answer with what it was sent. */
function withoutSnippets({ attempts, ...delivery }: Delivery): Delivery {
  return { ...delivery, attempts: attempts.map((attempt) => ({ ...attempt, response_snippet: null })) };
}

/** What there is to say of a request and its result without the patient. */
function outlineOf({ request, insurance_data: coverages }: ResponseModel) {
  const { payer_info: payer, provider_info, cpt_code_coverage: codes, callback_url } = request.input;
  return {
    payer: payer.name,
    received_timestamp: request.received_timestamp,
    state: request.state,
    error_reason: request.error_reason ?? null,
    provider_info,
    cpt_code_coverage: codes ?? [],
    // A path or a query may name the patient.
    callback_host: URL.parse(callback_url)?.host || null,
    coverages: coverages.map(({ verification_time, verification_source, plan_info }) => ({
      verification_time,
      verification_source,
      plan_info,
    })),
  };
}

/** What is left to say once the data was erased. */
function erasedOutline(row: NonNullable<Awaited<ReturnType<typeof findRevealed>>>) {
  return {
    payer: row.payer_name,
    received_timestamp: row.received_at.toISOString(),
    state: stateOf(row.outcome, row.delivery),
    error_reason: erasedErrorReason(row),
    provider_info: null,
    cpt_code_coverage: [],
    callback_host: null,
    coverages: [],
  };
}

/** Of those that name it: any sender may submit such outputs. */
const COUNT_MAX = 100;

/**
 * The outputs that name a request, or became its result, and were held, first to last, without what they say. Whoever
 * does not look after requests of others learns that one is held and why, not who sent or settled it: that names the
 * platform's people.
 */
async function readHeldSummaries(
  { db }: Store,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
): Promise<HeldOutputSummary[]> {
  // In the words of the index, which has them in order: of a flood it reads only the newest.
  const naming = sql`array(
    select held.id::text from held_output held
    where coalesce(held.request_id, held.named_request_id) = ${requestId}
    order by held.id desc limit ${COUNT_MAX})`;
  // Outputs of other requests, or of none, that an operator applied to this one.
  const applied = sql`array(
    select result.held_output_id::text from result
    where result.request_id = ${requestId} and result.held_output_id is not null)`;
  const rows = await selectHeld(db, caller)
    .leftJoin('result', (join) =>
      join.onRef('result.held_output_id', '=', 'held_output.id').on('result.request_id', '=', requestId),
    )
    .select(['status', 'version', 'settled_at', 'settled_by', 'received_by'])
    .select(sql<boolean>`note is not null`.as('noted'))
    .where(sql<boolean>`held_output.id = any(${naming} || ${applied})`)
    .orderBy('id')
    .execute();
  return rows.map((row) => {
    const { request_id: _requestId, ...held } = toHeldOutline(row);
    return {
      ...held,
      received_by: caller.acrossAccounts ? row.received_by : null,
      status: row.status,
      version: row.version,
      settled_at: row.settled_at && row.settled_at.toISOString(),
      settled_by: caller.acrossAccounts ? row.settled_by : null,
      noted: row.noted,
    };
  });
}

/** The exchanges about a request, first to last, without their encrypted texts. */
async function readExchangeSummaries({ db }: Store, requestId: string): Promise<X12ExchangeSummary[]> {
  const rows = await db
    .selectFrom('x12_exchange')
    .select([
      'control_number',
      'payer_id',
      'started_at',
      'duration_ms',
      'status_code',
      'error_reason',
      'payer_codes',
    ])
    .where('request_id', '=', requestId)
    .orderBy('started_at')
    .orderBy('control_number')
    .execute();
  return rows.map((row) => ({
    control_number: row.control_number,
    payer_id: row.payer_id,
    started_at: row.started_at.toISOString(),
    duration_ms: row.duration_ms,
    status_code: row.status_code,
    ...explainReason(row.error_reason),
    payer_codes: row.payer_codes,
  }));
}
