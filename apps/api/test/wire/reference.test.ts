import { readFileSync } from 'node:fs';
import { DEFAULT_PAYERS, type ValidationError } from '@insurance-verification/schema';
import { exchange } from '@insurance-verification/testing/wire/a-connection';
import { head } from '@insurance-verification/testing/wire/head';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BOOTSTRAP_KEY, startTestService, type TestService, useService } from '../a-service.ts';
import type { Answer } from '../send.ts';

// FastAPI's recorded answers: clients written against it branch on `loc` and `type`, and show `msg`.

interface Pair {
  readonly name: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body_base64: string;
  readonly status: number;
  readonly detail: ValidationError[] | null;
  readonly ours?: { readonly status?: number; readonly detail?: ValidationError[] };
}
interface SingleFault {
  readonly model: 'RequestInfo' | 'ResponseModel';
  readonly path: (string | number)[];
  readonly value?: unknown;
  readonly detail: ValidationError[] | null;
}

const goldenFolder = new URL('../../../../packages/schema/test/golden/', import.meta.url);
const golden = <T>(name: string) => JSON.parse(readFileSync(new URL(name, goldenFolder), 'utf8')) as T;
const { cases: pairs } = golden<{ cases: Pair[] }>('fastapi-verification-output.json');
const faults = golden<{ request_info: unknown; response_model: unknown; bodies: SingleFault[] }>(
  'fastapi-faults.json',
);

const service = useService({ env: { PAYERS: '["Plan A","Plan B","Plan C","Plan D"]' } });

test('the pairs are all there', () => expect(pairs).toHaveLength(51));

/** The expected answer: the reference's, or this service's where the golden file records a deliberate difference. */
function due({ name, status, detail, ours }: Pair): { status: number; detail: ValidationError[] | null } {
  if (name !== 'many errors') {
    const dueStatus = ours?.status ?? status;
    return { status: dueStatus, detail: dueStatus === 200 ? null : (ours?.detail ?? detail) };
  }
  // Here a number is not a date-time: one more entry, in the schema's order.
  const loc = ['body', 'request', 'received_timestamp'];
  const number: ValidationError = { loc, msg: 'Input should be a valid datetime', type: 'datetime_type' };
  const at = (detail ?? []).findIndex(
    (entry) => entry.loc[2] === 'state' || entry.loc[1] === 'insurance_data',
  );
  return { status, detail: (detail ?? []).toSpliced(at, 0, number) };
}

describe.each(pairs)('the pair "$name"', (pair) => {
  const wanted = due(pair);

  test('has the same answer at POST /verification-output, byte for byte', async () => {
    const answer = await post(pair.path, pair);
    expect(answer.text).toBe(
      JSON.stringify(wanted.detail === null ? { status: 'received' } : { detail: wanted.detail }),
    );
    expect(answer.status).toBe(wanted.status);
  });

  test('has the same detail through tRPC', async () => {
    const answer = await post('/trpc/verificationOutput.submit', pair);
    expect(answer.status).toBe(wanted.status);
    expect(detailOf(answer)).toEqual(wanted.detail);
  });
});

// Every operation reports faults of the body itself, not of a field, in the same words.
const structural = pairs.filter((pair) =>
  due(pair).detail?.every(({ loc }) => loc.length === 1 || typeof loc[1] === 'number'),
);

test.each(structural)('the pair "$name" has the same answer at POST /requests/', async (pair) => {
  expect(detailOf(await post('/requests/', pair, BOOTSTRAP_KEY))).toEqual(due(pair).detail);
  expect(detailOf(await post('/trpc/requests.create', pair, BOOTSTRAP_KEY))).toEqual(due(pair).detail);
});

/** Uses a new connection, since some pairs test a missing header. */
function post(path: string, { headers, body_base64 }: Pair, key?: string): Promise<Answer> {
  const body = Buffer.from(body_base64, 'base64');
  const lines = [
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(key === undefined ? [] : [`x-key: ${key}`]),
    `content-length: ${body.length}`,
  ];
  return exchange(service.url, Buffer.concat([Buffer.from(head(`POST ${path}`, lines)), body]));
}

function detailOf({ json }: Answer): unknown {
  const answer = json as { detail?: unknown; error?: { data: { detail?: unknown } } };
  return answer.detail ?? answer.error?.data.detail ?? null;
}

describe('single faults', () => {
  let placeholders: TestService;
  beforeAll(async () => void (placeholders = await startTestService()));
  afterAll(() => placeholders.stop());

  const transports = {
    RequestInfo: ['/requests/', '/trpc/requests.create'],
    ResponseModel: ['/verification-output', '/trpc/verificationOutput.submit'],
  } as const;

  test.each(['RequestInfo', 'ResponseModel'] as const)(
    'of %s are answered as the reference does',
    async (model) => {
      const rows = faults.bodies.filter((row) => row.model === model);
      expect(rows.length).toBeGreaterThan(250);
      const differences: unknown[] = [];
      for (const row of rows) {
        for (const path of transports[model]) {
          const answer = await placeholders.ask('POST', path, { body: JSON.stringify(changed(row)) });
          const detail = detailOf(answer);
          if (JSON.stringify(detail) !== JSON.stringify(row.detail))
            differences.push([row.path.at(-1), row.value, path, detail]);
        }
      }
      // The reference takes a number as seconds since 1970; the spec says date-time.
      const dates =
        model === 'ResponseModel'
          ? ['received_timestamp', 'verification_time', 'start_date', 'end_date']
          : [];
      expect(differences).toEqual(
        dates.flatMap((key) =>
          [0, 5, 1.5].flatMap((value) =>
            transports[model].map((path) => [
              key,
              value,
              path,
              [expect.objectContaining({ type: expect.stringMatching(/^date(time)?_type$/) })],
            ]),
          ),
        ),
      );
    },
  );
});

test('the placeholder payers are those that the single faults were measured with', () => {
  expect(JSON.stringify(faults.request_info)).toContain(DEFAULT_PAYERS[0]);
});

/** The valid body with one value set, or removed when none is given. */
function changed(row: SingleFault): unknown {
  const root: Record<string, unknown> = {
    body: structuredClone(row.model === 'RequestInfo' ? faults.request_info : faults.response_model),
  };
  const path = ['body', ...row.path];
  const last = path.pop() ?? '';
  const holder = path.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], root);
  if ('value' in row) (holder as Record<string, unknown>)[last] = row.value;
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete (holder as Record<string, unknown>)[last];
  return root['body'];
}
