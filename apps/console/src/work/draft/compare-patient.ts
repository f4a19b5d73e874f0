import { comparePatients, type PatientField, type PatientInfo } from '@insurance-verification/schema';

interface ComparedPatients {
  /** Of the coverage, as it would be sent. */
  readonly sent: PatientInfo;
  /** Of the request. */
  readonly asked: PatientInfo;
  /** Of the first coverage, as it would be sent. */
  readonly first: PatientInfo;
}

/** Whether a coverage is about the patient who was asked about, and the sentence for the person where it is not certain. */
type PatientCheck =
  | { readonly kind: 'same' }
  | {
      readonly kind: 'another' | 'cannot_tell';
      readonly fields: readonly PatientField[];
      readonly sentence: string;
    };

/** Decides as the service does, so that the person learns it before the result is sent. */
export function comparePatient({ sent, asked, first }: ComparedPatients): PatientCheck {
  const compared = comparePatients(sent, asked);
  if (compared.kind !== 'same') {
    const { kind, fields } = compared;
    return { kind, fields, sentence: kind === 'another' ? differs(fields) : isUnclear(fields) };
  }
  if (comparePatients({ dob: first.dob }, { dob: sent.dob }).kind === 'another')
    return {
      kind: 'cannot_tell',
      fields: ['dob'],
      sentence: 'The birth date differs from the first coverage’s.',
    };
  return { kind: 'same' };
}

const NAMES: Readonly<Record<PatientField, string>> = {
  dob: 'birth date',
  name: 'name',
  subscriber_id: 'member id',
};

function differs(fields: readonly PatientField[]): string {
  const verb = fields.length > 1 ? 'differ' : 'differs';
  return `${named(fields)} ${verb} from the request’s: this is another patient.`;
}

function isUnclear(fields: readonly PatientField[]): string {
  const verb = fields.length > 1 ? 'do' : 'does';
  return `${named(fields)} ${verb} not show that this is the request’s patient.`;
}

function named(fields: readonly PatientField[]): string {
  const words = fields.map((field) => `the ${NAMES[field]}`).join(' and ');
  return `T${words.slice(1)}`;
}
