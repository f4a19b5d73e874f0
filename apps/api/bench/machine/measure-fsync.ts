import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { medianOf } from '../report/median-of.ts';

const COUNT = 200;

/**
 * The median of milliseconds to write and sync one page, as a commit does. It reveals hours of slow disks: in them the
 * floor loses more than the service, whose requests share commits, and the ratio flatters.
 */
export function measureFsync(folder: string): number {
  const page = Buffer.alloc(8_192, 'x');
  const file = openSync(join(folder, 'fsync'), 'w');
  const times: number[] = [];
  for (let index = 0; index < COUNT; index += 1) {
    const startedAt = performance.now();
    writeSync(file, page, 0, page.length, 0);
    fdatasyncSync(file);
    times.push(performance.now() - startedAt);
  }
  closeSync(file);
  return medianOf(times);
}
