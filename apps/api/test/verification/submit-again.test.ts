import type { RequestModel, WorkItem } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { API_KEY, startServiceProcess } from '@insurance-verification/testing/start-service-process';
import { until } from '@insurance-verification/testing/until';
import { expect, onTestFinished, test, vi } from 'vitest';
import { aService } from '../a-service.ts';
import { anOwnServer } from '../database/an-own-server.ts';
import { rows } from '../rows.ts';
import { send } from '../send.ts';
import { transports } from '../transports.ts';
import { aFinding } from './work.ts';

vi.setConfig({ testTimeout: 120_000 }); // each starts a server and a process

// Without it a verifier's page, which sends a result again until it is answered, would be told that its work was in vain.
test.each(transports)(
  'a result that was committed before its service crashed is answered by its lease token over $name',
  async (transport) => {
    const server = await anOwnServer();
    const first = await startServiceProcess({ databaseUrl: server.connectionString });
    onTestFinished(first.kill);
    const post = async <T>(path: string, body: unknown) => {
      const { status, json, text } = await send('POST', `${first.url}${path}`, {
        headers: { 'x-key': API_KEY },
        body,
      });
      if (status !== 200) throw new Error(text);
      return json as T;
    };
    const { request_id } = await post<RequestModel>('/requests/', aRequest());
    const item = await post<WorkItem>(`/work/${request_id}/claim`, { channels: ['manual_web_portal'] });
    const { lease_token } = item;
    const submission = { lease_token, insurance_data: [aFinding(item)], note: 'For colleagues.' };

    // Its commit is on the disk, and the service is never told.
    await server.set('synchronous_standby_names', 'nobody');
    const lost = post(`/work/${request_id}/submit`, submission).catch((err: unknown) => err);
    await until('it is committed', async () => (await server.waitingPids()).length > 0);
    await first.kill();
    expect(await lost).toBeInstanceOf(Error);
    await server.set('synchronous_standby_names', '');

    const second = await aService({ databaseUrl: server.connectionString });
    const submit = (changes: object = {}) =>
      transport.call(second, 'work.submit', { request_id, ...submission, ...changes });
    for (let count = 0; count < 2; count += 1) {
      const again = await submit();
      expect([again.status, again.json]).toEqual([200, transport.success({ status: 'applied', version: 1 })]);
    }
    const other = await submit({ insurance_data: [aFinding(item, { notes: 'Another answer.' })] });
    expect([other.status, other.json]).toEqual([409, transport.problem('lease_lost')]);
    expect(
      await rows(
        server.connectionString,
        `select (select count(*)::int from result) as results, (select count(*)::int from delivery) as deliveries,
          array(select outcome || ' ' || result_version from verification_attempt) as attempts`,
      ),
    ).toEqual([{ results: 1, deliveries: 1, attempts: ['succeeded 1'] }]);
  },
);
