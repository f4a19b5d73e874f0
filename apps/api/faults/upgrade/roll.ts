import type { Version } from '@insurance-verification/testing/check-out';
import { freePort } from '@insurance-verification/testing/free-port';
import type { ServiceProcess } from '@insurance-verification/testing/start-service-process';
import type { Ground } from '../fault-row.ts';
import { settle } from '../ground/settle.ts';
import { startLoad } from '../ground/start-load.ts';
import { startReceiver } from '../ground/start-receiver.ts';
import { startService } from '../ground/start-service.ts';
import { compareAnswers } from './compare-answers.ts';
import { SLOTS, type Stage } from './stage.ts';

/** Acknowledgements that each stage waits for: some 100 requests, each read back and answered. */
const STAGE_COUNT = 300;

export interface Roll {
  readonly from: Version;
  readonly to: Version;
  /** See `stagesOfRoll`; what is seen is added to them. */
  readonly stages: readonly Stage[];
}

/** Replaces the processes of one version with those of another under load, and back; the first new one migrates. */
export async function roll(ground: Ground, { from, to, stages }: Roll): Promise<void> {
  const { tally } = ground;
  const databaseUrl = await ground.aDatabase();
  let openCountMax = 0;
  const receiver = await startReceiver(ground, {
    answer: (res) => {
      openCountMax = Math.max(openCountMax, receiver.openCount());
      setTimeout(() => res.writeHead(204).end(), 150); // so slow that the cap of a host is reached
    },
  });
  const ports: number[] = [];
  for (const _slot of SLOTS) ports.push(await freePort());
  const started: ServiceProcess[] = [];
  const running: ServiceProcess[] = [];
  const replace = async (slot: number, { command }: Version) => {
    const ended = (await running[slot]?.stop()) ?? 'exit 0';
    tally.holds(ended === 'exit 0', `a drain ended with ${ended}`);
    const options = { databaseUrl, roles: SLOTS[slot] ?? 'http', port: ports[slot] ?? 0, command };
    const service = await startService(ground, options);
    running[slot] = service;
    started.push(service);
  };
  for (const slot of SLOTS.keys()) await replace(slot, from);
  const urls = running.filter((_, slot) => SLOTS[slot] === 'http').map(({ url }) => url);
  const callers = { clientCount: 8, pauseMs: 100, reads: true };
  const load = startLoad(ground, { urls, callbackUrls: receiver.urls, ...callers });

  for (const [index, stage] of stages.entries()) {
    const [createdBefore, arrivedBefore] = [load.createdAt.size, receiver.arrivals.size];
    load.takeLongestGap();
    if (index > 0) await replace((index - 1) % SLOTS.length, index <= SLOTS.length ? to : from);
    openCountMax = 0; // the process before has ended what it had open
    await load.acknowledgedMore(STAGE_COUNT);
    await compareAnswers(ground, { urls, ids: [...load.acceptedAt.keys()].slice(-20), receiver });
    stage.createdCount += load.createdAt.size - createdBefore;
    stage.arrivedCount += receiver.arrivals.size - arrivedBefore;
    stage.longestGapMs = Math.max(stage.longestGapMs, load.takeLongestGap());
    stage.openCountMax = Math.max(stage.openCountMax, openCountMax);
  }
  await load.stop();
  await settle(ground, { load, receiver, databaseUrl, mayRepeat: false });
  await compareAnswers(ground, { urls, ids: [...load.acceptedAt.keys()], receiver });
  const unconnected = load.refusals.get(0) ?? 0;
  const refused = [...load.refusals.values()].reduce((sum, count) => sum + count, 0) - unconnected;
  tally.facts.push(`calls that were not connected: ${unconnected}; refused with a status: ${refused}`);
  for (const service of started) {
    const errors = service.said().split('\n');
    const first = errors.find((line) => line.includes('"level":50') || line.includes('"level":60'));
    tally.holds(first === undefined, `a process logged an error: ${first}`);
  }
}
