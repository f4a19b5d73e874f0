import type { ApiKeyList, CreatedApiKey } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { anAccount } from '../a-key.ts';
import { aService } from '../a-service.ts';
import { aSession, BEHIND_A_PROXY, type TestSession } from '../staff/a-session.ts';
import { consoleTransport } from '../transports.ts';

// Broke: whoever left took the keys along that they had made, and nobody was shown which.
test('keys that still work and were made by people who left are listed', async () => {
  const service = await aService({ env: BEHIND_A_PROXY });
  const [leaver, stayer] = [
    await aSession(service, { roles: ['admin'] }),
    await aSession(service, { roles: ['admin'] }),
  ];
  const { account_id } = await anAccount(service);
  const make = async ({ asked }: TestSession) => {
    const made = await consoleTransport.call(
      service,
      'keys.create',
      { account_id, scopes: ['requests'] },
      asked,
    );
    return consoleTransport.output<CreatedApiKey>(made);
  };
  const [theirs, revoked, kept] = [await make(leaver), await make(leaver), await make(stayer)];
  await service.answer('POST', `/keys/${revoked.key_id}/revoke`);
  const left = async () => (await service.answer<ApiKeyList>('GET', '/keys?creator=left')).items;
  expect(await left()).toEqual([]);
  await service.answer('POST', `/staff/${leaver.staff_id}/end`);
  expect(await left()).toMatchObject([
    { key_id: theirs.key_id, created_by: leaver.staff_id, creator_left: true },
  ]);
  const { items } = await service.answer<ApiKeyList>('GET', '/keys');
  expect(items.find(({ key_id }) => key_id === kept.key_id)).toMatchObject({
    created_by: stayer.staff_id,
    creator_left: false,
  });
  expect(items.at(-1)).toMatchObject({ created_by: null, creator_left: false });
});
