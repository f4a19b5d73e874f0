import type { PatientInfo, RequestInfo } from '@insurance-verification/schema';
import type { Member } from '../../answer/eligibility-answer.ts';
import { type AddressParts, type NameParts, type Reference } from '../../parts/parts.ts';
import { isSamePlain } from '../plain-text.ts';
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
