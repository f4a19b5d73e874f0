import { givenFields, type RequestInfo } from '@insurance-verification/schema';
import type { EligibilityInquiry } from '../../inquiry/eligibility-inquiry.ts';
import { parseBirthDate } from '../member/parse-birth-date.ts';
import { askedProcedures } from './asked-procedures.ts';
import { splitAddress } from './split-address.ts';
import { showsPerson, splitName } from './split-name.ts';

/** What an inquiry needs besides the request. */
export interface InquiryContext {
  /** The answer echoes it, which ties the answer to this request. */
  readonly requestId: string;
  /** TRN03: 10 characters. */
  readonly traceOrigin: string;
  /** NM109 of the payer: the clearinghouse's id for it. */
  readonly payerId: string;
  /** `YYYY-MM-DD` in the payer's zone. */
  readonly serviceDate: string;
  readonly askedAt: Date;
}

/** The service type of the whole plan. */
const WHOLE_PLAN = '30';

/** Asked with the plan for dental codes: a medical plan answers 30 without a word about teeth. */
const DENTAL_CARE = '35';

/** The 270 for a request. Placeholders (`unknown`, `1900-01-01`) and uncertain data are left out. */
export function toEligibilityInquiry(request: RequestInfo, context: InquiryContext): EligibilityInquiry {
  const { patient_info: patient, payer_info: payer, provider_info: provider } = request;
  const { requestId, traceOrigin, payerId, serviceDate, askedAt } = context;
  const procedures = askedProcedures(request);
  const given = givenFields(patient);
  return {
    traceId: requestId,
    traceOrigin,
    askedAt,
    payer: { name: payer.name, id: payerId },
    provider: {
      ...providerNameOf(provider),
      npi: provider.npi.replaceAll(/\s/g, '') || null,
      tin: tinOf(provider.tin),
    },
    subscriber: {
      name: given.includes('name') ? splitName(patient.name ?? '') : null,
      memberId: given.includes('subscriber_id') ? patient.subscriber_id.replaceAll(/\s/g, '') : null,
      birthDate: given.includes('dob') ? parseBirthDate(patient.dob ?? '') : null,
      address: splitAddress(patient.address ?? ''),
    },
    serviceDate,
    serviceTypes: askedServiceTypes(request),
    procedures: procedures.map(({ qualifier, code, modifiers }) => ({
      qualifier,
      code,
      modifiers,
    })),
  };
}

/** The service types that a request asks for. */
export function askedServiceTypes(request: RequestInfo): readonly string[] {
  const isDental = askedProcedures(request).some(({ qualifier }) => qualifier === 'AD');
  return isDental ? [WHOLE_PLAN, DENTAL_CARE] : [WHOLE_PLAN];
}

/** A person only when certain: payers go by the NPI, and a practice name cut in two names no one. */
function providerNameOf({ name, organization_name: organisation }: RequestInfo['provider_info']) {
  const parts = splitName(name);
  const isPerson =
    parts !== null && parts.first !== null && (showsPerson(name) || isOther(organisation, name));
  return isPerson
    ? { isPerson, name: parts }
    : { isPerson: false, name: { last: name.trim(), first: null, middle: null, suffix: null } };
}

/** Whether an organisation is given with the provider, who is then a person in it. */
function isOther(organisation: string | null | undefined, name: string): boolean {
  const given = organisation?.trim() ?? '';
  return given !== '' && given.toLowerCase() !== name.trim().toLowerCase();
}

/** Nine digits, however grouped. */
function tinOf(text: string | null | undefined): string | null {
  const digits = text?.replaceAll(/[\s-]/g, '') ?? '';
  return /^\d{9}$/.test(digits) ? digits : null;
}
