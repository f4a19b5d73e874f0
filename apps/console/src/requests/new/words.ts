/** The labels of groups and fields; one without a label is shown by its name. */
const WORDS: Readonly<Record<string, string>> = {
  patient_info: 'Patient',
  payer_info: 'Payer',
  provider_info: 'Provider',
  '': 'Question and answer',
  'patient_info.subscriber_id': 'Member id',
  'patient_info.dob': 'Date of birth',
  'patient_info.name': 'Full name',
  'patient_info.address': 'Address',
  'payer_info.name': 'Plan',
  'payer_info.phone_number': 'Payer’s phone',
  'provider_info.npi': 'NPI',
  'provider_info.name': 'Name',
  'provider_info.tin': 'TIN',
  'provider_info.organization_name': 'Organization',
  cpt_code_coverage: 'Procedure codes',
  callback_url: 'Callback address',
};

export const wordOf = (path: string): string =>
  WORDS[path] ?? (path.split('.').at(-1) ?? path).replaceAll('_', ' ');

/** Hints of fields whose label does not say what they take. */
export const HINTS: Readonly<Record<string, string>> = {
  cpt_code_coverage: 'D0120, D1110',
  callback_url: 'https://clinic.example/verified',
};
