import type { NamedBody } from './named-body.ts';

/** All people and numbers are invented. 1234567893 is the NPI standard's own example. */
export const aRequest = {
  patient_info: {
    subscriber_id: 'W123456789',
    dob: '1984-05-17',
    name: 'Ada Example',
    address: '1 Sample Street, Springfield',
  },
  payer_info: { name: 'Payer Plan 1', phone_number: '+1 555 0100' },
  provider_info: {
    npi: '1234567893',
    name: 'Grace Sample',
    tin: '00-0000000',
    organization_name: 'Sample Clinic',
  },
  cpt_code_coverage: ['99213', 'D0120'],
  callback_url: 'https://clinic.example/webhooks/eligibility',
};

const { patient_info: patient, payer_info: payer, provider_info: provider } = aRequest;
const [leastPatient, leastProvider] = [
  { subscriber_id: 'W123456789' },
  { npi: '1234567893', name: 'Grace Sample' },
];
const address = (length: number): string => 'https://clinic.example/'.padEnd(length, 'a');

export const validRequests: NamedBody[] = [
  { name: 'every field', body: aRequest },
  {
    name: 'only the required fields',
    body: {
      patient_info: leastPatient,
      payer_info: { name: 'Payer Plan 1' },
      provider_info: leastProvider,
      callback_url: aRequest.callback_url,
    },
  },
  {
    name: 'null wherever null is allowed',
    body: {
      ...aRequest,
      patient_info: { ...leastPatient, name: null, address: null },
      payer_info: { name: 'Payer Plan 4', phone_number: null },
      provider_info: { ...leastProvider, tin: null, organization_name: null },
      cpt_code_coverage: null,
    },
  },
  {
    name: 'unknown fields, which are dropped',
    body: { ...aRequest, note: 'dropped', patient_info: { ...patient, gender: 'x' } },
  },
  {
    name: 'empty strings and an empty list',
    body: { ...aRequest, patient_info: { subscriber_id: '', dob: '' }, cpt_code_coverage: [] },
  },
  {
    name: 'a date of birth in another form',
    body: { ...aRequest, patient_info: { ...patient, dob: '17 May 1984' } },
  },
  {
    name: 'an NPI with a wrong check digit',
    body: { ...aRequest, provider_info: { ...provider, npi: '1234567890' } },
  },
  {
    name: 'characters of every kind',
    body: { ...aRequest, patient_info: { ...patient, name: 'Zoë 李 😀 \u0000 \u202e' } },
  },
  {
    name: 'a callback_url with port, userinfo and fragment',
    body: { ...aRequest, callback_url: 'HTTP://user:pass@clinic.example:8080/a?b#c' },
  },
  { name: 'a callback_url of 2083 characters', body: { ...aRequest, callback_url: address(2083) } },
];

export const invalidRequests: NamedBody[] = [
  { name: 'no object: null', body: null },
  { name: 'no object: a list', body: [] },
  { name: 'no object: a string', body: 'x' },
  { name: 'an empty object', body: {} },
  {
    name: 'a number for subscriber_id',
    body: { ...aRequest, patient_info: { ...patient, subscriber_id: 123456789 } },
  },
  { name: 'null for dob', body: { ...aRequest, patient_info: { ...patient, dob: null } } },
  { name: 'null for npi', body: { ...aRequest, provider_info: { ...provider, npi: null } } },
  { name: 'a string for patient_info', body: { ...aRequest, patient_info: 'Ada Example' } },
  { name: 'an unknown payer', body: { ...aRequest, payer_info: { ...payer, name: 'Payer Plan 5' } } },
  { name: 'a payer in other case', body: { ...aRequest, payer_info: { ...payer, name: 'payer plan 1' } } },
  { name: 'a string for cpt_code_coverage', body: { ...aRequest, cpt_code_coverage: '99213' } },
  { name: 'numbers in cpt_code_coverage', body: { ...aRequest, cpt_code_coverage: ['99213', 99214, null] } },
  { name: 'an empty callback_url', body: { ...aRequest, callback_url: '' } },
  { name: 'a relative callback_url', body: { ...aRequest, callback_url: '/webhooks' } },
  { name: 'a callback_url without a host', body: { ...aRequest, callback_url: 'https://' } },
  {
    name: 'a callback_url with another scheme',
    body: { ...aRequest, callback_url: 'ftp://clinic.example/' },
  },
  {
    name: 'a callback_url with a bad port',
    body: { ...aRequest, callback_url: 'https://clinic.example:99999/' },
  },
  { name: 'a callback_url of 2084 characters', body: { ...aRequest, callback_url: address(2084) } },
  { name: 'null for callback_url', body: { ...aRequest, callback_url: null } },
  {
    name: 'several faults, told in schema order',
    body: {
      callback_url: 'x',
      cpt_code_coverage: {},
      provider_info: { name: 1 },
      payer_info: null,
      patient_info: { name: 5 },
    },
  },
];
