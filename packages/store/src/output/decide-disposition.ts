import {
  comparePatients,
  type HeldReason,
  type InsurancePlanData,
  type PatientField,
  type PatientInfo,
  type RequestInfo,
  type ResponseModel,
} from '@insurance-verification/schema';
import { isAgentChannel } from '../tables/intake.ts';

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
  /** The named request as stored; null if it does not exist. */
  readonly request: { readonly id: string; readonly payerId: string; readonly input: RequestInfo } | null;
  readonly finished: boolean;
  /** The payer's route holds the results of agents for an operator. */
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
  /** The coverage's index, from 0; null if it concerns none of them. */
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

/** An entry of an output whose patient is not, or not certainly, the patient of the request. */
export interface PatientFault {
  /** Which entry, from 0. */
  readonly index: number;
  readonly kind: 'another' | 'cannot_tell';
  /** In words, without the values: `the birth date differs`. */
  readonly sentence: string;
}

/** Whether a patient's two member ids are one, by the rule of `comparePatients`. */
function isSameMemberId(one: string, other: string): boolean {
  return one === other || comparePatients({ subscriber_id: one }, { subscriber_id: other }).kind === 'same';
}

/** Whether an entry names the request, or none. */
export function namesRequest({ request_id: named }: InsurancePlanData, requestId: string): boolean {
  return named === undefined || named === null || named === requestId;
}

/** More patients than any output has: one comparison takes some 15 µs, and a body holds thousands of entries. */
const PATIENT_COUNT_MAX = 100;

/**
 * The entries that are not about the patient, by the rule of `comparePatients`. If entries that each match have two
 * different birth dates, it is unknown which is right. Entries past the bound count as another patient's: a
 * confirmation admits uncertain patients, and must not admit one that was not compared.
 */
export function patientFaults(entries: readonly InsurancePlanData[], patient: PatientInfo): PatientFault[] {
  const byPatient = new Map<string, Omit<PatientFault, 'index'> | null>();
  const birthDates = new Set<string>();
  const faults: PatientFault[] = [];
  for (const [index, { patient_info: entry }] of entries.entries()) {
    const key = [entry.subscriber_id, entry.dob, entry.name].join('\n');
    let fault = byPatient.get(key);
    if (fault === undefined) {
      fault = byPatient.size < PATIENT_COUNT_MAX ? faultOf(entry, patient, birthDates) : TOO_MANY;
      byPatient.set(key, fault);
    }
    if (entry.dob !== undefined) birthDates.add(entry.dob);
    if (fault !== null) faults.push({ index, ...fault });
  }
  return faults;
}

const TOO_MANY = { kind: 'another', sentence: 'there are too many patients' } as const;

function faultOf(
  entry: PatientInfo,
  patient: PatientInfo,
  birthDates: ReadonlySet<string>,
): Omit<PatientFault, 'index'> | null {
  const compared = comparePatients(entry, patient);
  if (compared.kind !== 'same')
    return { kind: compared.kind, sentence: sentenceOf(compared.kind, compared.fields) };
  const differs = (dob: string) => comparePatients({ dob: entry.dob }, { dob }).kind === 'another';
  return [...birthDates].some(differs) ? TWO_DATES : null;
}

const TWO_DATES = {
  kind: 'cannot_tell',
  sentence: 'the birth date differs from that of another coverage',
} as const;

const NAMES: Readonly<Record<PatientField, string>> = {
  dob: 'birth date',
  name: 'name',
  subscriber_id: 'member id',
};

function sentenceOf(kind: PatientFault['kind'], fields: readonly PatientField[]): string {
  const named = fields.map((field) => `the ${NAMES[field]}`).join(' and ');
  if (kind === 'another') return `${named} ${fields.length > 1 ? 'differ' : 'differs'}`;
  return `${named} ${fields.length > 1 ? 'do' : 'does'} not show that it is the patient`;
}
