import type {
  HeldReason,
  InsurancePlanData,
  RequestInfo,
  ResponseModel,
} from '@insurance-verification/schema';

/** What becomes of an output. */
export type Disposition =
  | { readonly kind: 'held'; readonly reason: HeldReason }
  | { readonly kind: 'progress' }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'applied'; readonly outcome: 'complete' | 'error_verifying' };

/** What the decision looks at: the output, and the facts of the request it names. */
export interface OutputCase {
  readonly trusted: boolean;
  readonly output: ResponseModel;
  /** The stable id of the payer that the output names. */
  readonly payerId: string;
  /** The request that the output names, as stored; null when there is none. */
  readonly request: { readonly id: string; readonly payerId: string; readonly input: RequestInfo } | null;
  readonly finished: boolean;
  /** The output says what the standing result says. */
  readonly sameAsStanding: boolean;
}

/**
 * The table "Accepting an output", first row that matches:
 *
 * | # | case                                      | disposition                            |
 * |---|-------------------------------------------|----------------------------------------|
 * | 1 | not trusted                               | held `untrusted`                       |
 * | 2 | names no request of ours                  | held `unmatched`                       |
 * | 3 | not the same patient, payer or provider   | held `input_mismatch`                  |
 * | 4 | `pending`                                 | progress; on a finished request nothing |
 * | 5 | finished, and the same result             | nothing                                |
 * | 6 | finished, and another result              | held `superseding`                     |
 * | 7 | `error_verifying`                         | applied, error_verifying               |
 * | 8 | `complete`, `error_sending_webhook`       | applied, complete                      |
 */
export function decideDisposition({ trusted, output, payerId, request, ...rest }: OutputCase): Disposition {
  if (!trusted) return { kind: 'held', reason: 'untrusted' };
  if (!request) return { kind: 'held', reason: 'unmatched' };
  if (!isSamePatient(output, payerId, request)) return { kind: 'held', reason: 'input_mismatch' };
  const { state } = output.request;
  if (state === 'pending') return { kind: rest.finished ? 'unchanged' : 'progress' };
  if (rest.finished)
    return rest.sameAsStanding ? { kind: 'unchanged' } : { kind: 'held', reason: 'superseding' };
  return { kind: 'applied', outcome: outcomeOf(state) };
}

/** An upstream that could not send its webhook had finished: its output is a complete verification. */
export function outcomeOf(state: 'complete' | 'error_verifying' | 'error_sending_webhook') {
  return state === 'error_verifying' ? 'error_verifying' : 'complete';
}

function isSamePatient(
  output: ResponseModel,
  payerId: string,
  request: NonNullable<OutputCase['request']>,
): boolean {
  const { input } = request;
  const claimed = output.request.input;
  return (
    claimed.patient_info.subscriber_id === input.patient_info.subscriber_id &&
    claimed.provider_info.npi === input.provider_info.npi &&
    payerId === request.payerId &&
    output.insurance_data.every((entry) => isAboutRequest(entry, request))
  );
}

/** Whether an entry may be about the request's patient: it names no other request, and no other patient. */
export function isAboutRequest(
  entry: InsurancePlanData,
  { id, input }: { readonly id: string; readonly input: RequestInfo },
): boolean {
  return namesRequest(entry.request_id, id) && agreesOnPatient(entry.patient_info, input.patient_info);
}

function namesRequest(entryRequestId: string | null | undefined, requestId: string): boolean {
  return entryRequestId === undefined || entryRequestId === null || entryRequestId === requestId;
}

type Patient = RequestInfo['patient_info'];

/**
 * A payer may correct the member id, so an entry may differ in it as long as a birth date that both give agrees. Free
 * text as it is, a blank one gives none: two patients without a known birth date are not one.
 */
function agreesOnPatient(entry: Patient, requested: Patient): boolean {
  const isGiven = entry.dob !== undefined && entry.dob.trim() !== '';
  return entry.subscriber_id === requested.subscriber_id || (isGiven && entry.dob === requested.dob);
}
