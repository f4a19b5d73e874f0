import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findServer } from '@insurance-verification/embedded-postgres';
import { aRequest } from '@insurance-verification/testing/a-request';
import { until } from '@insurance-verification/testing/until';
import type { FaultRow } from '../fault-row.ts';
import { aFolder } from '../ground/a-folder.ts';
import { ask } from '../ground/ask.ts';
import { endServerWith } from '../ground/postgres/embedded-server.ts';
import { settle } from '../ground/settle.ts';
import { startLoad } from '../ground/start-load.ts';
import { startReceiver } from '../ground/start-receiver.ts';
import { startService } from '../ground/start-service.ts';

const DISK_MB = 160;

/** A real ENOSPC: the data folder lies on a small file system, which a file then fills. */
export const diskFull: FaultRow = {
  number: 16,
  fault: 'disk full under PostgreSQL',
  rounds: 3,
  run: async (ground) => {
    const { tally, stack } = ground;
    const disk = aFolder(stack);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=755`, 'tmpfs', disk]);
    if (mounted.status !== 0) {
      tally.holds(false, 'NOT RUN HERE: mounting a small file system needs root on Linux (FAULT_EXCLUDE=16)');
      return;
    }
    stack.defer(() => void spawnSync('umount', ['-l', disk]));
    const dataDir = join(disk, 'data');
    mkdirSync(dataDir);
    endServerWith(stack, dataDir);
    let strayCount = 0;
    const service = await startService(ground, { dataDir });
    const receiver = await startReceiver(ground, { hostCount: 8 });
    const load = startLoad(ground, { urls: [service.url], callbackUrls: receiver.urls, clientCount: 8 });
    const filler = join(disk, 'filler');
    for (let round = 0; round < ground.rounds; round += 1) {
      await load.acknowledgedMore(200);
      fill(filler);
      await until(
        'a request is refused',
        async () => {
          const { status, headers } = await ask('POST', `${service.url}/requests/`, { body: aRequest() });
          if (status === 200) strayCount += 1;
          tally.holds(status === 200 || status === 503, `a full disk was answered ${status}`);
          return status === 503 && headers['retry-after'] !== undefined;
        },
        120_000,
      );
      const isReady = async () => (await ask('GET', `${service.url}/readyz`)).status === 200;
      await until('it is not ready', async () => !(await isReady()));
      // Long enough for the server to crash and to fail to restart.
      await pause(3_000);
      tally.holds(!(await isReady()), '/readyz is 200 on a full disk');
      tally.holds((await ask('GET', `${service.url}/livez`)).status === 200, '/livez does not answer');
      rmSync(filler);
      const freedAt = performance.now();
      await load.acknowledgedMore(2 * 8, 60_000);
      await until('it is ready', isReady);
      tally.recovered(performance.now() - freedAt);
    }
    await load.stop();
    const named = service
      .said()
      .split('\n')
      .filter((line) => line.includes('disk is full (53100)')).length;
    tally.holds(named > 0 && named <= ground.rounds, `the full disk was named in ${named} lines`);
    tally.facts.push(
      `failed calls: ${[...load.refusals].map(([status, count]) => `${count} × ${status}`).join(', ')}`,
    );
    const databaseUrl = findServer(dataDir) ?? '';
    await settle(ground, { load, receiver, databaseUrl, mayRepeat: true, strayCount });
    tally.holds((await service.stop()) === 'exit 0', 'the service did not stop in peace');
  },
};

/** Writes until the file system is full. */
function fill(file: string): void {
  const fd = openSync(file, 'w');
  const chunk = Buffer.alloc(65_536);
  try {
    for (;;) writeSync(fd, chunk);
  } catch (err) {
    if (!(err instanceof Error && 'code' in err && err.code === 'ENOSPC')) throw err;
  } finally {
    closeSync(fd);
  }
}
