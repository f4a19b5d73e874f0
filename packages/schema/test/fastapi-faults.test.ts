import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  date,
  dateTime,
  httpUrl,
  integerFromQuery,
  ListRequests,
  RequestInfo,
  ResponseModel,
  toValidationErrors,
} from '../src/index.ts';
import type { ValidationError } from '../src/index.ts';

interface ValueRow {
  input: unknown;
  type?: string;
  msg?: string;
  value?: number;
}
interface BodyRow {
  model: 'RequestInfo' | 'ResponseModel';
  path: (string | number)[];
  value?: unknown;
  detail: ValidationError[] | null;
}
interface Golden extends Record<'date_time' | 'date' | 'url' | 'limit' | 'name', ValueRow[]> {
  request_info: unknown;
  response_model: unknown;
  bodies: BodyRow[];
}

const golden = JSON.parse(
  readFileSync(new URL('golden/fastapi-faults.json', import.meta.url), 'utf8'),
) as Golden;

/** What FastAPI answered, as one line; "ok" when it accepted. */
const theirs = (row: ValueRow): string => (row.type === undefined ? 'ok' : `${row.type}: ${row.msg}`);

function ours(field: z.ZodType, input: unknown): string {
  const raw = { value: input };
  const result = z.object({ value: field }).safeParse(raw);
  if (result.success) return 'ok';
  const errors = toValidationErrors(result.error.issues, raw);
  expect(errors).toHaveLength(1);
  expect(errors[0]?.loc).toEqual(['body', 'value']);
  return `${errors[0]?.type}: ${errors[0]?.msg}`;
}

/** The rows where our answer is not FastAPI's, as [input, ours]. */
function differences(field: z.ZodType, rows: ValueRow[]): [input: unknown, ours: string][] {
  return rows
    .map((row) => [row, ours(field, row.input)] as const)
    .filter(([row, line]) => line !== theirs(row))
    .map(([row, line]) => [row.input, line]);
}

const TOO_SHORT = 'Input should be a valid datetime or date, input is too short';
const NO_SEPARATOR = 'Input should be a valid datetime or date, invalid date separator, expected `-`';

// The reference answers 500 to a lone surrogate in these fields, so there is nothing to agree on.
const isCrash = (row: ValueRow): boolean => row.type === 'crash';

