import type { CreatedEndpoint, EventList, WebhookEvent } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { freePort } from '@insurance-verification/testing/free-port';
import { rows } from '../../test/rows.ts';
import type { FaultRow } from '../fault-row.ts';
import { answerOf, ask } from '../ground/ask.ts';
import { settle } from '../ground/settle.ts';
import { startLoad } from '../ground/start-load.ts';
import { startReceiver } from '../ground/start-receiver.ts';
import { startService } from '../ground/start-service.ts';

/** Acknowledgements between two kills: 100 requests and their results. */
const PER_ROUND = 200;

/** Each result has its one event, and nothing else has; each event arrives, and a reader that follows the list has each. */
export const eventsUnderKills: FaultRow = {
  number: 29,
  fault: 'SIGKILL of the API under load, with an endpoint for events',
  rounds: 20,
  run: async (ground) => {
    const { tally } = ground;
    const databaseUrl = await ground.aDatabase();
    const receiver = await startReceiver(ground, { hostCount: 16 });
    let secret = '';
    const endpoint = await startReceiver(ground, { secret: () => secret });
    const port = await freePort();
    const start = () => startService(ground, { databaseUrl, port });
    let service = await start();
    const body = { url: endpoint.urls[0], types: ['request.answered', 'request.failed'] };
    ({ secret } = await answerOf<CreatedEndpoint>('POST', `${service.url}/endpoints`, { body }));
    await answerOf('POST', `${service.url}/requests/`, {
      body: aRequest({ callback_url: receiver.urls[0] ?? '' }),
    });
    const read: WebhookEvent[] = [];
    /** Reads on from the last event that was read; a call without an answer is repeated later. */
    const follow = async () => {
      for (let more = true; more;) {
        const after = read.at(-1)?.id ?? '';
        const answer = await ask('GET', `${service.url}/events?limit=100&after=${after}`).catch(() => null);
        if (answer?.status !== 200) return;
        const page = answer.json as EventList;
        read.push(...page.items);
        more = page.more;
      }
    };
    const load = startLoad(ground, { urls: [service.url], callbackUrls: receiver.urls });
    for (let round = 0; round < ground.rounds; round += 1) {
      for (let part = 0; part < 4; part += 1) {
        await load.acknowledgedMore(PER_ROUND / 4);
        await follow();
      }
      const killedAt = performance.now();
      await service.kill();
      service = await start();
      await load.acknowledgedMore(1);
      tally.recovered(performance.now() - killedAt);
    }
    await load.stop();
    await settle(ground, { load, receiver, databaseUrl, mayRepeat: true, strayCount: 1 });
    await follow();

    const written = await rows<{ id: string; subject_id: string; version: number }>(
      databaseUrl,
      `select event.id, subject_id, version from event left join request on request.id = subject_id
       where type in ('request.answered', 'request.failed')`,
    );
    const finished = await rows<{ id: string }>(databaseUrl, `select id from request where version > 0`);
    const subjects = new Set(written.map((one) => one.subject_id));
    const without = finished.filter(({ id }) => !subjects.has(id));
    const unheard = written.filter(({ id }) => !endpoint.arrivals.has(id));
    const unread = written.filter(({ id }) => !read.some((one) => one.id === id));
    const untrue = written.filter(({ version }) => version !== 1);
    const arrivals = [...endpoint.arrivals.values()];
    tally.lostCount += without.length + unheard.length + unread.length;
    tally.duplicateCount += arrivals.reduce((sum, some) => sum + some.length - 1, 0);
    tally.holds(without.length === 0, `${without.length} finished requests have no event: ${without[0]?.id}`);
    tally.holds(unheard.length === 0, `${unheard.length} events did not arrive: ${unheard[0]?.id}`);
    tally.holds(
      unread.length === 0,
      `${unread.length} events were not listed after those before: ${unread[0]?.id}`,
    );
    tally.holds(untrue.length === 0, `${untrue.length} events are of unfinished requests: ${untrue[0]?.id}`);
    tally.holds(subjects.size === written.length, 'a request has two events of its first result');
    tally.holds(arrivals.length === written.length, 'something arrived that is not an event');
    tally.facts.push(`${written.length} events, ${read.length} read by following the list`);
  },
};
