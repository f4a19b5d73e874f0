import type { HeldReason, RequestInfo, ResponseModel } from '@insurance-verification/schema';
import { isAgentChannel } from '../tables/route.ts';
import { isSameMemberId, namesRequest, patientFaults } from './compare-entries.ts';

/** The decision on an output. */
export type Disposition =
  | { readonly kind: 'held'; readonly reason: HeldReason }
  | { readonly kind: 'progress' }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'applied'; readonly outcome: 'complete' | 'error_verifying' };

/** The input of the decision: the output, and the facts of the request it names. */
export interface OutputCase {
  readonly trusted: boolean;
  readonly output: ResponseModel;
  /** The stable id of the payer that the output names. */
  readonly payerId: string;
  /** The named request as stored; null when there is none. */
  readonly request: { readonly id: string; readonly payerId: string; readonly input: RequestInfo } | null;
  readonly finished: boolean;
  /** The payer's route has a person look at what an agent found. */
  readonly holdsAgentResults: boolean;
  /** The output equals the current result. */
  readonly sameAsStanding: boolean;
}

/**
 * The table "Accepting an output"; the first matching row applies. One that names an erased request does not come here
 * (`acceptOutput`):
 *
 * | # | case                                      | disposition                            |
 * |---|-------------------------------------------|----------------------------------------|
 * | 1 | not trusted                               | held `untrusted`                       |
 * | 2 | names no known request                    | held `unmatched`                       |
 * | 3 | not the same patient, payer or provider   | held `input_mismatch`                  |
 * | 4 | `pending`                                 | progress; nothing on a finished request |
 * | 5 | finished, and the same result             | nothing                                |
 * | 6 | finished, and another result              | held `superseding`                     |
 * | 6a | an agent's, where the route holds those  | held `agent_result`                    |
 * | 7 | `error_verifying`                         | applied, error_verifying               |
 * | 8 | `complete`, `error_sending_webhook`       | applied, complete                      |
 */
export function decideDisposition({ trusted, output, payerId, request, ...rest }: OutputCase): Disposition {
  if (!trusted) return { kind: 'held', reason: 'untrusted' };
  if (!request) return { kind: 'held', reason: 'unmatched' };
  if (mismatchesOf(output, payerId, request).length > 0) return { kind: 'held', reason: 'input_mismatch' };
  const { state } = output.request;
  if (state === 'pending') return { kind: rest.finished ? 'unchanged' : 'progress' };
  if (rest.finished)
    return rest.sameAsStanding ? { kind: 'unchanged' } : { kind: 'held', reason: 'superseding' };
  if (rest.holdsAgentResults && isAgents(output.insurance_data))
    return { kind: 'held', reason: 'agent_result' };
  return { kind: 'applied', outcome: outcomeOf(state) };
}

/** Whether an agent found any of it. */
const isAgents = (entries: ResponseModel['insurance_data']): boolean =>
  entries.some(({ verification_source: source }) => isAgentChannel(source));

/** An upstream that failed to send its webhook had finished: its output is a complete verification. */
export function outcomeOf(state: 'complete' | 'error_verifying' | 'error_sending_webhook') {
  return state === 'error_verifying' ? 'error_verifying' : 'complete';
}

/** A test of row 3 that an output does not pass. */
export interface Mismatch {
  readonly test: 'member_id' | 'npi' | 'payer' | 'coverage_request' | 'coverage_patient';
  /** Of which coverage, from 0; null when of none. */
  readonly coverage: number | null;
  /** In words, without the values. */
  readonly sentence: string;
}

/** The tests of row 3 that an output does not pass; empty for the same patient, payer and provider. */
export function mismatchesOf(
  output: ResponseModel,
  payerId: string,
  request: NonNullable<OutputCase['request']>,
): Mismatch[] {
  const { input } = request;
  const claimed = output.request.input;
  const found: Mismatch[] = [];
  const report = (test: Mismatch['test'], sentence: string, coverage: number | null = null) =>
    found.push({ test, coverage, sentence });
  if (!isSameMemberId(claimed.patient_info.subscriber_id, input.patient_info.subscriber_id))
    report('member_id', 'the member id differs');
  if (claimed.provider_info.npi !== input.provider_info.npi) report('npi', 'the NPI differs');
  if (payerId !== request.payerId) report('payer', 'the payer differs');
  const which = (index: number) =>
    output.insurance_data.length > 1 ? `coverage ${index + 1}` : 'the coverage';
  for (const [index, entry] of output.insurance_data.entries())
    if (!namesRequest(entry, request.id))
      report('coverage_request', `${which(index)} names another request`, index);
  for (const { index, sentence } of patientFaults(output.insurance_data, input.patient_info))
    report('coverage_patient', `in ${which(index)} ${sentence}`, index);
  return found;
}
