import { findServer } from '@insurance-verification/embedded-postgres';
import { freePort } from '@insurance-verification/testing/free-port';
import { type ServiceProcess } from '@insurance-verification/testing/start-service-process';
import type { FaultRow, Ground } from '../fault-row.ts';
import { aDataDir, postmasterPid, processTree } from '../ground/postgres/embedded-server.ts';
import { settle } from '../ground/settle.ts';
import { startLoad } from '../ground/start-load.ts';
import { startReceiver } from '../ground/start-receiver.ts';
import { startService } from '../ground/start-service.ts';

type Kill = (dataDir: string, service: ServiceProcess) => void;

const killAll = (pids: readonly number[]) => pids.forEach((pid) => process.kill(pid, 'SIGKILL'));

/** What to kill. The embedded server runs in its own session, so it survives its program unless it is killed too. */
const kills: readonly [what: string, kill: Kill][] = [
  ['the postmaster', (dataDir) => killAll([postmasterPid(dataDir)])],
  ['the program', (_, service) => killAll([service.pid])],
  ['the whole group', (dataDir, service) => killAll([service.pid, ...processTree(postmasterPid(dataDir))])],
];

/** The program restarts its server, or the next start takes it over; 503 until then. */
export const killDatabase: FaultRow = {
  number: 4,
  fault: 'SIGKILL of the postmaster, of the program, of both, under load',
  rounds: 3,
  run: async (ground) => {
    for (const [what, kill] of kills) await killUnderLoad(ground, what, kill);
  },
};

async function killUnderLoad(ground: Ground, what: string, kill: Kill): Promise<void> {
  const { tally, rounds } = ground;
  const dataDir = aDataDir(ground.stack);
  const port = await freePort();
  const start = () => startService(ground, { dataDir, port });
  let service = await start();
  const receiver = await startReceiver(ground, { hostCount: 16 });
  const load = startLoad(ground, { urls: [service.url], callbackUrls: receiver.urls });
  for (let round = 0; round < rounds; round += 1) {
    await load.acknowledgedMore(300);
    const killedAt = performance.now();
    kill(dataDir, service);
    if (what === 'the postmaster') {
      // Calls in flight at the kill may still be answered; a new row proves that the database is back.
      await load.acknowledgedMore(2 * 16, 30_000);
      tally.holds(service.ended() === null, 'the program ended with its postmaster');
    } else {
      await service.whenEnded;
      service = await start();
      await load.acknowledgedMore(1, 30_000);
    }
    tally.recovered(performance.now() - killedAt);
  }
  await load.stop();
  const databaseUrl = findServer(dataDir) ?? '';
  const before = tally.duplicateCount;
  await settle(ground, { load, receiver, databaseUrl, mayRepeat: true });
  tally.facts.push(
    `${what}: ${load.requestIdByKey.size} requests, ${tally.duplicateCount - before} webhooks repeated, failed calls: ${describe(load.refusals)}`,
  );
  tally.holds((await service.stop()) === 'exit 0', `after ${what} the program did not stop in peace`);
}

function describe(refusals: ReadonlyMap<number, number>): string {
  return [...refusals]
    .map(([status, count]) => `${count} × ${status === 0 ? 'no answer' : status}`)
    .join(', ');
}
