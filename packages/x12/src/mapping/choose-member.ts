import {
  type ComparedPatient,
  comparePatients,
  type ErrorReason,
  givenFields,
  type PatientComparison,
  type RequestInfo,
} from '@insurance-verification/schema';
import type { Member } from '../answer/eligibility-answer.ts';
import { DEATH, isOfPeriod } from './coverages/coverage-period.ts';
import { gathered } from './kept-row.ts';
import { memberIdAt, nameText } from './patient-of.ts';
import { hasAnswer, type PlacedMember } from './placed-member.ts';
import { OUT_OF_NETWORK } from './rejection-reasons.ts';

/** The member who was asked about, or why no member was chosen. */
type ChosenMember =
  | { readonly kind: 'chosen'; readonly placed: PlacedMember }
  | {
      readonly kind: 'none';
      readonly reason: ErrorReason;
      readonly code: string;
      /** Whether one of the members may be the patient. */
      readonly isUnsure: boolean;
    };

type Compared = PlacedMember & { readonly comparison: PatientComparison };

/**
 * The member who was asked about, by the rule of `comparePatients`. A 271 may only report on the patient (RFI 1755), but
 * payers match by the member id only (RFI 739) and move patients into 2100D (RFI 975). The first row that matches decides:
 *
 * | the members are                                   | it is                                          |
 * |---------------------------------------------------|------------------------------------------------|
 * | one *same*, or several that are one person        | that one, with all their benefits              |
 * | a *same* subscriber without a name, a *same* dependent of theirs | the dependent, as in the sixth row |
 * | a *same* with a rejection only, a *same* without an answer | the rejected one                      |
 * | several *same*, asked by the id only             | the subscriber                                 |
 * | several *same*                                    | no one: `member_ambiguous`                     |
 * | a *same* dependent without benefits or rejection  | the dependent, with the subscriber's benefits  |
 * | a rejected one that may be the patient            | the rejected one: no coverage wins over it     |
 * | one *cannot_tell*                                 | no one: `requires_other_channel`               |
 * | several *cannot_tell*                             | no one: `member_ambiguous`                     |
 * | all *another*                                     | no one: `dob_mismatch` or `name_mismatch` where one differs in that only, else `member_not_found` |
 */
export function chooseMember(members: readonly PlacedMember[], request: RequestInfo): ChosenMember {
  const { patient_info: asked } = request;
  if (members.length > MEMBER_COUNT_MAX) return AMBIGUOUS;
  const compared = members.map((placed) => ({
    ...placed,
    comparison: comparePatients(asked, patientAt(placed)),
  }));
  const given = givenFields(asked);
  const isByIdAlone = given.length === 1 && given[0] === 'subscriber_id';
  const persons = isByIdAlone ? compared : compared.filter((one) => !isOnlyAbove(one, compared));
  const same = bestOfSame(persons);
  if (same.length > 0) return chosenOf(same, isByIdAlone, given.includes('name'));
  const answered = compared.filter(hasAnswer);
  const rejected = answered.find((one) => isRejected(one) && one.comparison.kind !== 'another');
  if (rejected) return { kind: 'chosen', placed: rejected };
  const [first] = answered;
  if (first && answered.every(isRejected)) return { kind: 'chosen', placed: first };
  const unclear = answered.filter(({ comparison }) => comparison.kind === 'cannot_tell');
  if (unclear.length > 1) return AMBIGUOUS;
  if (unclear.length === 1)
    return {
      kind: 'none',
      reason: 'requires_other_channel',
      code: 'somebody who may be the patient',
      isUnsure: true,
    };
  return { kind: 'none', reason: mismatchOf(answered), code: 'another patient', isUnsure: false };
}

/** More members than any answer to one inquiry has; each is compared with the patient. */
const MEMBER_COUNT_MAX = 500;

/** Whether the payer only rejects the member. Out of network is a result, for which the patient must be certain. */
function isRejected({ member }: PlacedMember): boolean {
  return member.benefits.length === 0 && member.rejections.some(({ code }) => code !== OUT_OF_NETWORK);
}

const AMBIGUOUS: ChosenMember = {
  kind: 'none',
  reason: 'member_ambiguous',
  code: 'several members',
  isUnsure: true,
};

/** The identity of a member; a declared last name is before a comma. */
function patientAt({ member, subscriber }: PlacedMember): ComparedPatient {
  const name = member.party?.name;
  const given = name && [name.first, name.middle, name.suffix].filter((part) => part).join(' ');
  return {
    subscriber_id: memberIdAt({ member, subscriber }),
    dob: member.birthDate,
    name: name && `${name.last.replaceAll(',', ' ')}, ${given}`,
  };
}

/**
 * The *same* ones; those with differing middle names only if no other fits. If every answer is a rejection, members
 * without an answer are left out.
 */
function bestOfSame(compared: readonly Compared[]): Compared[] {
  const same = compared.filter(({ comparison }) => comparison.kind === 'same');
  const closely = same.filter(
    ({ comparison }) => comparison.kind === 'same' && !comparison.middleNamesDiffer,
  );
  const best = closely.length > 0 ? closely : same;
  const answered = best.filter(hasAnswer);
  return answered.length > 0 && answered.every(isRejected) ? answered : best;
}

/** Whether a 2100C has no name and only holds the loops of its dependents, and one of them is the patient. */
function isOnlyAbove({ member, subscriber }: Compared, compared: readonly Compared[]): boolean {
  if (member !== subscriber || isNamed(member)) return false;
  return compared.some(
    (one) =>
      one.subscriber === subscriber &&
      one.member !== subscriber &&
      one.comparison.kind === 'same' &&
      isNamed(one.member),
  );
}

