import { birthDateReadings } from '@insurance-verification/schema';
import { dayForPayer } from '../../look/form/read-date.ts';
import type { WorkItem } from '../draft/draft.ts';

/** A value that is copied. */
export interface AskValue {
  /** Beside the value. */
  readonly label: string;
  /** As in “Copy the member id”: no two of a page are the same. */
  readonly name: string;
  readonly value: string;
  /** Whether a copy of it must be on record. */
  readonly isOfPatient: boolean;
}

/** The values of a request in the order in which portals ask for them, then how to reach the payer. */
export function askValues({ request, payer, service_date: day }: WorkItem) {
  const { patient_info: patient, provider_info: provider, cpt_code_coverage: codes } = request.input;
  const ofPatient = rowsOf(true);
  const other = rowsOf(false);
  return {
    patient: [
      ...ofPatient('Member id', 'the member id', patient.subscriber_id),
      ...ofPatient('Born', 'the date of birth', patient.dob && birthDateForPayer(patient.dob)),
      ...ofPatient('Name', 'the patient’s name', patient.name),
      ...ofPatient('Address', 'the patient’s address', patient.address),
    ],
    provider: [
      ...other('NPI', 'the NPI', provider.npi),
      ...other('TIN', 'the TIN', provider.tin),
      ...other('Name', 'the provider’s name', provider.name),
      ...other('Organization', 'the organization', provider.organization_name),
    ],
    codes: other('Asked', 'the codes', codes?.join(', ')),
    visit: other('Day', 'the day asked about', day && dayForPayer(day)),
    // Whoever posts a request must not choose who is called: the number of the route is the one to call.
    ways: [
      ...other('Phone', 'the phone number', payer.phone_number),
      ...other('Menu', 'the way through the menu', payer.menu_path),
      ...other('Portal', 'the portal’s address', payer.portal_url),
    ],
  };
}

const rowsOf =
  (isOfPatient: boolean) =>
  (label: string, name: string, value: string | null | undefined): AskValue[] =>
    value ? [{ label, name, value, isOfPatient }] : [];

/** `05/17/1984`, where what was written can be one day alone; otherwise as it was written. */
export function birthDateForPayer(text: string): string {
  const [reading, another] = birthDateReadings(text);
  return reading === undefined || another !== undefined || reading.length < 10 ? text : dayForPayer(reading);
}

/** The digits of a number to call, without an extension; null for what has none. */
export function telOf(phone: string): string | null {
  const [dialled = ''] = /^[+\d\s().\-/]+/.exec(phone) ?? [];
  const digits = dialled.replaceAll(/[^\d+]/g, '');
  return /\d/.test(digits) ? `tel:${digits}` : null;
}
