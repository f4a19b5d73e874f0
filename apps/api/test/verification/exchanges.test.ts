import type { X12ExchangeList } from '@insurance-verification/schema';
import { openStore, readX12Exchanges, keepX12Exchanges } from '@insurance-verification/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { startTestService, type TestService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { doors } from '../doors.ts';
import { rows } from '../rows.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** Another account's request, for which the payer was asked twice: first it was down, then it answered in Latin-1. */
async function anAskedRequest() {
  const { request_id } = await aStoredRequest(service, {}, await aKey(service));
  const requestId = request_id ?? '';
  const [row] = await rows<{ account_id: string }>(
    service.databaseUrl,
    'select account_id from request where id = $1',
    [requestId],
  );
  const store = await openStore({
    connectionString: service.databaseUrl,
    encryptionKey: service.config.encryptionKey ?? '',
  });
  const kept = {
    requestId,
    accountId: row?.account_id ?? '',
    payerId: 'plan-1',
    controlNumber: 7,
    startedAt: new Date('2026-11-21T09:30:00Z'),
    durationMs: 20_000,
    statusCode: null,
    errorReason: 'payer_unavailable',
    payerCodes: ['timeout'],
    inquiry: 'ISA*first~',
    answer: null,
  };
  try {
    await keepX12Exchanges(store, [
      kept,
      {
        ...kept,
        controlNumber: 8,
        startedAt: new Date('2026-11-21T09:30:21Z'),
        durationMs: 812,
        statusCode: 200,
        errorReason: null,
        payerCodes: [],
        inquiry: 'ISA*second~',
        answer: Buffer.from('ISA*Müller~\u0000', 'latin1'),
      },
    ]);
    expect(await readX12Exchanges(store, requestId)).toHaveLength(2);
  } finally {
    await store.close();
  }
  return requestId;
}

describe.each(doors)('through $name', (door) => {
  const operation = 'requests.exchanges';

  // Breaks if nobody can show what a payer was asked and what it answered.
  test("an operator sees every 270 and its answer, of any account's request, and that is on record", async () => {
    const request_id = await anAskedRequest();
    const answer = await door.call(service, operation, { request_id });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual(
      door.success({
        items: [
          {
            control_number: 7,
            payer_id: 'plan-1',
            started_at: '2026-11-21T09:30:00.000Z',
            duration_ms: 20_000,
            status_code: null,
            error_reason: 'payer_unavailable',
            fixed_by: 'payer',
            explanation: expect.stringMatching(/\.$/),
            payer_codes: ['timeout'],
            inquiry: 'ISA*first~',
            answer: null,
          },
          {
            control_number: 8,
            payer_id: 'plan-1',
            started_at: '2026-11-21T09:30:21.000Z',
            duration_ms: 812,
            status_code: 200,
            error_reason: null,
            fixed_by: null,
            explanation: null,
            payer_codes: [],
            inquiry: 'ISA*second~',
            answer: 'ISA*Müller~\u0000',
          },
        ],
      }),
    );
    const logged = await rows(
      service.databaseUrl,
      `select key_id, operation from access_log where request_id = $1 and operation = 'requests.exchanges'`,
      [request_id],
    );
    expect(logged).toEqual([{ key_id: expect.any(String), operation }]);
    expect(service.logLines.join('')).not.toMatch(/Müller|ISA\*/);
  });

  test('a request about which no payer was asked has none', async () => {
    const { request_id } = await aStoredRequest(service);
    const answer = await door.call(service, operation, { request_id });
    expect(door.output<X12ExchangeList>(answer)).toEqual({ items: [] });
  });

  test.each([
    [401, null, 'unauthorized'],
    [403, 'requests', 'forbidden'],
    [403, 'verify', 'forbidden'],
  ] as const)(
    '%i for a key with scope %s: what payers say of patients is for operators',
    async (status, scope, code) => {
      const key = scope && (await aKey(service, [scope]));
      const { request_id } = await aStoredRequest(service);
      const answer = await door.call(service, operation, { request_id }, { key });
      const members = status === 403 ? { required_scopes: ['operate' as const] } : {};
      expect([answer.status, answer.json]).toEqual([status, door.problem(code, members)]);
    },
  );

  test.each(['req_x', 'req_01k9z8t5e6f7g8h9j0k1m2n3p4', '\u0000'])('404 for %j', async (request_id) => {
    const answer = await door.call(service, operation, { request_id });
    expect([answer.status, answer.json]).toEqual([404, door.problem('not_found')]);
  });
});

test('422 without an id, which only tRPC can leave out', async () => {
  const answer = await service.ask('GET', '/trpc/requests.exchanges?input=%7B%7D');
  expect(answer.status).toBe(422);
  expect(answer.json).toMatchObject({
    error: { data: { detail: [{ loc: ['path', 'request_id'], msg: 'Field required', type: 'missing' }] } },
  });
});
