import type { RequestInfo } from '@insurance-verification/schema';
import type { AnsweringPayer, AskingProvider, Member, Subscriber } from '../answer/eligibility-answer.ts';
import type { PayerAnswer } from '../answer/read-payer-answer.ts';
import { parseBirthDate } from './parse-birth-date.ts';
import { splitName } from './split-name.ts';

/** A patient somewhere in an answer, with the loops around them. */
export interface PlacedMember {
  readonly answer: PayerAnswer['answers'][number];
  readonly payer: AnsweringPayer;
  readonly provider: AskingProvider;
  readonly subscriber: Subscriber;
  /** The subscriber or one of the dependents. */
  readonly member: Member;
}

/** All members of whom the answer says anything, subscribers before their dependents. */
export function placedMembers({ answers }: PayerAnswer): PlacedMember[] {
  return answers.flatMap((answer) =>
    answer.payers.flatMap((payer) =>
      payer.providers.flatMap((provider) =>
        provider.subscribers.flatMap((subscriber) =>
          [subscriber, ...subscriber.dependents]
            .filter(({ benefits, rejections }) => benefits.length + rejections.length > 0)
            .map((member) => ({ answer, payer, provider, subscriber, member })),
        ),
      ),
    ),
  );
}

/** Those whose subscriber's loops echo our trace, or none: an echo of other traces alone is another inquiry's answer. */
export function withTrace(placed: readonly PlacedMember[], requestId: string): PlacedMember[] {
  const foreign = new Set<Subscriber>();
  for (const subscriber of new Set(placed.map((one) => one.subscriber))) {
    const traces = [subscriber, ...subscriber.dependents].flatMap((member) => member.traces);
    const isOurs = traces.some(({ id }) => id === requestId);
    if (!isOurs && traces.some(({ type }) => type === '2')) foreign.add(subscriber);
  }
  return placed.filter(({ subscriber }) => !foreign.has(subscriber));
}

/**
 * The member who was asked about. A payer that knows the patient as a dependent answers in the dependent's loop, and
 * may speak of the subscriber too: the request's date of birth and name decide. Null when they do not.
 */
export function chooseMember(
  placed: readonly PlacedMember[],
  { patient_info: patient }: RequestInfo,
): PlacedMember | null {
  const asked = {
    birthDate: parseBirthDate(patient.dob ?? ''),
    first: splitName(patient.name ?? '')?.first ?? null,
    memberId: patient.subscriber_id,
  };
  let best = -1;
  let likeliest: PlacedMember[] = [];
  for (const one of placed) {
    const score = likeness(one, asked);
    if (score > best) likeliest = [];
    if (score >= best) likeliest.push(one);
    best = Math.max(best, score);
  }
  if (likeliest.length === 1) return likeliest[0] ?? null;
  // Nothing tells them apart. A rejection must not be passed over for somebody else's coverage.
  const rejected = likeliest.find(({ member }) => member.benefits.length === 0);
  if (rejected) return rejected;
  const subscribers = likeliest.filter(({ member, subscriber }) => member === subscriber);
  return subscribers.length === 1 ? (subscribers[0] ?? null) : null;
}

interface Asked {
  readonly birthDate: string | null;
  readonly first: string | null;
  readonly memberId: string;
}

function likeness({ member, subscriber }: PlacedMember, { birthDate, first, memberId }: Asked): number {
  const isSameDay = birthDate !== null && member.birthDate === birthDate;
  const isSameFirst = isSame(member.party?.name?.first, first);
  return (isSameDay ? 4 : 0) + (isSameFirst ? 2 : 0) + (isSame(subscriber.party?.id, memberId) ? 1 : 0);
}

function isSame(one: string | null | undefined, other: string | null): boolean {
  if (!one || !other) return false;
  return one.trim().toUpperCase() === other.trim().toUpperCase();
}
