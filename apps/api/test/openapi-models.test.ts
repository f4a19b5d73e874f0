import { readFileSync } from 'node:fs';
import { DEFAULT_PAYERS } from '@insurance-verification/schema';
import { expect, test } from 'vitest';

const shipped = readFileSync(new URL('../../../packages/client/openapi.json', import.meta.url), 'utf8');
const { schemas } = JSON.parse(shipped).components;

/* The spec's tables (2.1 to 2.8, 2.10): field, schema, and a mark for the required ones. */
const string = { type: 'string' };
const nullable = { type: ['string', 'null'] };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const array = (items: object) => ({ type: 'array', items });
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
const dateTime = { type: 'string', format: 'date-time' };
const date = { type: 'string', format: 'date' };

const tables: Record<string, Record<string, object>> = {
  ResponseModel: { 'request*': ref('RequestModel'), 'insurance_data*': array(ref('InsurancePlanData')) },
  RequestModel: {
    'request_id*': nullable,
    'input*': ref('RequestInfo'),
    'received_timestamp*': dateTime,
    'state*': ref('RequestState'),
    error_reason: nullable,
  },
  RequestInfo: {
    'patient_info*': ref('PatientInfo'),
    'payer_info*': ref('PayerInfo'),
    'provider_info*': ref('ProviderInfo'),
    cpt_code_coverage: orNull(array(string)),
    'callback_url*': { type: 'string', format: 'uri', minLength: 1, maxLength: 2083 },
  },
  PatientInfo: { 'subscriber_id*': string, dob: string, name: nullable, address: nullable },
  PayerInfo: { 'name*': ref('Payer'), phone_number: nullable },
  ProviderInfo: { 'npi*': string, 'name*': string, tin: nullable, organization_name: nullable },
  InsurancePlanData: {
    uuid: nullable,
    'person_uuid*': string,
    request_id: nullable,
    'verification_time*': dateTime,
    'verification_source*': ref('VerificationSource'),
    notes: nullable,
    'patient_info*': ref('PatientInfo'),
    'plan_info*': ref('PlanInfo'),
  },
  PlanInfo: {
    payer_name: ref('Payer'),
    plan_name: nullable,
    eligibility_status: orNull(ref('EligibilityStatus')),
    start_date: orNull(date),
    end_date: orNull(date),
    cpt_code_coverage: orNull(array(string)),
  },
  HTTPValidationError: { detail: array(ref('ValidationError')) },
  ValidationError: {
    'loc*': array({ anyOf: [{ type: 'string' }, { type: 'integer' }] }),
    'msg*': string,
    'type*': string,
  },
};

test.each(Object.entries(tables))(
  '%s has the spec’s fields, in its order, and is open to others',
  (name, fields) => {
    const { type, properties, required = [], ...more } = schemas[name];
    expect(type).toBe('object');
    expect(Object.keys(more)).toEqual(['description']);
    const described = Object.entries<Record<string, unknown>>(properties).map(([field, schema]) => {
      const { description, ...rest } = schema;
      // A reference without its own description has its component's.
      if (!('$ref' in rest)) expect(description, `${name}.${field}`).toMatch(/\.$/);
      return [required.includes(field) ? `${field}*` : field, rest];
    });
    expect(described).toEqual(Object.entries(fields));
  },
);

test.each([
  ['RequestState', ['pending', 'complete', 'error_verifying', 'error_sending_webhook']],
  [
    'VerificationSource',
    ['manual_web_portal', 'manual_phone_call', 'agent_web_portal', 'agent_phone_call', 'api'],
  ],
  ['EligibilityStatus', ['Active', 'Inactive']],
  ['Payer', [...DEFAULT_PAYERS]],
])('the enumeration %s is one component with the spec’s values', (name, values) => {
  const { description: _text, ...enumeration } = schemas[name];
  expect(enumeration).toEqual({ type: 'string', enum: values });
});

test('each model is one component: no twin for answers, no pattern with a format', () => {
  expect(Object.keys(schemas).filter((name) => /(Output|Input)$/.test(name))).toEqual([
    'ApplyHeldOutput',
    'DismissHeldOutput',
    'HeldOutput',
  ]);
  expect(shipped).not.toMatch(/"additionalProperties"/);
  expect([...new Set(shipped.match(/"pattern": ".*"/g))]).toEqual([
    String.raw`"pattern": "^\\d{4}-(0[1-9]|1[0-2])$"`, // a month
    String.raw`"pattern": "^\\d{1,15}(\\.\\d{1,6})?$"`, // a decimal number
    String.raw`"pattern": "^\\w{1,40}$"`, // a row of a payer's sheet
  ]);
});
