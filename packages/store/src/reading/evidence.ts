import type { VerificationAttempt, X12Exchange } from '@insurance-verification/schema';
import type { Caller } from '../access/caller.ts';
import { findReached } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { explainReason, forProvider, readAttempts } from '../evidence/attempt-evidence.ts';
import { type PlainX12Exchange, readX12Exchanges } from '../evidence/x12-exchange.ts';
import type { Store } from '../open-store.ts';

interface AttemptListing {
  readonly caller: Caller;
  readonly requestId: string;
  /** Includes the notes and the verifiers' keys, which are for colleagues and not for the provider. */
  readonly withInternals: boolean;
}

/** `not_found`: the caller has no such request. `erased`: its data is gone. */
type ListedAttempts =
  | { readonly kind: 'found'; readonly attempts: VerificationAttempt[] }
  | { readonly kind: 'not_found' | 'erased' };

/** Every attempt at a request, first to last. */
export async function listAttempts(
  store: Store,
  { caller, requestId, withInternals }: AttemptListing,
): Promise<ListedAttempts> {
  const reached = await findReached(store, { caller, requestId });
  if (reached !== 'found') return { kind: reached };
  await recordAccess(store.db, { caller, operation: 'requests.attempts', requestIds: [requestId] });
  const attempts = (await readAttempts(store, [requestId])).get(requestId) ?? [];
  return { kind: 'found', attempts: withInternals ? attempts : forProvider(attempts) };
}

/**
 * An exchange in the API's form, except for the answer: its raw bytes, for a caller who knows how payers encode text.
 */
interface ListedExchange extends Omit<X12Exchange, 'answer'> {
  answer: Uint8Array | null;
}

/** `not_found`: no such request within the caller's reach. `erased`: its data is gone. */
type ListedExchanges =
  | { readonly kind: 'found'; readonly exchanges: ListedExchange[] }
  | { readonly kind: 'not_found' | 'erased' };

/** The exchanges about a request, first to last. */
export async function listX12Exchanges(
  store: Store,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
): Promise<ListedExchanges> {
  const reached = await findReached(store, { caller, requestId });
  if (reached !== 'found') return { kind: reached };
  // Recorded before they are opened: the caller may have seen part of an exchange that does not open fully.
  await recordAccess(store.db, { caller, operation: 'requests.exchanges', requestIds: [requestId] });
  const exchanges = await readX12Exchanges(store, requestId);
  return { kind: 'found', exchanges: exchanges.map(toListed) };
}

function toListed(exchange: PlainX12Exchange): ListedExchange {
  return {
    control_number: exchange.controlNumber,
    payer_id: exchange.payerId,
    started_at: exchange.startedAt.toISOString(),
    duration_ms: exchange.durationMs,
    status_code: exchange.statusCode,
    ...explainReason(exchange.errorReason),
    payer_codes: [...exchange.payerCodes],
    ...(exchange.inquiryNumber !== undefined && { number: exchange.inquiryNumber }),
    inquiry: exchange.inquiry,
    answer: exchange.answer,
  };
}
