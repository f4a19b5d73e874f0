import { birthDateReadings } from '@insurance-verification/schema';
import { dayForPayer } from '../look/read-date.ts';
import type { WorkItem } from './draft.ts';

/** A value that is copied. */
export interface AskValue {
  readonly label: string;
  /** As in “Copy the member id”: no two of a page are the same. */
  readonly name: string;
  readonly value: string;
}

/** The values of a request in the order in which portals ask for them, then how to reach the payer. */
export function askValues({ request, payer, service_date: day }: WorkItem) {
  const { patient_info: patient, provider_info: provider, cpt_code_coverage: codes } = request.input;
  return {
    patient: [
      ...rowsOf('Member id', 'the member id', patient.subscriber_id),
      ...rowsOf('Born', 'the date of birth', patient.dob && birthDateForPayer(patient.dob)),
      ...rowsOf('Name', 'the patient’s name', patient.name),
      ...rowsOf('Address', 'the patient’s address', patient.address),
    ],
    provider: [
      ...rowsOf('NPI', 'the NPI', provider.npi),
      ...rowsOf('TIN', 'the TIN', provider.tin),
      ...rowsOf('Name', 'the provider’s name', provider.name),
      ...rowsOf('Organization', 'the organization', provider.organization_name),
    ],
    codes: rowsOf('Asked', 'the codes', codes?.join(', ')),
    visit: rowsOf('Day', 'the day asked about', day && dayForPayer(day)),
    // The number to call comes from the route: the provider that posts a request must not choose who is called.
    ways: [
      ...rowsOf('Phone', 'the phone number', payer.phone_number),
      ...payer.phones.flatMap(({ purpose, number }) =>
        rowsOf(`Phone, ${purpose}`, `the number for ${purpose}`, number),
      ),
      ...rowsOf('Menu', 'the way through the menu', payer.menu_path),
      ...rowsOf('Portal', 'the portal’s address', payer.portal_url),
    ],
  };
}

const rowsOf = (label: string, name: string, value: string | null | undefined): AskValue[] =>
  value ? [{ label, name, value }] : [];

/** `05/17/1984`, where the text can mean one day only; otherwise the text. */
export function birthDateForPayer(text: string): string {
  const [reading, another] = birthDateReadings(text);
  return reading === undefined || another !== undefined || reading.length < 10 ? text : dayForPayer(reading);
}

/** The digits of a number to call, without an extension; null without digits. */
export function telOf(phone: string): string | null {
  const [dialled = ''] = /^[+\d\s().\-/]+/.exec(phone) ?? [];
  const digits = dialled.replaceAll(/[^\d+]/g, '');
  return /\d/.test(digits) ? `tel:${digits}` : null;
}
