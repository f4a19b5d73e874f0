import { expect, test } from 'vitest';
import { aKey, anAccount } from '../a-key.ts';
import { aService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { rows } from '../rows.ts';

const PATIENT = /jane|w123456789|1984-05-17/i;

// Broke: `update request set account_id = …`, with SQL alone, showed its patient to the other account's key.
test('a request that SQL turned to another account is a 500 to its key, and neither answer nor log has the patient', async () => {
  const service = await aService();
  const { request_id: id } = await aStoredRequest(service, {}, await aKey(service));
  const { account_id: accountId } = await anAccount(service);
  const key = await aKey(service, ['requests'], accountId);
  const said = service.logLines.length;
  expect((await service.ask('GET', `/requests/${id}`, { key })).status).toBe(404);
  await rows(service.databaseUrl, 'update request set account_id = $2 where id = $1', [id, accountId]);
  await rows(service.databaseUrl, 'update work_queue set account_id = $2 where request_id = $1', [
    id,
    accountId,
  ]);
  for (const path of [`/requests/${id}`, `/requests/${id}/view`]) {
    const { status, text } = await service.ask('GET', path, { key });
    expect(status, path).toBe(500);
    expect(text, path).not.toMatch(PATIENT);
  }
  expect(await service.answer('GET', '/requests/', undefined, key)).toMatchObject({ items: [], erased: [] });
  const lines = service.logLines.slice(said);
  expect(lines.filter((line) => line.includes('a request cannot be decrypted'))).toEqual([
    expect.stringContaining(`"request_id":"${id}"`),
  ]);
  expect(lines.join('\n')).not.toMatch(PATIENT);
});
