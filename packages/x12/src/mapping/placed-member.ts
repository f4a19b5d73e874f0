import type {
  AnsweringPayer,
  AskingProvider,
  Benefit,
  Member,
  Subscriber,
} from '../answer/eligibility-answer.ts';
import type { PayerAnswer } from '../answer/read-payer-answer.ts';
import { NONE } from '../parts/parts.ts';

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
  /** Our sentences on whose coverage this is, where it is not plainly the patient's. */
  readonly notes: readonly string[];
}

/** Of a member whose rows are all in one loop. */
export const ONE_LOOP: PlacedMember['loops'] = new Map();

/** All members, also those with only a name, subscribers before their dependents. */
export function allMembers({ answers }: PayerAnswer): PlacedMember[] {
  const placed: PlacedMember[] = [];
  for (const answer of answers)
    for (const payer of answer.payers)
      for (const provider of payer.providers)
        for (const subscriber of provider.subscribers) {
          const around = { answer, payer, provider, subscriber, loops: ONE_LOOP, notes: NONE };
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
