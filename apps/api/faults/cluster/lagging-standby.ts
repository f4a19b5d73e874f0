import { setTimeout as pause } from 'node:timers/promises';
import type { RequestModel } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import { rows } from '../../test/rows.ts';
import type { FaultRow } from '../fault-row.ts';
import { answerOf, ask } from '../ground/ask.ts';
import { startCluster } from '../ground/patroni/start-cluster.ts';
import { startLoad } from '../ground/start-load.ts';
import { startReceiver } from '../ground/start-receiver.ts';
import { startService } from '../ground/start-service.ts';
import { sayLacking, seconds } from './break-under-load.ts';

/** How far the standby is behind when the primary is killed. */
const LAG_MS = 6_000;

/** Asynchronous, and promoted however far behind: by default Patroni promotes none that lacks more than 1 MB. */
const dcs = { synchronous_mode: false, maximum_lag_on_failover: 1_073_741_824 };

const BACK_MS_MAX = 45_000;

/** What an asynchronous failover loses, and what receivers and providers then hold. */
export const laggingStandby: FaultRow = {
  number: 28,
  fault: 'the primary killed while its one, asynchronous standby is 6 s behind (Patroni)',
  rounds: 2,
  run: async (ground) => {
    const { tally } = ground;
    const cluster = await startCluster(ground, { nodeCount: 2, dcs });
    if ('lacking' in cluster) return sayLacking(ground, cluster.lacking);
    const { databaseUrl } = cluster;
    const receiver = await startReceiver(ground, { hostCount: 8 });
    const service = await startService(ground, { databaseUrl });
    const load = startLoad(ground, {
      urls: [service.url],
      callbackUrls: receiver.urls,
      clientCount: 8,
      pauseMs: 40,
      mayForget: true,
    });
    const idsOf = async (statement: string) =>
      new Set((await rows<{ id: string }>(databaseUrl, statement)).map(({ id }) => id));
    const walBytes = async () => {
      const [row] = await rows<{ bytes: string }>(
        databaseUrl,
        `select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes`,
      );
      return Number(row?.bytes);
    };
    const gone = new Set<string>();

    for (let round = 0; round < ground.rounds; round += 1) {
      await load.acknowledgedMore(200);
      const primary = await cluster.nodeOf('leader');
      load.takeLongestGap();
      cluster.linkOf(primary).holdBack();
      const behindAt = performance.now();
      const walAt = await walBytes();
      await pause(LAG_MS);
      const walMissing = (await walBytes()) - walAt;
      await primary.kill();
      const killedAt = performance.now();
      const acknowledged = [...load.createdAt].filter(([id]) => !gone.has(id));
      const accepted = [...load.acceptedAt].filter(([id]) => !gone.has(id));
      await load.acknowledgedMore(100, 120_000);
      tally.recoveredWithin(load.takeLongestGap(), BACK_MS_MAX, 'the way back');

      const stored = await idsOf('select id from request');
      const lost = acknowledged.filter(([id, at]) => at <= killedAt && !stored.has(id));
      const early = lost.filter(([, at]) => at < behindAt);
      tally.holds(
        early.length === 0,
        `${early.length} requests from before the lag are lost: ${early[0]?.[0]}`,
      );
      const finished = await idsOf('select request_id as id from result');
      const reopened = accepted.filter(([id]) => stored.has(id) && !finished.has(id)).map(([id]) => id);
      const orphaned = lost.filter(([id]) => receiver.requestIds.has(id));
      for (const id of [...lost.map(([each]) => each), ...reopened]) gone.add(id);
      tally.lostCount += lost.length;
      tally.facts.push(
        `round ${round + 1}: lost ${lost.length} of ${acknowledged.filter(([, at]) => at > behindAt).length} creates in ${seconds(killedAt - behindAt)} (${(walMissing / 1_048_576).toFixed(1)} MB of log), ${orphaned.length} of them delivered, and ${reopened.length} results of other requests, which are pending again`,
      );

      await reportsWhatIsLost(lost[0]?.[0]);
      await deliversAgain(reopened[0]);
      cluster.linkOf(primary).letGo();
      primary.start();
      await cluster.whole();
    }

    await load.stop();
    tally.acknowledgedCount = load.requestIdByKey.size;
    const kept = [...load.acceptedAt.keys()].filter((id) => !gone.has(id));
    await until('every result that is kept has arrived', () =>
      kept.every((id) => receiver.requestIds.has(id)),
    );
    tally.holds(!load.refusals.has(0), 'a call was not answered at all');
    tally.facts.push(`slowest 503: ${seconds(load.slowestRefusalMs())}`);
    tally.holds((await service.stop()) === 'exit 0', `the process ended otherwise: ${service.ended()}`);

    /** A lost request is a 404, and its create, sent again with the same key, a new request. */
    async function reportsWhatIsLost(id: string | undefined): Promise<void> {
      if (id === undefined) return;
      const { status } = await ask('GET', `${service.url}/requests/${id}`);
      tally.holds(status === 404, `a lost request was answered ${status}`);
      const [key = ''] = [...load.requestIdByKey].find(([, each]) => each === id) ?? [];
      const again = await answerOf<RequestModel>('POST', `${service.url}/requests/`, {
        body: aRequest({ callback_url: load.callbackUrlByKey.get(key) ?? '' }),
        headers: { 'idempotency-key': key },
      });
      tally.holds(again.request_id !== id, 'a lost create got its old id again');
    }

    /** A result that is lost while its request is kept goes out again, under another webhook-id. */
    async function deliversAgain(id: string | undefined): Promise<void> {
      if (id === undefined) return;
      const before = new Set(receiver.arrivalsOf(id).map((arrival) => arrival.id));
      const request = await answerOf<RequestModel>('GET', `${service.url}/requests/${id}`);
      tally.holds(request.state === 'pending', `a request without its result is ${request.state}`);
      await answerOf('POST', `${service.url}/verification-output`, { body: anOutput(request) });
      await until('it is delivered again', () =>
        receiver.arrivalsOf(id).some((arrival) => !before.has(arrival.id)),
      );
    }
  },
};
