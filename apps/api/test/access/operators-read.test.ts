import type { RequestModel } from '@insurance-verification/schema';
import { anOutput } from '@insurance-verification/testing/an-output';
import { beforeAll, describe, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { rows } from '../rows.ts';
import { transports } from '../transports.ts';

const service = useService();
let operator: string;
beforeAll(async () => {
  operator = await aKey(service, ['operate']);
});

const reads = ['requests.get', 'requests.result', 'requests.deliveries', 'requests.attempts'] as const;

async function aFinishedRequest(): Promise<RequestModel & { request_id: string }> {
  const request = await aStoredRequest(service, {}, await aKey(service));
  await service.answer('POST', '/verification-output', anOutput(request));
  return request;
}

describe.each(transports)('over $name', (transport) => {
  test.each(reads)(
    '%s is open to an operator for any account’s request, and on record',
    async (operation) => {
      const { request_id } = await aFinishedRequest();
      const answer = await transport.call(service, operation, { request_id }, { key: operator });
      expect(answer.status).toBe(200);
      const [line] = await rows(
        service.databaseUrl,
        `select operation, request_id, key_id = (select max(key_id) from access_log where operation = $1) as own
       from access_log order by id desc limit 1`,
        [operation],
      );
      expect(line).toMatchObject({ operation, request_id });
    },
  );

  // Without it an operator of requests could create a key with every other scope.
  test.each([
    ['keys.list', ['admin']],
    ['accounts.list', ['admin', 'privacy']],
  ] as const)('an operator has no %s', async (operation, scopes) => {
    const answer = await transport.call(service, operation, {}, { key: operator });
    expect([answer.status, answer.json]).toEqual([
      403,
      transport.problem('forbidden', { required_scopes: [...scopes] }),
    ]);
  });

  test('an operator’s list is of its own account, and it does not send another account’s result again by itself', async () => {
    const { request_id } = await aFinishedRequest();
    const both = await aKey(service, ['requests', 'operate']);
    const listed = await transport.call(service, 'requests.list', {}, { key: both });
    expect(transport.output<{ items: unknown[] }>(listed).items).toEqual([]);
    const redelivered = await transport.call(service, 'requests.redeliver', { request_id }, { key: both });
    expect(redelivered.status).toBe(404);
  });
});
