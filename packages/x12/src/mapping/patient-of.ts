import type { PatientInfo, RequestInfo } from '@insurance-verification/schema';
import type { Member } from '../answer/eligibility-answer.ts';
import type { AddressParts, Contact, NameParts, Party, Reference } from '../parts/parts.ts';
import { isDay } from '../parts/read-parts.ts';
import { isSamePlain } from './codes.ts';
import type { PlacedMember } from './placed-member.ts';

/** NM108 of a social security number, which is not a member id. */
const SOCIAL_SECURITY = '34';

/** REF01 of a member id outside NM109. */
const MEMBER_ID_REFERENCES = ['1W', '0F'];

/**
 * The patient as the payer holds them. A dependent has the subscriber's member id unless the payer gave one of their
 * own; without any, the request's is kept, since the model requires it. The same id in capitals or without the provider's
 * blanks and hyphens is returned as the provider wrote it: receivers know their patients by it.
 */
export function patientOf(placed: PlacedMember, request: RequestInfo): PatientInfo {
  const { member } = placed;
  const name = member.party?.name;
  const asked = request.patient_info.subscriber_id;
  const memberId = memberIdAt(placed) ?? asked;
  return {
    subscriber_id: isSamePlain(memberId, asked) ? asked : memberId,
    ...(member.birthDate !== null && { dob: member.birthDate }),
    ...(name && { name: nameText(name) }),
    ...(member.address && { address: addressText(member.address) }),
  };
}

/** A dependent's own member id, else the subscriber's; null when the payer gave none. */
export function memberIdAt({
  member,
  subscriber,
}: Pick<PlacedMember, 'member' | 'subscriber'>): string | null {
  return memberIdOf(member) ?? memberIdOf(subscriber);
}

function memberIdOf({ party, references }: Member): string | null {
  if (party?.id && party.idQualifier !== SOCIAL_SECURITY) return party.id;
  const isMemberId = ({ qualifier, id }: Reference) => id !== '' && MEMBER_ID_REFERENCES.includes(qualifier);
  return references.find(isMemberId)?.id ?? null;
}

export function nameText({ first, middle, last, suffix }: NameParts): string {
  return [first, middle, last, suffix].filter((part) => part).join(' ');
}

/** In one line. */
export function addressText({ lines, city, state, postalCode }: AddressParts): string {
  const place = [state, postalCode].filter((part) => part !== '').join(' ');
  return [...lines, city, place].filter((part) => part !== '').join(', ');
}

/** PER03 of a telephone: any, at work, a cell phone. */
const TELEPHONES = ['TE', 'WP', 'CP'];

/** The telephone of a party; null without one. */
export function phoneAmong(contacts: readonly Contact[]): string | null {
  for (const kind of TELEPHONES) {
    const phone = contacts.find(({ qualifier }) => qualifier === kind);
    if (phone) return phone.value;
  }
  return null;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * A date of birth from free text, as `YYYY-MM-DD`; null when it is not certainly one. Year first, month first (as it is
 * written where these payers are), or a month in words. `13/05/1984` is no month first, and it is not turned round:
 * asking without a date is better than asking with a wrong one. Two-digit years are not guessed.
 */
export function parseBirthDate(text: string): string | null {
  const trimmed = text.trim();
  const yearFirst = /^(\d{4})([-/.]?)(\d{2})\2(\d{2})(?:[T ].*)?$/.exec(trimmed);
  if (yearFirst) return dayOf(yearFirst[1], yearFirst[3], yearFirst[4]);
  const monthFirst = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?:[T ].*)?$/.exec(trimmed);
  if (monthFirst) return dayOf(monthFirst[4], monthFirst[1], monthFirst[3]);
  const inWords = /^([a-z]{3,9})\.? (\d{1,2}),? (\d{4})$/i.exec(trimmed);
  if (inWords) return dayOf(inWords[3], monthOf(inWords[1]), inWords[2]);
  const dayInFront = /^(\d{1,2})[ -]([a-z]{3,9})\.?,?[ -](\d{4})$/i.exec(trimmed);
  return dayInFront && dayOf(dayInFront[3], monthOf(dayInFront[2]), dayInFront[1]);
}

function monthOf(word = ''): string {
  return String(MONTHS.indexOf(word.slice(0, 3).toLowerCase()) + 1);
}

function dayOf(year = '', month = '', day = ''): string | null {
  const [mm, dd] = [month.padStart(2, '0'), day.padStart(2, '0')];
  return isDay(Number(year), Number(mm), Number(dd)) && year >= '1850' ? `${year}-${mm}-${dd}` : null;
}

/** NM101 of loop 2120, likeliest payer first: payers, their administrators, then sponsors and intermediaries. */
const PAYER_ROLES = ['PR', 'PRP', 'SEP', 'TTP', 'P4', 'OC', 'Y2', 'IN', 'VN', '1I', '2B', 'GP', 'GW', 'P5'];

/** NM101 of loop 2120 that is never a payer: the insured, their family, providers, employers. */
const OTHER_ROLES: ReadonlySet<string> = new Set('03 13 1P 36 73 FA I3 IL LR P3 QC X3'.split(' '));

/** NM101 of who pays for the plan, mostly an employer. */
const SPONSOR = 'P5';

/** Whether a party of loop 2120 is a company that is no provider, nor the insured's employer. */
export function isCompany({ isPerson, name, role }: Party): boolean {
  return !isPerson && name !== null && role !== SPONSOR && !OTHER_ROLES.has(role);
}

/** The payer among the parties of a loop 2120; none when only the insured or a provider is named. */
function payerAmong<T extends Party>(entities: readonly T[]): T | undefined {
  if (entities.length === 0) return undefined;
  for (const role of PAYER_ROLES) {
    const payer = entities.find((one) => one.role === role && one.name !== null);
    if (payer) return payer;
  }
  return entities.find(({ role }) => !OTHER_ROLES.has(role));
}

/** NM101 of payers, with or without their order. */
const PAYERS: ReadonlySet<string> = new Set(['PR', 'PRP', 'SEP', 'TTP']);

/** All payers among the parties; else the likeliest one, undefined if none. */
export function payersAmong<T extends Party>(entities: readonly T[]): readonly (T | undefined)[] {
  const payers = entities.filter(({ role, name }) => PAYERS.has(role) && name !== null);
  return payers.length > 1 ? payers : [payerAmong(entities)];
}

/** Its name; null without one. */
export function payerNameAmong(entities: readonly Party[]): string | null {
  const name = payerAmong(entities)?.name;
  return name ? nameText(name) : null;
}
