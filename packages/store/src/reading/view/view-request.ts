import { type Delivery, type RequestView, type ResponseModel, stateOf } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import { forProvider, readAttempts } from '../../evidence/attempt-evidence.ts';
import { erasedErrorReason, openServiceDate } from '../../intake/read-request.ts';
import type { Store } from '../../open-store.ts';
import { standingHolds } from '../../retention/holds/standing-holds.ts';
import { findRow } from '../../row-macs/covered-rows.ts';
import type { Route } from '../../tables/route.ts';
import { readDeliveries } from '../deliveries/list-deliveries.ts';
import { channelIn } from '../search/to-summary.ts';
import { readHeldSummaries } from './read-held-summaries.ts';
import { readExchangeSummaries, readVersions } from './read-history.ts';
import { findRevealed, readRevealed } from './read-revealed.ts';

export interface RequestViewing {
  readonly caller: Caller;
  readonly requestId: string;
  /** Of the configured payers. */
  readonly routes: readonly Route[];
  /** Whether the caller posts requests of its account itself, and so sees their patients at once. */
  readonly makesRequests: boolean;
}

export type ViewedRequest =
  | { readonly kind: 'found'; readonly view: RequestView }
  /** No such request within the caller's reach. */
  | { readonly kind: 'not_found' };

/**
 * One request with everything that happened to it. Who posts requests sees the patients of its own account's, whom it
 * named itself; whoever looks after others' sees none before {@link revealRequest}, which is on record as such. A test
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
      service_date: serviceDate,
      needed_by: row.needed_by?.toISOString() ?? null,
      overdue: row.is_overdue,
      erased_because: erasedBecause,
      holds,
      versions,
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
