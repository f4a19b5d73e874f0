import type { ValidationError } from '@insurance-verification/schema';
import type { Draft } from './draft.ts';

/** It is not certain that a coverage is about the request's patient: the person is asked. */
export interface Doubt {
  /** Why, naming the field. */
  readonly sentence: string;
  /** The person made sure that it is. */
  readonly isConfirmed: boolean;
}

/** By the coverage's key. Not in the draft: who takes it over has made sure of nothing. */
export type Doubts = Readonly<Record<string, Doubt>>;

/** The doubts that are left once a draft has changed: none, where what the payer holds of a patient did. */
export function doubtsAfter(
  { draft: before, doubts }: { readonly draft: Draft; readonly doubts: Doubts },
  draft: Draft,
): Doubts {
  const isSame = before.coverages.every((coverage, index) => {
    const after = draft.coverages[index];
    return (
      coverage.key === after?.key &&
      coverage.differs === after.differs &&
      coverage.memberId === after.memberId &&
      coverage.dob === after.dob
    );
  });
  return isSame ? doubts : {};
}

/** What the service asks to be confirmed, where it asks for nothing else; null otherwise. */
export function doubtsOf(faults: readonly ValidationError[], { coverages }: Draft): Doubts | null {
  const doubts = faults.map(({ type, loc: [, , index] }) => {
    const key = type === 'patient_unconfirmed' ? coverages[Number(index)]?.key : undefined;
    return key === undefined ? null : ([key, { sentence: ASKED, isConfirmed: false }] as const);
  });
  const known = doubts.filter((doubt) => doubt !== null);
  return known.length === 0 || known.length < doubts.length ? null : Object.fromEntries(known);
}

const ASKED = 'What the payer holds does not show that this is the request’s patient.';
