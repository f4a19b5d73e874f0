import type { RequestInfo } from '@insurance-verification/schema';
import type { AnsweringPayer, Member, Subscriber } from '../../answer/eligibility-answer.ts';
import type { PayerAnswer } from '../../answer/read-payer-answer.ts';
import { gathered } from '../gathered.ts';
import { splitName } from '../inquiry/split-name.ts';
import { parseBirthDate } from './parse-birth-date.ts';

/** A patient somewhere in an answer, with the loops around them. */
export interface PlacedMember {
  readonly answer: PayerAnswer['answers'][number];
  readonly payer: AnsweringPayer;
  readonly subscriber: Subscriber;
  /** The subscriber or one of the dependents. */
  readonly member: Member;
}

/** All members with any data, subscribers before their dependents. */
export function placedMembers(answer: PayerAnswer): PlacedMember[] {
  return allMembers(answer).filter(({ member }) => member.benefits.length + member.rejections.length > 0);
}

/** All members, including those with only a name. */
export function allMembers({ answers }: PayerAnswer): PlacedMember[] {
  const placed: PlacedMember[] = [];
  for (const answer of answers)
    for (const payer of answer.payers)
      for (const provider of payer.providers)
        for (const subscriber of provider.subscribers) {
          placed.push({ answer, payer, subscriber, member: subscriber });
          for (const member of subscriber.dependents) placed.push({ answer, payer, subscriber, member });
        }
  return placed;
}

/** Members whose subscriber echoes our trace or no trace. An answer that echoes only other traces is for another inquiry. */
export function withTrace(placed: readonly PlacedMember[], requestId: string): PlacedMember[] {
  // Mainframes convert it to capitals.
  const wanted = requestId.toLowerCase();
  let looked: Subscriber | null = null;
  let isForeign = false;
  return placed.filter(({ subscriber }) => {
    // One subscriber's members stand together.
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
  const [first, ...others] = likeliest;
  if (!first || others.length === 0) return first ?? null;
  if (others.every((other) => isSamePerson(first, other))) return joined(likeliest);
  // Nothing tells them apart. A rejection must not lose to somebody else's coverage.
  const rejected = likeliest.find(({ member }) => member.benefits.length === 0);
  if (rejected) return rejected;
  const subscribers = likeliest.filter(({ member, subscriber }) => member === subscriber);
  return subscribers.length === 1 ? (subscribers[0] ?? null) : null;
}

/**
 * Told of in several transactions, an answer that was sent twice or in parts; or in several loops of one, as by payers
 * with a loop for each coverage. There only what tells twins apart makes them one.
 */
function isSamePerson(one: PlacedMember, other: PlacedMember): boolean {
  const { subscriber, member } = one;
  const isNamed = subscriber.party?.id || member.party?.name;
  if (!isNamed || identityOf(one) !== identityOf(other)) return false;
  const isCertain = member.birthDate !== null && Boolean(member.party?.name?.first);
  return one.answer !== other.answer || isCertain || (member === subscriber && Boolean(member.party?.id));
}

function identityOf({ member, subscriber }: PlacedMember): string {
  const { party, birthDate } = member;
  const role = member === subscriber ? 'subscriber' : 'dependent';
  return JSON.stringify([role, subscriber.party?.id, party?.id, party?.name, birthDate]).toUpperCase();
}

/** Everything said about one person; identity comes from the first transaction with more than a rejection. */
function joined(parts: readonly PlacedMember[]): PlacedMember | null {
  const [first] = parts;
  const base = parts.find(({ member }) => member.benefits.length > 0) ?? first;
  if (!base) return null;
  const members = parts.map((part) => part.member);
  const member: Member = {
    ...base.member,
    dates: gathered(members, 'dates'),
    messages: gathered(members, 'messages'),
    rejections: gathered(members, 'rejections'),
    benefits: gathered(members, 'benefits'),
  };
  return { ...base, member };
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
