import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { RequestModel, WorkItemList } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { aCoverage, anOutput } from '@insurance-verification/testing/an-output';
import { Agent, request } from 'undici';
import { type MachineShare, watchMachine } from '../../bench/machine.ts';
import type { FaultRow, Ground } from '../fault-row.ts';
import { type Answer, ask } from '../ground/ask.ts';
import { HOSTILE_BODIES } from '../ground/hostile-bodies.ts';
import { startReceiver } from '../ground/start-receiver.ts';
import { startService } from '../ground/start-service.ts';
import { excuseOf } from '../report/excuse-of.ts';

const FLOOD_MS = 60_000;

/** After the flood, the same calls without it. */
const CALM_MS = 10_000;

const FLOOD_CONNECTION_COUNT = 16;
const P99_MS_MAX = 250;
const MEMORY_MB_MAX = 300;

/** Milliseconds between two calls of the provider, and of the verifier. */
const PACE_MS = 50;

export const floodedOpenEndpoint: FaultRow = {
  number: 23,
  fault: 'anonymous senders flood the open endpoint with every hostile body',
  rounds: 2,
  run: async (ground) => {
    const receiver = await startReceiver(ground);
    for (let round = 0; round < ground.rounds; round += 1) {
      // First as on the open internet; then with only the cost of a body in the anonymous senders' way.
      const trust = round % 2 === 0 ? 'keyed' : 'open';
      const { url, pid } = await startService(ground, {
        databaseUrl: await ground.aDatabase(),
        roles: 'http,delivery',
        env: { VERIFICATION_OUTPUT_TRUST: trust },
      });
      const callAll = (ends: number) =>
        Promise.all([
          keepCalling(ends, provider(url, receiver.urls[0] ?? '')),
          keepCalling(ends, verifier(url)),
        ]);
      const ends = performance.now() + FLOOD_MS;
      const shareSince = watchMachine(ground.postmasterPid);
      const [flooded, floods] = await Promise.all([callAll(ends), flood(url, ends, ground)]);
      const share = shareSince();
      const calm = await callAll(performance.now() + CALM_MS);
      judge(ground, `trust ${trust}, the provider`, { flooded: flooded[0], calm: calm[0], share });
      judge(ground, `trust ${trust}, the verifier`, { flooded: flooded[1], calm: calm[1], share });
      const megabytes = memoryAtMost(pid);
      ground.tally.holds(megabytes < MEMORY_MB_MAX, `trust ${trust}: the process took ${megabytes} MB`);
      ground.tally.facts.push(`trust ${trust}: ${floods.join(', ')}; memory at most ${megabytes} MB`);
    }
  },
};

interface Calls {
  readonly refusals: readonly string[];
  readonly latenciesMs: readonly number[];
}

type Step = () => Promise<Answer>;

/** Repeats one caller's steps in order, at its pace. */
async function keepCalling(ends: number, steps: readonly Step[]): Promise<Calls> {
  const refusals: string[] = [];
  const latenciesMs: number[] = [];
  while (performance.now() < ends) {
    for (const step of steps) {
      const askedAt = performance.now();
      const { status, json } = await step();
      latenciesMs.push(performance.now() - askedAt);
      if (status !== 200) refusals.push(`${status} ${JSON.stringify(json)}`);
      await pause(PACE_MS);
    }
  }
  return { refusals, latenciesMs: latenciesMs.toSorted((a, b) => a - b) };
}

/** Posts a request and reads it. */
function provider(url: string, callbackUrl: string): Step[] {
  let posted: RequestModel | undefined;
  return [
    async () => {
      const answer = await ask('POST', `${url}/requests/`, { body: aRequest({ callback_url: callbackUrl }) });
      posted = answer.json as RequestModel;
      return answer;
    },
    () => ask('GET', `${url}/requests/${posted?.request_id ?? ''}`),
  ];
}

/** Claims a request, submits its result, and then a second one: a correction, which is held. */
function verifier(url: string): Step[] {
  let taken: WorkItemList['items'][number] | undefined;
  const outputWith = (notes: string) => {
    if (!taken) throw new Error('The verifier has not been given any work.');
    return anOutput(taken.request, { insurance_data: [aCoverage(taken.request, { notes })] });
  };
  return [
    async () => {
      const body = { channels: ['manual_phone_call'], wait_seconds: 20 };
      const answer = await ask('POST', `${url}/work/claim`, { body });
      taken = (answer.json as WorkItemList).items[0] ?? taken;
      return answer;
    },
    () => ask('POST', `${url}/verification-output`, { body: outputWith('Active.') }),
    () => ask('POST', `${url}/verification-output`, { body: outputWith('Active, with a waiting period.') }),
  ];
}

/** @returns the count of each status. */
async function flood(url: string, ends: number, { stack }: Ground): Promise<string[]> {
  const dispatcher = new Agent({ connections: FLOOD_CONNECTION_COUNT, pipelining: 1 });
  stack.defer(() => dispatcher.destroy());
  const bodies = HOSTILE_BODIES.filter(({ model }) => model === 'ResponseModel').map(({ text }) => text());
  const counts = new Map<number | string, number>();
  let turn = 0;
  const connection = async () => {
    while (performance.now() < ends) {
      const body = bodies[(turn += 1) % bodies.length] ?? '';
      const headers = { 'content-type': 'application/json' };
      const status = await request(`${url}/verification-output`, {
        method: 'POST',
        headers,
        body,
        dispatcher,
      }).then(
        async (res) => (await res.body.dump(), res.statusCode),
        () => 'closed' as const, // a body refused unread may close its connection first
      );
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: FLOOD_CONNECTION_COUNT }, connection));
  return [...counts].map(([status, count]) => `${count} × ${status}`);
}

interface Judged {
  readonly flooded: Calls;
  readonly calm: Calls;
  readonly share: MachineShare | null;
}

function judge({ tally }: Ground, who: string, { flooded, calm, share }: Judged): void {
  const p99Ms = Math.round(p99Of(flooded));
  const undisturbedMs = Math.round(p99Of(calm));
  const refusals = [...flooded.refusals, ...calm.refusals];
  tally.acknowledgedCount += flooded.latenciesMs.length + calm.latenciesMs.length - refusals.length;
  tally.holds(refusals.length === 0, `${who} was refused ${refusals.length} times, as ${refusals[0]}`);
  tally.holds(
    p99Ms < P99_MS_MAX,
    `${who} waited ${p99Ms} ms (p99), undisturbed ${undisturbedMs} ms`,
    excuseOf(share),
  );
  tally.facts.push(`${who}: p99 ${p99Ms} ms, undisturbed ${undisturbedMs} ms`);
}

const p99Of = ({ latenciesMs }: Calls) => latenciesMs[Math.floor(latenciesMs.length * 0.99)] ?? Number.NaN;

/** The process's peak memory in megabytes. */
function memoryAtMost(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}
