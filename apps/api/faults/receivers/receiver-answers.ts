import { until } from '@insurance-verification/testing/until';
import { DEFAULT_RETRY_SCHEDULE } from '@insurance-verification/webhook';
import type { FaultRow } from '../fault-row.ts';
import { aFinishedRequest, deliveryOf } from '../ground/a-finished-request.ts';
import { type Arrival, startReceiver } from '../ground/start-receiver.ts';
import { startService } from '../ground/start-service.ts';

interface Answer {
  readonly what: string;
  readonly status: number;
  readonly retryAfter?: () => string;
  /** Minimum and maximum seconds until the next attempt; null when there is none. */
  readonly waitSeconds: readonly [number, number] | null;
}

const DAY = 86_400;
const [, SECOND_DELAY = Number.NaN] = DEFAULT_RETRY_SCHEDULE;
const httpDateIn = (seconds: number) => () => new Date(Date.now() + seconds * 1000).toUTCString();
/** The default schedule's second step, with its jitter of 20 %. */
const SECOND_STEP: readonly [number, number] = [0.8 * SECOND_DELAY, 1.2 * SECOND_DELAY];

/** On the default schedule. A date has whole seconds, so the wait may be one short. */
const answers: readonly Answer[] = [
  { what: '500', status: 500, waitSeconds: SECOND_STEP },
  { what: '429 without Retry-After', status: 429, waitSeconds: [60, 60] },
  { what: '502', status: 502, waitSeconds: [60, 60] },
  { what: '504', status: 504, waitSeconds: [60, 60] },
  { what: '503 with seconds', status: 503, retryAfter: () => '120', waitSeconds: [120, 120] },
  {
    what: '503 with fewer seconds than planned',
    status: 503,
    retryAfter: () => '1',
    waitSeconds: SECOND_STEP,
  },
  { what: '429 with seconds', status: 429, retryAfter: () => '300', waitSeconds: [300, 300] },
  { what: '429 with fewer than a minute', status: 429, retryAfter: () => '7', waitSeconds: [60, 60] },
  { what: '429 with a date', status: 429, retryAfter: httpDateIn(600), waitSeconds: [599, 600] },
  {
    what: '503 with a date that has passed',
    status: 503,
    retryAfter: httpDateIn(-600),
    waitSeconds: SECOND_STEP,
  },
  { what: '503 with garbage', status: 503, retryAfter: () => '5 apples', waitSeconds: SECOND_STEP },
  {
    what: '503 with an ISO date',
    status: 503,
    retryAfter: () => '2099-01-01T00:00:00Z',
    waitSeconds: SECOND_STEP,
  },
  { what: '503 with a negative number', status: 503, retryAfter: () => '-30', waitSeconds: SECOND_STEP },
  { what: '503 with a fraction', status: 503, retryAfter: () => '90.5', waitSeconds: SECOND_STEP },
  { what: '503 with ten years', status: 503, retryAfter: () => '315360000', waitSeconds: [DAY, DAY] },
  {
    what: '429 with a date in ten years',
    status: 429,
    retryAfter: httpDateIn(315_360_000),
    waitSeconds: [DAY, DAY],
  },
  { what: '410', status: 410, waitSeconds: null },
  { what: '410 with Retry-After', status: 410, retryAfter: () => '5', waitSeconds: null },
];

/** What the machine may add between the answer and its recording. */
const SLACK_SECONDS = 5;

export const receiverAnswers: FaultRow = {
  number: 18,
  fault: '410, 429, 5xx with every form of Retry-After',
  rounds: 5,
  run: async (ground) => {
    const { tally } = ground;
    const { url } = await startService(ground, { databaseUrl: await ground.aDatabase() });
    const check = async (answer: Answer) => {
      const { what, status, retryAfter, waitSeconds } = answer;
      const receiver = await startReceiver(ground, {
        answer: (res) => void res.writeHead(status, retryAfter && { 'retry-after': retryAfter() }).end(),
      });
      const { request_id } = await aFinishedRequest(url, receiver.urls[0] ?? '');
      const delivery = await until(`${what}: an attempt is written down`, async () => {
        const found = await deliveryOf(url, request_id);
        return found.attempts.length > 0 && found;
      });
      const [attempt] = delivery.attempts;
      tally.acknowledgedCount += 1;
      if (waitSeconds === null) {
        tally.holds(
          delivery.status === 'exhausted' && attempt?.outcome === 'gone' && delivery.next_attempt_at === null,
          `${what}: ${delivery.status}, ${attempt?.outcome}`,
        );
        return;
      }
      const [least, most] = waitSeconds;
      const waits = (Date.parse(delivery.next_attempt_at ?? '') - Date.parse(attempt?.at ?? '')) / 1000;
      tally.holds(
        delivery.status === 'pending' && waits >= least && waits <= most + SLACK_SECONDS,
        `${what}: the next attempt is due after ${waits} s, not ${least} to ${most} s`,
      );
    };
    for (let round = 0; round < ground.rounds; round += 1) await Promise.all(answers.map(check));
    await keepsItsWait(ground, tally);
  },
};

/** The plan is one check; that no attempt comes early is the other. */
async function keepsItsWait(
  ground: Parameters<FaultRow['run']>[0],
  tally: typeof ground.tally,
): Promise<void> {
  const { url } = await startService(ground, {
    databaseUrl: await ground.aDatabase(),
    env: { WEBHOOK_RETRY_SCHEDULE: '0s,1s' },
  });
  const receiver = await startReceiver(ground, {
    answer: (res, { nth }) =>
      void (nth === 1 ? res.writeHead(429, { 'retry-after': '3' }) : res.writeHead(204)).end(),
  });
  const { request_id } = await aFinishedRequest(url, receiver.urls[0] ?? '');
  const [first, second] = await until('it comes again', () => {
    const arrivals: readonly Arrival[] = receiver.arrivalsOf(request_id);
    return arrivals.length === 2 && arrivals;
  });
  const waitedMs = (second?.at ?? 0) - (first?.at ?? 0);
  tally.holds(waitedMs >= 3_000, `Retry-After: 3 was kept for ${Math.round(waitedMs)} ms`);
  tally.recovered(waitedMs);
}
