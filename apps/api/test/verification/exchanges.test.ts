import type { X12ExchangeList } from '@insurance-verification/schema';
import {
  keepX12Exchanges,
  openStore,
  type PlainX12Exchange,
  readX12Exchanges,
} from '@insurance-verification/store';
import { describe, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { rows } from '../rows.ts';
import { transports } from '../transports.ts';

const service = useService();

/** Another account's request, for which the payer was asked twice: first it was down, then it answered in Latin-1. */
async function anAskedRequest(key?: string) {
  const { request_id } = await aStoredRequest(service, {}, key ?? (await aKey(service)));
  const requestId = request_id ?? '';
  const kept = await keep(requestId, [
    { errorReason: 'payer_unavailable', payerCodes: ['timeout'], inquiry: 'ISA*first~' },
    {
      startedAt: new Date('2026-11-21T09:30:21Z'),
      durationMs: 812,
      statusCode: 200,
      inquiry: 'ISA*second~',
      answer: Buffer.from('ISA*Müller~\u0000', 'latin1'),
    },
  ]);
  expect(kept).toHaveLength(2);
  return requestId;
}

let lastNumber = 6;

/** Keeps exchanges about a request, and reads all of them. */
async function keep(requestId: string, changes: readonly Partial<PlainX12Exchange>[]) {
  const store = await openStore({
    connectionString: service.databaseUrl,
    encryptionKey: service.config.encryptionKey ?? '',
  });
  const [row] = await rows<{ account_id: string }>(
    service.databaseUrl,
    'select account_id from request where id = $1',
    [requestId],
  );
  try {
    await keepX12Exchanges(
      store,
      changes.map((change) => ({
        requestId,
        accountId: row?.account_id ?? '',
        payerId: 'plan-1',
        controlNumber: (lastNumber += 1),
        startedAt: new Date('2026-11-21T09:30:00Z'),
        durationMs: 20_000,
        statusCode: null,
        errorReason: null,
        payerCodes: [],
        inquiry: 'ISA*00~',
        answer: null,
        ...change,
      })),
    );
    return await readX12Exchanges(store, requestId);
  } finally {
    await store.close();
  }
}

describe.each(transports)('over $name', (transport) => {
  const operation = 'requests.exchanges';

  // Breaks if nobody can show what a payer was asked and what it answered.
  test("an operator sees every 270 and its answer, of any account's request, and that is on record", async () => {
    const request_id = await anAskedRequest();
    const answer = await transport.call(service, operation, { request_id });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual(
      transport.success({
        items: [
          {
            control_number: expect.any(Number),
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
            control_number: expect.any(Number),
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
    const answer = await transport.call(service, operation, { request_id });
    expect(transport.output<X12ExchangeList>(answer)).toEqual({ items: [] });
  });

  // Breaks if a clinic cannot show what its payer answered, or reads what the payer answered to somebody else.
  test('the account that asked reads its own, and no other’s', async () => {
    const key = await aKey(service, ['requests']);
    const request_id = await anAskedRequest(key);
    const answer = await transport.call(service, operation, { request_id }, { key });
    const { items } = transport.output<X12ExchangeList>(answer);
    expect(items.map((one) => [one.inquiry, one.answer])).toEqual([
      ['ISA*first~', null],
      ['ISA*second~', 'ISA*Müller~\u0000'],
    ]);
    const logged = await rows(
      service.databaseUrl,
      `select operation from access_log where request_id = $1 and operation = $2 and account_id =
        (select account_id from request where id = $1)`,
      [request_id, operation],
    );
    expect(logged).toHaveLength(1);
    const others = await transport.call(service, operation, { request_id }, { key: await aKey(service) });
    expect([others.status, others.json]).toEqual([404, transport.problem('not_found')]);
  });

  // What a gateway answers in place of X12, or around it, may repeat the user name and password that it was sent.
  test('it gets only the X12 of an answer', async () => {
    const key = await aKey(service, ['requests']);
    const request_id = await anAskedRequest(key);
    const wrapped =
      '--x\r\nContent-Disposition: form-data; name="Password"\r\n\r\nsecret\r\n--x\r\n\r\nISA*00~\r\n--x--';
    const page = '<html>no such user: secret</html>';
    const startedAt = new Date('2026-11-21T09:31:00Z');
    await keep(
      request_id,
      [wrapped, page].map((text) => ({ startedAt, answer: Buffer.from(text) })),
    );
    const texts = async (options: object) => {
      const answer = await transport.call(service, operation, { request_id }, options);
      return transport.output<X12ExchangeList>(answer).items.map((one) => one.answer);
    };
    expect((await texts({ key })).slice(2)).toEqual(['ISA*00~\r\n', null]);
    expect((await texts({})).slice(2)).toEqual([wrapped, page]);
  });

  test.each([
    [401, null, 'unauthorized'],
    [403, 'verify', 'forbidden'],
  ] as const)(
    '%i for a key with scope %s: what payers say of patients is for who asked and for operators',
    async (status, scope, code) => {
      const key = scope && (await aKey(service, [scope]));
      const { request_id } = await aStoredRequest(service);
      const answer = await transport.call(service, operation, { request_id }, { key });
      const members = status === 403 ? { required_scopes: ['requests' as const, 'operate' as const] } : {};
      expect([answer.status, answer.json]).toEqual([status, transport.problem(code, members)]);
    },
  );

  test.each(['req_x', 'req_01k9z8t5e6f7g8h9j0k1m2n3p4', '\u0000'])('404 for %j', async (request_id) => {
    const answer = await transport.call(service, operation, { request_id });
    expect([answer.status, answer.json]).toEqual([404, transport.problem('not_found')]);
  });
});

test('422 without an id, which only tRPC can leave out', async () => {
  const answer = await service.ask('GET', '/trpc/requests.exchanges?input=%7B%7D');
  expect(answer.status).toBe(422);
  expect(answer.json).toMatchObject({
    error: { data: { detail: [{ loc: ['path', 'request_id'], msg: 'Field required', type: 'missing' }] } },
  });
});
