import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createSchemas, toValidationErrors } from '../src/index.ts';
import type { ValidationError } from '../src/index.ts';

interface Case {
  name: string;
  headers: Record<string, string>;
  body_base64: string;
  status: number;
  detail: ValidationError[] | null;
  ours?: { status?: number; detail?: ValidationError[]; note?: string };
}

const golden = JSON.parse(
  readFileSync(new URL('golden/fastapi-verification-output.json', import.meta.url), 'utf8'),
) as { cases: Case[] };
const { ResponseModel } = createSchemas({ payers: ['Plan A', 'Plan B', 'Plan C', 'Plan D'] });

/** Cases about media types and malformed JSON are decided before a model sees them, in the api. */
const isDecidedByTheModel = ({ headers, detail }: Case): boolean =>
  (headers['content-type'] ?? 'json').includes('json') && !JSON.stringify(detail).includes('JSON');

const cases = golden.cases.filter((row) => isDecidedByTheModel(row) && row.name !== 'bad utf8');

test('covers every case a model decides', () => {
  expect(golden.cases).toHaveLength(51);
  expect(cases).toHaveLength(44);
});

describe('POST /verification-output answers as the reference', () => {
  test.each(cases)('$name', ({ name, body_base64, status, detail, ours }) => {
    const text = new TextDecoder().decode(Buffer.from(body_base64, 'base64'));
    const raw: unknown = text === '' ? undefined : JSON.parse(text);
    const result = ResponseModel.safeParse(raw);
    const answer = result.success
      ? { status: 200, detail: null }
      : { status: 422, detail: toValidationErrors(result.error.issues, raw) };

    const expected = {
      status: ours?.status ?? status,
      detail: ours?.status === 200 ? null : (ours?.detail ?? detail),
    };
    if (name === 'many errors') {
      // The reference takes the number in received_timestamp for a timestamp; here it is one more fault, in schema order.
      const at = expected.detail?.findIndex(({ loc }) => loc.at(-1) === 'state') ?? -1;
      const fault = {
        loc: ['body', 'request', 'received_timestamp'],
        msg: 'Input should be a valid datetime',
        type: 'datetime_type',
      };
      expected.detail = expected.detail?.toSpliced(at, 0, fault) ?? null;
    }
    expect(answer).toEqual(expected);
  });
});
