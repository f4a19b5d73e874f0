import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { CreateApiKey } from '../contract/keys.ts';
import { ListRequests } from '../contract/requests.ts';
import { RequestInfo } from '../default-schemas.ts';
import { toValidationErrors } from './validation-errors.ts';

function errorsOf(schema: z.ZodType, raw: unknown) {
  return toValidationErrors(schema.safeParse(raw).error?.issues ?? [], raw);
}

describe('toValidationErrors', () => {
  test.each([[null], [undefined]])('calls a body of %j absent', (raw) => {
    expect(errorsOf(RequestInfo, raw)).toEqual([{ loc: ['body'], msg: 'Field required', type: 'missing' }]);
  });

  test.each([
    [{ limit: 'x' }, 'int_parsing', 'Input should be a valid integer, unable to parse string as an integer'],
    [{ limit: 0 }, 'greater_than_equal', 'Input should be greater than or equal to 1'],
    [{ limit: 101 }, 'less_than_equal', 'Input should be less than or equal to 100'],
    [
      { limit: 1.5 },
      'int_from_float',
      'Input should be a valid integer, got a number with a fractional part',
    ],
    [{ limit: null }, 'int_type', 'Input should be a valid integer'],
    [{ limit: [] }, 'int_type', 'Input should be a valid integer'],
  ])('reports a bad limit %j at its place in the query', (raw, type, msg) => {
    const issues = ListRequests.safeParse(raw).error?.issues ?? [];
    expect(toValidationErrors(issues, raw, (path) => ['query', ...path])).toEqual([
      { loc: ['query', 'limit'], msg, type },
    ]);
  });

  test('reports a list that is too short without counting what was sent', () => {
    expect(errorsOf(CreateApiKey, { account_id: 'a', scopes: [] })).toEqual([
      {
        loc: ['body', 'scopes'],
        msg: 'List should have at least 1 item after validation',
        type: 'too_short',
      },
    ]);
  });

  test('reports one fault per location', () => {
    const schema = z.object({ value: z.string().min(5).regex(/^x/) });
    expect(errorsOf(schema, { value: 'abc' })).toEqual([
      { loc: ['body', 'value'], msg: 'String should have at least 5 characters', type: 'string_too_short' },
    ]);
    expect(errorsOf(schema, { value: 'abcdef' })).toMatchObject([{ type: 'string_pattern_mismatch' }]);
  });

  // Broke: the text had JavaScript's slashes and flags around the pattern.
  test('reports a pattern as pydantic does', () => {
    const schema = z.object({ value: z.string().regex(/^a\/\d$/i) });
    expect(errorsOf(schema, { value: 'b' })).toEqual([
      {
        loc: ['body', 'value'],
        msg: String.raw`String should match pattern '^a\/\d$'`,
        type: 'string_pattern_mismatch',
      },
    ]);
  });

  test.each([
    [['A', "O'Neil", 'say "hi"', `'"`], `Input should be 'A', "O'Neil", 'say "hi"' or '\\'"'`],
    [['only'], "Input should be 'only'"],
    [['a', 'b'], "Input should be 'a' or 'b'"],
  ])('lists the values %j as Python writes them', (values, msg) => {
    expect(errorsOf(z.object({ value: z.enum(values) }), { value: 1 })).toMatchObject([
      { msg, type: 'enum' },
    ]);
  });

  test('never repeats a value', () => {
    const secret = 'zebra-4711';
    const raw = {
      patient_info: [secret],
      payer_info: { name: secret },
      provider_info: secret,
      cpt_code_coverage: secret,
      callback_url: secret,
    };
    const errors = errorsOf(RequestInfo, raw);
    expect(errors).toHaveLength(5);
    expect(JSON.stringify(errors)).not.toContain(secret);
  });

  test('takes an inherited key for absent', () => {
    const raw = JSON.parse(
      '{"__proto__": {"patient_info": {}}, "constructor": {}, "prototype": 1}',
    ) as unknown;
    expect(errorsOf(RequestInfo, raw).map(({ type }) => type)).toEqual([
      'missing',
      'missing',
      'missing',
      'missing',
    ]);
  });

  test('answers a body 50,000 levels deep', () => {
    const deep = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) as unknown;
    expect(errorsOf(RequestInfo, { patient_info: deep, unknown: deep })).toHaveLength(4);
    expect(errorsOf(RequestInfo, deep)).toHaveLength(1);
  });

  // An open endpoint must not be made to answer one megabyte with 74 MB.
  test('reports the first thousand faults of a body that has more', () => {
    const errors = errorsOf(RequestInfo, { cpt_code_coverage: Array.from({ length: 5_000 }, () => 0) });
    expect(errors).toHaveLength(1_000);
    expect(errors.at(-1)).toMatchObject({ loc: ['body', 'cpt_code_coverage', 996], type: 'string_type' });
  });
});
