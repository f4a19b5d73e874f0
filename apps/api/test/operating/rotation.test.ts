import { createRestClient } from '@insurance-verification/client';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { aRequest } from '@insurance-verification/testing/a-request';
import { expect, test } from 'vitest';
import { aServiceOn, type ServiceOn } from './a-service-on.ts';

const key = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;
const [k1, k2] = [key('k1', 1), key('k2', 2)];

/** A request of a new account, so that this process creates a data key for it. */
async function ofANewAccount({ client, url }: ServiceOn) {
  const { account_id } = await client.accounts.create({ name: 'Clinic', kind: 'provider' });
  const { key: apiKey } = await client.keys.create({ account_id, scopes: ['requests'] });
  const request = await createRestClient({ url, apiKey }).requests.create(aRequest());
  return { request_id: request.request_id ?? '', input: request.input };
}

const reads = ({ client }: ServiceOn, { request_id }: { request_id: string }) =>
  client.requests.get({ request_id });

// Breaks if a process, in any of the guide's three steps, meets a key that it does not have.
test('a master key is rotated in three rolling restarts, and no call fails on the way', async () => {
  const { connectionString } = await createTestDatabase();
  const startWith = (...masterKeys: string[]) =>
    aServiceOn(connectionString, { masterKeys: masterKeys.join(',') });

  const before = await startWith(k1);
  const made = [await ofANewAccount(before)];
  const learnt = await startWith(k1, k2);
  await before.stop();

  const turned = await startWith(k2, k1);
  made.push(await ofANewAccount(turned), await ofANewAccount(learnt)); // under k2 and under k1
  for (const one of made)
    for (const service of [turned, learnt])
      expect(await reads(service, one)).toMatchObject({ input: one.input });
  await learnt.stop();
  const last = await startWith(k2, k1); // rewraps what the last process of the previous step created
  await turned.stop();
  await last.stop();

  const after = await startWith(k2);
  for (const one of made) expect(await reads(after, one)).toMatchObject({ input: one.input });
}, 120_000);
