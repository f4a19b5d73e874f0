import type { PatientInfo, RequestInfo } from '@insurance-verification/schema';
import type { Member } from '../../answer/eligibility-answer.ts';
import { type AddressParts, type NameParts, type Reference } from '../../parts/parts.ts';
import { plainText } from '../plain-text.ts';
import type { PlacedMember } from './choose-member.ts';
import { parseBirthDate } from './parse-birth-date.ts';

/** NM108 of a social security number, which is not a member id. */
const SOCIAL_SECURITY = '34';

/** REF01 of a member id outside NM109. */
const MEMBER_ID_REFERENCES = ['1W', '0F'];

/**
 * The patient as the payer holds them. A dependent has the subscriber's member id unless the payer gave one of their
 * own; without any, the request's stands, since the model requires it. The same id in capitals or without the provider's
 * blanks and hyphens is told as the provider wrote it: receivers know their patients by it. Where the payer corrects
 * the id, the same is done with the birth date: an entry that agrees with the request in neither is refused as another
 * patient's.
 */
export function patientOf({ member, subscriber }: PlacedMember, request: RequestInfo): PatientInfo {
  const name = member.party?.name;
  const asked = request.patient_info.subscriber_id;
  const told = memberIdOf(member) ?? memberIdOf(subscriber) ?? asked;
  const isSameId = plainText(told) === plainText(asked);
  const dob = isSameId ? member.birthDate : asWritten(member.birthDate, request.patient_info.dob);
  return {
    subscriber_id: isSameId ? asked : told,
    ...(dob !== null && { dob }),
    ...(name && { name: nameText(name) }),
    ...(member.address && { address: addressText(member.address) }),
  };
}

/** A day, in the request's spelling when that means the same day. */
function asWritten(day: string | null, text: string | undefined): string | null {
  return text !== undefined && day !== null && parseBirthDate(text) === day ? text : day;
}

function memberIdOf({ party, references }: Member): string | null {
  if (party?.id && party.idQualifier !== SOCIAL_SECURITY) return party.id;
  const isMemberId = ({ qualifier, id }: Reference) => id !== '' && MEMBER_ID_REFERENCES.includes(qualifier);
  return references.find(isMemberId)?.id ?? null;
}

export function nameText({ first, middle, last, suffix }: NameParts): string {
  return [first, middle, last, suffix].filter((part) => part).join(' ');
}

function addressText({ lines, city, state, postalCode }: AddressParts): string {
  const place = [state, postalCode].filter((part) => part !== '').join(' ');
  return [...lines, city, place].filter((part) => part !== '').join(', ');
}