describe('every answer equals the reference, but for', () => {
  test('date-time: numbers, numeric strings and bare dates, which the spec does not call date-times', () => {
    const found = differences(
      dateTime(),
      golden.date_time.filter((row) => !isCrash(row)),
    );
    expect(found).toEqual([
      ...[0, 5, -1, 1.5, 1700000000, 1e20].map((input) => [
        input,
        'datetime_type: Input should be a valid datetime',
      ]),
      ...['0', '5', '-5', '1.5'].map((input) => [input, `datetime_from_date_parsing: ${TOO_SHORT}`]),
      ...['1700000000', '1700000000000'].map((input) => [
        input,
        `datetime_from_date_parsing: ${NO_SEPARATOR}`,
      ]),
      ...['2026-03-04', '20260304', '2024-02-29', '2000-02-29', '0000-01-01', '0001-01-01', '9999-12-31'].map(
        (input) => [input, `datetime_from_date_parsing: ${TOO_SHORT}`],
      ),
      ...['12345678901', '1234567890.5'].map((input) => [
        input,
        `datetime_from_date_parsing: ${NO_SEPARATOR}`,
      ]),
    ]);
  });

  test('date: numbers and numeric strings', () => {
    const found = differences(
      date(),
      golden.date.filter((row) => !isCrash(row)),
    );
    const unparsable = (text: string): string =>
      `date_from_datetime_parsing: ${(text.length < 10 ? TOO_SHORT : NO_SEPARATOR).replace('datetime or date', 'date or datetime')}`;
    expect(found).toEqual([
      ...[0, 5, -1, 1.5, 1700000000, 1e20].map((input) => [input, 'date_type: Input should be a valid date']),
      ...[
        '0',
        '5',
        '-5',
        '1.5',
        '1700000000',
        '1700000000000',
        '20260304',
        '12345678901',
        '1234567890.5',
      ].map((input) => [input, unparsable(input)]),
    ]);
  });

  test('callback_url: a length counted in characters, as the spec says, not in bytes', () => {
    const found = differences(
      httpUrl(),
      golden.url.filter((row) => !isCrash(row)),
    );
    expect(found.map(([input, line]) => [Array.from(String(input)).length, line])).toEqual([
      [2083, 'ok'],
      [2083, 'ok'],
      [2083, 'ok'],
      [1051, 'ok'],
      [2083, 'ok'],
    ]);
    const bytes = found.map(([input]) => new TextEncoder().encode(String(input)).length);
    expect(bytes.every((length) => length > 2083)).toBe(true);
  });

  test('an integer in a query of more than 4,300 digits', () => {
    const found = golden.limit.flatMap((row) => {
      const raw = { limit: integerFromQuery(String(row.input)) };
      const result = ListRequests.safeParse(raw);
      const fault = result.success
        ? null
        : toValidationErrors(result.error.issues, raw, (path) => ['query', ...path])[0];
      const line = fault ? `${fault.type}: ${fault.msg}` : String(result.data?.limit);
      return line === (row.type === undefined ? String(row.value) : theirs(row))
        ? []
        : [[String(row.input).length, fault]];
    });
    expect(found).toEqual([
      [
        5000,
        {
          loc: ['query', 'limit'],
          type: 'int_parsing',
          msg: 'Input should be a valid integer, unable to parse string as an integer',
        },
      ],
    ]);
  });

  test('nothing, for a string with bounds', () => {
    expect(differences(z.string().min(1).max(200), golden.name)).toEqual([]);
  });
});

test('a lone surrogate, to which the reference answers 500, is a fault or kept, never thrown', () => {
  const answers = [
    ...golden.date_time.filter(isCrash).map((row) => ours(dateTime(), row.input)),
    ...golden.date.filter(isCrash).map((row) => ours(date(), row.input)),
    ...golden.url.filter(isCrash).map((row) => ours(httpUrl(), row.input)),
  ];
  expect(answers.map((line) => line.split(':')[0])).toEqual([
    ...Array<string>(2).fill('datetime_from_date_parsing'),
    ...Array<string>(2).fill('date_from_datetime_parsing'),
    ...Array<string>(3).fill('url_parsing'),
    'ok',
    ...Array<string>(4).fill('url_parsing'),
    'ok',
    'ok',
  ]);
});

/** The base body with one value set or, without a value, removed. */
function changed(row: BodyRow): unknown {
  const root: Record<string, unknown> = {
    body: structuredClone(row.model === 'RequestInfo' ? golden.request_info : golden.response_model),
  };
  const path = ['body', ...row.path];
  const last = path.pop() ?? '';
  const holder = path.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], root);
  if ('value' in row) (holder as Record<string, unknown>)[last] = row.value;
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete (holder as Record<string, unknown>)[last];
  return root['body'];
}

test('every single fault in a body has the location, code, text and order of the reference, but for numbers as dates', () => {
  const models = { RequestInfo, ResponseModel };
  const found = golden.bodies.flatMap((row) => {
    const raw = changed(row);
    const result = models[row.model].safeParse(raw);
    const detail = result.success ? null : toValidationErrors(result.error.issues, raw);
    return JSON.stringify(detail) === JSON.stringify(row.detail)
      ? []
      : [[row.path.at(-1), row.value, detail]];
  });
  const dates = ['received_timestamp', 'verification_time', 'start_date', 'end_date'];
  expect(found.map(([key, value]) => [key, value])).toEqual(
    dates.flatMap((key) => [0, 5, 1.5].map((value) => [key, value])),
  );
  expect(found.every(([, , detail]) => /"type":"date(time)?_type"/.test(JSON.stringify(detail)))).toBe(true);
});
