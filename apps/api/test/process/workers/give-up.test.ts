import { writeFileSync } from 'node:fs';
import { until } from '@insurance-verification/testing/until';
import { expect, test } from 'vitest';
import { aSupervised, isGone, workerOf } from './a-supervised.ts';

// Without it a service whose workers cannot start any more would look as if it ran, and nobody would restart it.
test(
  'a service of which no worker can start any more ends, in the words of one',
  { timeout: 240_000 },
  async () => {
    const { pid, payersFile, service, lines } = await aSupervised(2);
    const workers = [1, 2].map((number) => workerOf(pid, number));
    writeFileSync(payersFile, '["one"]');
    for (const worker of workers) process.kill(worker, 'SIGKILL');
    // Five starts with pauses between: past half a minute on a busy machine.
    await until('it gives up', () => lines('giving up').length > 0, 200_000);
    expect(await service.ended()).toBe('exit 1');
    expect(service.told()).toMatch(
      /\nNo worker can start any more\. Worker [12]: The configuration cannot be used:\n {2}PAYERS_FILE: /,
    );
    expect(lines('giving up')).toHaveLength(1);
    const failed = lines('a worker cannot start; tried again');
    expect(Math.max(...failed.map((line) => Number(line['failures'])))).toBe(5);
    expect(workers.every(isGone)).toBe(true);
  },
);
