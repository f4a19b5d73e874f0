import { randomUUID } from 'node:crypto';
import type { RequestModel } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import { rows } from '../../test/rows.ts';
import type { FaultRow } from '../fault-row.ts';
import { type Answer, ask } from '../ground/ask.ts';
import { type Moment, startPostgresProxy } from '../ground/postgres/start-postgres-proxy.ts';
import { startReceiver } from '../ground/start-receiver.ts';
import { startService } from '../ground/start-service.ts';

const isIntake = (text: string) => text.includes('insert_requests_');
const isResult = (text: string) => text.includes('apply_findings_');

/**
 * The caller cannot know whether its request was stored: a retry with the same key leaves exactly one. A result is looked
 * up by the service itself, under the lock of its request, and the caller learns what became of it.
 */
export const connectionCutAtCommit: FaultRow = {
  number: 8,
  fault: 'connection killed at COMMIT',
  rounds: 50,
  run: async (ground) => {
    const { tally } = ground;
    const databaseUrl = await ground.aDatabase();
    const proxy = await startPostgresProxy(ground, databaseUrl);
    const receiver = await startReceiver(ground, { hostCount: 4 });
    const { url } = await startService(ground, { databaseUrl: proxy.databaseUrl });

    const cut = async (moment: Moment, call: () => Promise<Answer>): Promise<Answer> => {
      let isCut = false;
      void proxy.when(moment).then(() => (isCut = true));
      const answer = await call();
      await until(`the cut ${moment.at}`, () => isCut);
      return answer;
    };
    /** The first call is cut; the second is the caller's retry. */
    const twice = async (moment: Moment, call: () => Promise<Answer>): Promise<Answer> => {
      const first = await cut(moment, call);
      tally.holds(first.status === 503, `a cut at its commit was answered ${first.status}`);
      return until('the retry is answered', async () => {
        const again = await call();
        return again.status === 200 && again;
      });
    };

    for (let round = 0; round < ground.rounds; round += 1) {
      for (const at of ['before commit', 'after commit'] as const) {
        const headers = { 'idempotency-key': randomUUID() };
        const body = aRequest({ callback_url: receiver.urls[round % 4] ?? '' });
        const stored = await twice({ statement: isIntake, at, act: 'cut' }, () =>
          ask('POST', `${url}/requests/`, { body, headers }),
        );
        const request = stored.json as RequestModel;
        const wasStored = stored.headers['idempotency-replayed'] === 'true';
        tally.holds(wasStored === (at === 'after commit'), `cut ${at}: replayed is ${wasStored}`);
        const accepted = await cut({ statement: isResult, at, act: 'cut' }, () =>
          ask('POST', `${url}/verification-output`, { body: anOutput(request) }),
        );
        const { status } = accepted.json as { status: string };
        tally.holds(
          status === (at === 'before commit' ? 'applied' : 'unchanged'),
          `cut ${at}: the result was ${status}`,
        );
        tally.acknowledgedCount += 1;
      }
    }
    const [count] = await rows<{ requests: number; deliveries: number }>(
      databaseUrl,
      'select (select count(*)::int from request) as requests, (select count(*)::int from delivery) as deliveries',
    );
    const expected = 2 * ground.rounds;
    tally.holds(count?.requests === expected, `${count?.requests} rows for ${expected} keys`);
    tally.holds(count?.deliveries === expected, `${count?.deliveries} deliveries for ${expected} results`);
    await until('every webhook came', () => receiver.arrivals.size === expected);
    tally.duplicateCount = [...receiver.arrivals.values()].filter((arrivals) => arrivals.length > 1).length;
    tally.holds(tally.duplicateCount === 0, 'a webhook came twice');
  },
};
