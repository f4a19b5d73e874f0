import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import * as exported from '../src/index.ts';
import { defaultSchemas, SPEC_MODEL_NAMES } from '../src/index.ts';

/** Spec 2.1 to 2.8 and 2.10: the fields in order; `!` required, `?` null allowed. */
const SPEC: Record<string, string> = {
  ResponseModel: 'request! insurance_data!',
  RequestModel: 'request_id!? input! received_timestamp! state! error_reason?',
  RequestInfo: 'patient_info! payer_info! provider_info! cpt_code_coverage? callback_url!',
  PatientInfo: 'subscriber_id! dob name? address?',
  PayerInfo: 'name! phone_number?',
  ProviderInfo: 'npi! name! tin? organization_name?',
  InsurancePlanData:
    'uuid? person_uuid! request_id? verification_time! verification_source! notes? patient_info! plan_info!',
  PlanInfo: 'payer_name plan_name? eligibility_status? start_date? end_date? cpt_code_coverage?',
  HTTPValidationError: 'detail',
  ValidationError: 'loc! msg! type!',
};

const all: [string, unknown][] = Object.entries(exported);
// The file of payers is configuration, not a wire model: there an unknown key is a typing error that must not pass.
const objects = all.filter(
  (entry): entry is [string, z.ZodObject] => entry[1] instanceof z.ZodObject && entry[0] !== 'PayersFile',
);
const enums = all.filter((entry): entry is [string, z.ZodEnum] => entry[1] instanceof z.ZodEnum);

describe('the models of the spec', () => {
  test.each(Object.entries(SPEC))(
    '%s has the fields, the order and the nulls of the spec',
    (name, fields) => {
      const model = defaultSchemas[name as keyof typeof defaultSchemas] as z.ZodObject;
      const found = Object.entries(model.shape as Record<string, z.ZodType>).map(
        ([key, field]) =>
          key + (field.safeParse(undefined).success ? '' : '!') + (field.safeParse(null).success ? '?' : ''),
      );
      expect(found.join(' ')).toBe(fields);
    },
  );

  test('all exist, also by their own name', () => {
    expect(SPEC_MODEL_NAMES).toHaveLength(14);
    for (const name of SPEC_MODEL_NAMES) expect(exported[name]).toBe(defaultSchemas[name]);
  });

  test('have the enumerations of the spec', () => {
    expect(exported.RequestState.options).toEqual([
      'pending',
      'complete',
      'error_verifying',
      'error_sending_webhook',
    ]);
    expect(exported.VerificationSource.options).toEqual([
      'manual_web_portal',
      'manual_phone_call',
      'agent_web_portal',
      'agent_phone_call',
      'api',
    ]);
    expect(exported.EligibilityStatus.options).toEqual(['Active', 'Inactive']);
    expect(exported.Payer.options).toEqual(exported.DEFAULT_PAYERS);
  });
});

describe('every exported model', () => {
  test.each([...objects, ...enums])(
    '%s is registered under its own name, with a description',
    (name, schema) => {
      expect(z.globalRegistry.get(schema)).toMatchObject({
        id: name,
        description: expect.stringMatching(/\.$/),
      });
    },
  );

  test.each(objects)('%s describes each field', (_, schema) => {
    for (const [key, field] of Object.entries(schema.shape)) {
      expect(z.globalRegistry.get(field)?.description, key).toMatch(/\.$/);
    }
  });

  // A difference makes an `…Output` twin of the component in the OpenAPI document; `false` breaks clients on a new field.
  test.each(objects)('%s has one JSON Schema, read or written, open to unknown keys', (_, schema) => {
    const written = z.toJSONSchema(schema, { io: 'output' });
    const hasDefaults = Object.values(schema.shape).some((field) => field instanceof z.ZodDefault);
    if (!hasDefaults) expect(z.toJSONSchema(schema, { io: 'input' })).toEqual(written);
    expect(JSON.stringify(written)).not.toMatch(/additionalProperties|"format":[^}]*"pattern"/);
  });

  test.each(objects)('%s drops unknown keys and coerces nothing', (_, schema) => {
    expect(schema.def.catchall).toBeUndefined();
    expect(schema.safeParse('{}').success).toBe(false);
    expect(schema.safeParse([]).success).toBe(false);
  });
});
