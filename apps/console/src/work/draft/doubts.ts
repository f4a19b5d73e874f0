import type { ValidationError } from '@insurance-verification/schema';
import type { Draft } from './draft.ts';

/** A doubt whether a coverage is about the request's patient, which the person is asked to confirm. */
export interface Doubt {
  /** The reason, which names the field. */
  readonly sentence: string;
  /** Whether the person has confirmed it. */
  readonly isConfirmed: boolean;
}

/**
 * The doubts by the coverage's key. They are not saved with the draft: another person who takes it over has confirmed
 * nothing.
 */
export type Doubts = Readonly<Record<string, Doubt>>;

/**
 * The doubts that remain after a change of the draft; none once a coverage, its member id, its date of birth or
 * `differs` has changed.
 */
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

/** The doubts that the service asks to confirm; null where it refused for another reason. */
export function doubtsOf(faults: readonly ValidationError[], { coverages }: Draft): Doubts | null {
  const doubts = faults.map(({ type, loc: [, , index] }) => {
    const key = type === 'patient_unconfirmed' ? coverages[Number(index)]?.key : undefined;
    return key === undefined ? null : ([key, { sentence: ASKED, isConfirmed: false }] as const);
  });
  const known = doubts.filter((doubt) => doubt !== null);
  return known.length === 0 || known.length < doubts.length ? null : Object.fromEntries(known);
}

const ASKED = 'What the payer holds does not show that this is the request’s patient.';