/** Whether the payer gives a name, not blank and not a placeholder. */
function isNamed({ party }: Member): boolean {
  return givenFields({ name: party?.name && nameText(party.name) }).includes('name');
}

/** The members that are the patient; empty where none certainly is. */
export function sameMembers(members: readonly PlacedMember[], request: RequestInfo): readonly PlacedMember[] {
  return members.filter((placed) => comparePatients(request.patient_info, patientAt(placed)).kind === 'same');
}

function chosenOf(same: readonly Compared[], isByIdAlone: boolean, isNameGiven: boolean): ChosenMember {
  const subscribers = same.filter(({ member, subscriber }) => member === subscriber);
  const persons = isByIdAlone && subscribers.length > 0 ? subscribers : same;
  const [first, ...others] = persons;
  if (!first) return AMBIGUOUS;
  if (!others.every((other) => isSamePerson(first, other))) return AMBIGUOUS;
  const one = joined(persons, first);
  const { comparison } = first;
  const isSure = comparison.kind === 'same' && comparison.byBirthDate;
  const known = isNameGiven && isNamed(one.member) ? 'member id and name' : 'member id';
  const notes = isSure ? [] : [`The patient was found by ${known}, without a birth date.`];
  if (hasAnswer(one) || one.member === one.subscriber) return { kind: 'chosen', placed: { ...one, notes } };
  return { kind: 'chosen', placed: withSubscribersBenefits({ ...one, notes }) };
}

/**
 * A dependent who is only named gets the subscriber's benefits or rejection, and the entry says so. The
 * dependent's own dates come first, and no one dies of the subscriber's death.
 */
function withSubscribersBenefits(placed: PlacedMember): PlacedMember {
  const { member, subscriber, notes } = placed;
  const { benefits, rejections } = subscriber;
  if (benefits.length === 0) return { ...placed, member: { ...member, rejections } };
  const isDated = member.dates.some(({ qualifier }) => isOfPeriod(qualifier));
  const subscribers = subscriber.dates.filter(({ qualifier }) => qualifier !== DEATH);
  const name = subscriber.party?.name;
  const who = name ? ` ${nameText(name)}` : '';
  const note = `The payer names the patient as a dependent, and says this of the subscriber${who} only.`;
  const joinedMember = {
    ...member,
    benefits,
    rejections,
    dates: [...member.dates, ...(isDated ? [] : subscribers)],
    unreadDates: [...member.unreadDates, ...(isDated ? [] : subscriber.unreadDates)],
    messages: [...member.messages, ...subscriber.messages],
    references: [...member.references, ...subscriber.references],
  };
  return { ...placed, member: joinedMember, notes: [note, ...notes] };
}

/**
 * Named in several transactions, an answer that was sent twice or in parts; or in several loops of one, as by payers
 * with a loop for each coverage. There only what distinguishes twins makes them one.
 */
function isSamePerson(one: PlacedMember, other: PlacedMember): boolean {
  const compared = comparePatients(patientAt(one), patientAt(other));
  if (compared.kind !== 'same' || compared.middleNamesDiffer) return false;
  const isIdentified = ({ member, subscriber }: PlacedMember) =>
    Boolean(subscriber.party?.id) || isNamed(member);
  if (!isIdentified(one) || !isIdentified(other)) return false;
  const isCertain =
    compared.byBirthDate && Boolean(one.member.party?.name?.first && other.member.party?.name?.first);
  const areSubscribers = one.member === one.subscriber && other.member === other.subscriber;
  return (
    isCertain ||
    (areSubscribers && Boolean(one.member.party?.id)) ||
    (one.answer !== other.answer && identityOf(one) === identityOf(other))
  );
}

function identityOf({ member, subscriber }: PlacedMember): string {
  const { party, birthDate } = member;
  const role = member === subscriber ? 'subscriber' : 'dependent';
  return JSON.stringify([role, subscriber.party?.id, party?.id, party?.name, birthDate]).toUpperCase();
}

/** Everything about one person; the identity comes from the first loop with more than a rejection. */
function joined(parts: readonly PlacedMember[], first: PlacedMember): PlacedMember {
  if (parts.length === 1) return first;
  const base = parts.find(({ member }) => member.benefits.length > 0) ?? first;
  const members = parts.map((part) => part.member);
  const member: Member = {
    ...base.member,
    dates: gathered(members, 'dates'),
    unreadDates: gathered(members, 'unreadDates'),
    messages: gathered(members, 'messages'),
    rejections: gathered(members, 'rejections'),
    benefits: gathered(members, 'benefits'),
  };
  const loops = new Map(members.flatMap((loop) => loop.benefits.map((benefit) => [benefit, loop] as const)));
  const payers = new Map(
    parts.flatMap((part) => part.member.benefits.map((benefit) => [benefit, part.payer] as const)),
  );
  return { ...base, member, loops, payers };
}

/** As the payer's own rejection would say it. */
function mismatchOf(compared: readonly Compared[]): ErrorReason {
  const differsIn = (field: string) =>
    compared.some(
      ({ comparison }) => comparison.kind === 'another' && comparison.fields.every((one) => one === field),
    );
  if (differsIn('dob')) return 'dob_mismatch';
  return differsIn('name') ? 'name_mismatch' : 'member_not_found';
}
