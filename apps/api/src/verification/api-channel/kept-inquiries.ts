import {
  type ClaimedWork,
  type PlainX12Exchange,
  readX12Exchanges,
  type Store,
} from '@insurance-verification/store';
import { readEligibilityInquiry, readInterchanges } from '@insurance-verification/x12';
import { decodeAnswer, unwrapAnswer } from './envelope.ts';
import type { KeptInquiry } from './inquiries.ts';

/**
 * The inquiries of a process that ended before it could submit their finding, from the first on. Their answers are read again,
 * not asked for again: payers charge for each. Empty where the request was not being asked about, and where its first inquiry
 * has no answer.
 */
export async function readKeptInquiries(
  store: Store,
  { requestId, history }: Pick<ClaimedWork, 'requestId' | 'history'>,
): Promise<KeptInquiry[]> {
  const since = cutOffSince(history);
  if (since === null) return [];
  const exchanges = (await readX12Exchanges(store, requestId)).filter(({ startedAt }) => startedAt >= since);
  const kept: KeptInquiry[] = [];
  // Of an inquiry and its retries the last one counts.
  for (const number of [1, 2, 3]) {
    const exchange = exchanges.findLast(({ inquiryNumber = 1 }) => inquiryNumber === number);
    if (!exchange || (number === 1 && !isReadable(exchange))) break;
    kept.push(toKept(exchange));
  }
  return kept;
}

/** When the first of the attempts began that a process did not finish, one after the other; null where the last one was. */
function cutOffSince(history: ClaimedWork['history']): Date | null {
  const finished = history.findLastIndex(
    ({ channel, outcome }) => channel !== 'api' || !(outcome === 'lease_expired' || outcome === 'released'),
  );
  const first = history[finished + 1];
  return first === undefined ? null : new Date(first.started_at);
}

/** Whether the payer answered in X12; what it could not answer is asked again. */
function isReadable({ answer, errorReason }: PlainX12Exchange): boolean {
  return answer !== null && (errorReason === null || !UNREADABLE.has(errorReason));
}

const UNREADABLE: ReadonlySet<string> = new Set([
  'payer_unavailable',
  'payer_throttled',
  'payer_response_invalid',
  'portal_credentials_invalid',
]);

function toKept(exchange: PlainX12Exchange): KeptInquiry {
  const { inquiry, answer, payerCodes, startedAt, durationMs } = exchange;
  const isAnswered = answer !== null && isReadable(exchange);
  const transaction = readInterchanges(inquiry).interchanges[0]?.groups[0]?.transactions[0];
  if (!transaction) throw new Error('A kept inquiry is a 270');
  const { serviceTypes, procedures, subscriber, provider } = readEligibilityInquiry(transaction);
  return {
    content: {
      serviceTypes: serviceTypes.filter((type) => type !== ''),
      procedures,
      hasAddress: subscriber.address !== null,
      hasTin: provider.tin !== null,
      gender: subscriber.gender ?? null,
    },
    text: isAnswered ? unwrapAnswer(decodeAnswer(Buffer.from(answer))) : null,
    failure: isAnswered ? null : (payerCodes[0] ?? null),
    startedAt,
    durationMs,
  };
}
