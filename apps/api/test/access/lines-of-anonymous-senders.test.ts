import type { CreatedApiKey } from '@insurance-verification/schema';
import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { aKey, anAccount } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { linesIn } from './access-lines.ts';

const service = useService();

const linesOf = linesIn(() => service);

test('an output of an anonymous sender about a request is on record without a name', async () => {
  const { request_id, ...request } = await aStoredRequest(service);
  const left = await linesOf(() =>
    service.ask('POST', '/verification-output', { body: anOutput({ request_id, ...request }), key: null }),
  );
  expect(left).toEqual([
    { key_id: null, account_id: null, operation: 'verificationOutput.submit', request_id },
  ]);
});

test('a key that may not verify is on record, and so is that its output became the result', async () => {
  const request = await aStoredRequest(service);
  const { account_id } = await anAccount(service);
  const scopes = ['requests'];
  const { key, key_id } = await service.answer<CreatedApiKey>('POST', '/keys', { account_id, scopes });
  const left = await linesOf(() =>
    service.ask('POST', '/verification-output', { body: anOutput(request), key }),
  );
  const operation = 'verificationOutput.submit';
  expect(left).toEqual([
    { key_id, account_id, operation, request_id: null },
    { key_id: null, account_id: null, operation, request_id: request.request_id },
  ]);
});

test('what was refused saw nothing and leaves no line', async () => {
  const caller = { key: await aKey(service) };
  const foreign = await aStoredRequest(service);
  const left = await linesOf(async () => {
    await service.ask('GET', `/requests/${foreign.request_id}`, { key: caller.key });
    await service.ask('GET', `/requests/${foreign.request_id}`, { key: null });
  });
  expect(left).toEqual([]);
});
