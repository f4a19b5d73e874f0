import {
  comparePatients,
  type InsurancePlanData,
  type PatientField,
  type PatientInfo,
} from '@insurance-verification/schema';

/** An entry of an output whose patient is not, or not certainly, the patient of the request. */
export interface PatientFault {
  /** Which entry, from 0. */
  readonly index: number;
  readonly kind: 'another' | 'cannot_tell';
  /** In words, without the values: `the birth date differs`. */
  readonly sentence: string;
}

/** Whether a patient's two member ids are one, by the rule of `comparePatients`. */
export function isSameMemberId(one: string, other: string): boolean {
  return one === other || comparePatients({ subscriber_id: one }, { subscriber_id: other }).kind === 'same';
}

/** Whether an entry names the request, or none. */
export function namesRequest({ request_id: named }: InsurancePlanData, requestId: string): boolean {
  return named === undefined || named === null || named === requestId;
}

/** More patients than any output has: one comparison takes some 15 µs, and a body holds thousands of entries. */
const PATIENT_COUNT_MAX = 100;

/**
 * The entries that are not about the patient, by the rule of `comparePatients`. Of entries that each fit and have two
 * birth dates among them, it is not known which is right. Beyond the bound nobody is the patient: a confirmation, which
 * admits whom it cannot tell, must not admit who was not compared.
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
