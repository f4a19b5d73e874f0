import type { ServerResponse } from 'node:http';
import { until } from '@insurance-verification/testing/until';
import { rows } from '../../test/rows.ts';
import type { FaultRow } from '../fault-row.ts';
import { aFinishedRequest } from '../ground/a-finished-request.ts';
import { type Arrival, startReceiver } from '../ground/start-receiver.ts';
import { startService } from '../ground/start-service.ts';

const IN_FLIGHT = 5;

/**
 * A worker is suspended past its lease, as in a stopped virtual machine, while another one delivers. It then continues
 * and gets a permanent failure for its own attempt, which must change nothing.
 */
export const pausedWorker: FaultRow = {
  number: 14,
  fault: 'a worker stopped past its lease, then continued',
  rounds: 5,
  run: async (ground) => {
    const { tally } = ground;
    const databaseUrl = await ground.aDatabase();
    const held: ServerResponse[] = [];
    const answer = (res: ServerResponse, { nth }: Arrival) =>
      void (nth === 1 ? held.push(res) : res.writeHead(204).end());
    const receiver = await startReceiver(ground, { hostCount: IN_FLIGHT, answer });
    const http = await startService(ground, { databaseUrl, roles: 'http' });
    const aWorker = () => startService(ground, { databaseUrl, roles: 'delivery' });
    for (let round = 0; round < ground.rounds; round += 1) {
      const sleeper = await aWorker();
      const requests = await Promise.all(receiver.urls.map((url) => aFinishedRequest(http.url, url)));
      const ids = requests.map(({ request_id }) => request_id);
      await until('the receiver has them', () => held.length === IN_FLIGHT);
      const pausedAt = performance.now();
      sleeper.signal('SIGSTOP');
      const heir = await aWorker();
      const state = async () => {
        const [row] = await rows<{ text: string }>(
          databaseUrl,
          `select (select jsonb_agg(to_jsonb(delivery) order by id) from delivery)::text
            || (select coalesce(jsonb_agg(to_jsonb(delivery_queue) order by delivery_id), '[]') from delivery_queue)::text
            || (select jsonb_agg(to_jsonb(delivery_attempt) order by delivery_id, number) from delivery_attempt)::text
            || (select jsonb_agg(to_jsonb(request) order by id) from request)::text as text`,
        );
        return row?.text;
      };
      const undone = () =>
        rows(databaseUrl, 'select 1 from delivery where done_at is null and request_id = any($1)', [ids]);
      await until('the other worker has delivered', async () => (await undone()).length === 0);
      tally.recovered(performance.now() - pausedAt);
      const before = await state();
      // The receiver's late answer is 410, which would mark the delivery as failed.
      for (const res of held.splice(0)) res.writeHead(410).end();
      sleeper.signal('SIGCONT');
      tally.holds((await sleeper.stop()) === 'exit 0', 'the worker did not stop in peace');
      tally.holds((await state()) === before, 'the late finish changed something');
      tally.holds(
        /discarded|lease was lost|could not be renewed/.test(sleeper.said()),
        'there was no late finish',
      );
      await heir.stop();
      tally.acknowledgedCount += ids.length;
      tally.duplicateCount += ids.filter((id) => receiver.arrivalsOf(id).length > 1).length;
      tally.lostCount += ids.filter((id) => receiver.arrivalsOf(id).length === 0).length;
    }
  },
};
