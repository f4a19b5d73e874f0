import { until } from '@insurance-verification/testing/until';
import { expect, test } from 'vitest';
import { aService, BOOTSTRAP_KEY, type TestService } from '../a-service.ts';
import { rows } from '../rows.ts';

const statusOf = async (service: TestService, key: string, path: string) =>
  (await service.ask('GET', path, { key })).status;

// Broke: `update api_key set scopes = …, account_id = …`, with SQL alone, read every patient 1.5 s later.
test('a key that is extended only by SQL is no longer a key, and the log, a metric and a line say so', async () => {
  const service = await aService();
  const account = await service.answer<{ account_id: string }>('POST', '/accounts', {
    name: 'Clinic',
    kind: 'provider',
  });
  const made = await service.answer<{ key: string; key_id: string }>('POST', '/keys', {
    account_id: account.account_id,
    scopes: ['requests'],
  });
  expect(await statusOf(service, made.key, '/requests/')).toBe(200);
  await rows(
    service.databaseUrl,
    `update api_key set scopes = '{requests,operate}',
       account_id = (select id from account where kind = 'platform' and mode = 'live') where id = $1`,
    [made.key_id],
  );
  // What a process has looked up holds for a second.
  await until('it is refused', async () => (await statusOf(service, made.key, '/requests/')) === 401);
  expect(await statusOf(service, BOOTSTRAP_KEY, '/requests/')).toBe(200);
  const { text } = await service.ask('GET', '/metrics');
  expect(text).toMatch(/^ivs_altered_rows_total\{table="api_key"\} [1-9]/m);
  const logged = service.logLines.filter((line) => line.includes('it counts as absent'));
  expect(logged.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ level: 50, table: 'api_key', row: made.key_id }),
  ]);
});

// Broke: a trigger gave a new key every scope, and the service signed it.
test('a key to which a trigger gives more is not made, and the log, a metric and the answer say so', async () => {
  const service = await aService();
  const account = await service.answer<{ account_id: string }>('POST', '/accounts', {
    name: 'Clinic',
    kind: 'provider',
  });
  await rows(
    service.databaseUrl,
    `create function meddle() returns trigger language plpgsql as
       $$ begin new.scopes = '{requests,operate}'; return new; end $$;
     create trigger meddle before insert on api_key for each row execute function meddle()`,
  );
  const key = { account_id: account.account_id, scopes: ['requests'] };
  const answer = await service.ask('POST', '/keys', { body: key });
  expect(answer.status).toBe(500);
  expect(answer.text).not.toContain('api_key');
  expect(
    await rows(service.databaseUrl, 'select from api_key where account_id = $1', [account.account_id]),
  ).toEqual([]);
  const { text } = await service.ask('GET', '/metrics');
  expect(text).toContain('\nivs_foreign_writes_total{table="staff_session"} 0\n');
  expect(text).toMatch(/^ivs_foreign_writes_total\{table="api_key"\} 1$/m);
  const logged = service.logLines.filter((line) => line.includes('so nothing was done'));
  expect(logged.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ level: 50, table: 'api_key', row: expect.stringMatching(/^key_/) }),
  ]);
});
