import { expect, onTestFinished, test, vi } from 'vitest';
import { startOwnServer } from './own-server.ts';

vi.setConfig({ testTimeout: 60_000 }); // it starts a server

// Broke: a call was answered 200 by a server whose commits were to hang, once in three runs of the suite.
test('a standby is required once commits wait for it, which is after new sessions say so', async () => {
  const server = await startOwnServer();
  onTestFinished(server.stop);
  const [checkpointer] = await server.admin(
    `select pid from pg_stat_activity where backend_type = 'checkpointer'`,
  );
  const pid = Number(checkpointer?.['pid']);
  process.kill(pid, 'SIGSTOP');
  onTestFinished(() => void process.kill(pid, 'SIGCONT'));
  let isSet = false;
  const setting = server.set('synchronous_standby_names', 'nobody').then(() => (isSet = true));
  await expect
    .poll(() => server.admin('show synchronous_standby_names'))
    .toEqual([{ synchronous_standby_names: 'nobody' }]);
  await server.admin('create table committed ()');
  expect(isSet).toBe(false);

  process.kill(pid, 'SIGCONT');
  await setting;
  const commit = server.admin('create table waits ()');
  await expect.poll(server.waitingPids).toHaveLength(1);
  await server.set('synchronous_standby_names', '');
  await commit;
  expect(await server.waitingPids()).toEqual([]);
});
