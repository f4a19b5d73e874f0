import type { PatientRelationship } from '@insurance-verification/schema';
import type {
  AnsweringPayer,
  AskingProvider,
  Benefit,
  Member,
  Subscriber,
} from '../answer/eligibility-answer.ts';
import type { PayerAnswer } from '../answer/read-payer-answer.ts';
import { NONE } from '../parts/parts.ts';
import { codeOf } from '../tokenizing/read-header.ts';
import { RELATIONSHIPS } from './slugs-of-row.ts';

/** A patient somewhere in an answer, with the loops around them. */
export interface PlacedMember {
  readonly answer: PayerAnswer['answers'][number];
  readonly payer: AnsweringPayer;
  readonly provider: AskingProvider | null;
  readonly subscriber: Subscriber;
  /** The subscriber or one of the dependents. */
  readonly member: Member;
  /** The loop of each row where `member` joins several, whose dates and references are not each other's. */
  readonly loops: ReadonlyMap<Benefit, Member>;
  /** The payer of each row where `member` joins loops below several 2000A. */
  readonly payers: ReadonlyMap<Benefit, AnsweringPayer>;
  /** Our sentences on whose coverage this is, where it is not plainly the patient's. */
  readonly notes: readonly string[];
  /** The rows with the inquiries that they answer; absent where there was one inquiry. */
  readonly ofInquiries?: ReadonlyMap<Benefit, InquiryRow>;
}

/** Where a row was said, if the payer was asked more than once. */
export interface InquiryRow {
  /** The number of the inquiry, from 1. */
  readonly inquiry: number;
  readonly loop: 'patient' | 'subscriber';
  /** Of a later inquiry: the row of the first that the payer repeated before it; null for none. */
  readonly after?: Benefit | null;
}

/** Of a member whose rows are all in one loop. */
export const ONE_LOOP: Pick<PlacedMember, 'loops' | 'payers'> = { loops: new Map(), payers: new Map() };

/** All members, also those with only a name, subscribers before their dependents. */
export function allMembers({ answers }: PayerAnswer): PlacedMember[] {
  const placed: PlacedMember[] = [];
  for (const answer of answers)
    for (const payer of answer.payers)
      for (const provider of payer.providers)
        for (const subscriber of provider.subscribers) {
          const around = { answer, payer, provider, subscriber, ...ONE_LOOP, notes: NONE };
          placed.push({ ...around, member: subscriber });
          for (const member of subscriber.dependents) placed.push({ ...around, member });
        }
  return placed;
}

/** Whether the answer has more about the member than the identity. */
export function hasAnswer({ member }: PlacedMember): boolean {
  return member.benefits.length + member.rejections.length > 0;
}

/** Members whose subscriber echoes our trace or no trace. An answer that echoes only other traces is for another inquiry. */
export function withTrace(placed: readonly PlacedMember[], requestId: string): PlacedMember[] {
  // Mainframes convert it to capitals.
  const wanted = requestId.toLowerCase();
  let looked: Subscriber | null = null;
  let isForeign = false;
  return placed.filter(({ subscriber }) => {
    // One subscriber's members are together.
    if (subscriber !== looked) isForeign = echoesAnother(subscriber, wanted);
    looked = subscriber;
    return !isForeign;
  });
}

function echoesAnother(subscriber: Subscriber, wanted: string): boolean {
  let isEcho = false;
  for (const { traces } of [subscriber, ...subscriber.dependents])
    for (const { type, id } of traces) {
      if (id.toLowerCase() === wanted) return false;
      if (type === '2' && id !== '') isEcho = true;
    }
  return isEcho;
}

/** The loop that a row is in. */
export function loopOf({ member, loops }: PlacedMember, benefit: Benefit): Member {
  return loops.get(benefit) ?? member;
}

/** The payer that says a row. */
export function payerOf({ payer, payers }: PlacedMember, benefit: Benefit): AnsweringPayer {
  return payers.get(benefit) ?? payer;
}

/** Whose loop the rows are in: the subscriber's where the payer only names the patient as a dependent. */
export function loopOfRows(placed: PlacedMember): 'patient' | 'subscriber' {
  const { member, subscriber } = placed;
  return !isSubscriber(placed) && member.benefits === subscriber.benefits ? 'subscriber' : 'patient';
}

/** Whose loop one row is in. */
export function loopOfRow(placed: PlacedMember, row: Benefit): 'patient' | 'subscriber' {
  return placed.ofInquiries?.get(row)?.loop ?? loopOfRows(placed);
}

/** INS02. A subscriber is who they are, said or not. */
export function relationshipOf(placed: PlacedMember): PatientRelationship | null {
  const segment = placed.member.segments.find(({ id }) => id === 'INS');
  const code = segment ? codeOf(segment, 2) : null;
  if (code !== null) return RELATIONSHIPS.get(code) ?? 'other';
  return isSubscriber(placed) ? 'self' : null;
}

/** Also where `member` joins several of the subscriber's loops, and is an object of its own. */
function isSubscriber({ member, subscriber }: PlacedMember): boolean {
  return member.segments === subscriber.segments;
}
