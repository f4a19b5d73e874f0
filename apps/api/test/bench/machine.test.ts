import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { expect, test } from 'vitest';
import { machineCpu, processCpu, treeCpuUs, watchMachine } from '../../bench/machine.ts';

/**
 * Writes a process into a made-up /proc, with its CPU in ticks: its own (half of it in the kernel), and its ended
 * children's.
 */
function writeProcess(proc: string, pid: number, parent: number, own: number, ended = 0): void {
  const zeros = Array(9).fill('0').join(' ');
  const text = `${pid} (a (odd) name) S ${parent} ${zeros} ${own / 2} ${own / 2} ${ended} 0 20 0\n`;
  mkdirSync(join(proc, `${pid}/task/${pid}`), { recursive: true });
  writeFileSync(join(proc, `${pid}/stat`), text);
  writeFileSync(join(proc, `${pid}/task/${pid}/stat`), text.replace(` ${own / 2} ${own / 2} `, ' 1 1 '));
}

test('CPU of a process is that of all its threads, not only its main one', () => {
  const proc = aFolder();
  writeProcess(proc, 7, 1, 30);
  expect(processCpu(7, proc)).toEqual({ mainUs: 20_000, allUs: 300_000 });
  expect(processCpu(8, proc)).toBeNull();
});

// Broke: a backend that ended within a measurement took its CPU out of the sum.
test('CPU of a tree holds children that ended, and no other process', () => {
  const proc = aFolder();
  writeProcess(proc, 7, 1, 10, 50);
  writeProcess(proc, 8, 7, 20);
  writeProcess(proc, 9, 8, 40);
  writeProcess(proc, 10, 1, 1_000);
  expect(treeCpuUs([7], proc)).toBe(1_200_000);
  expect(treeCpuUs([7, 8], proc)).toBe(1_200_000);
});

test('others took what was busy and not the bench’s own, the host’s share too', () => {
  const proc = aFolder();
  writeProcess(proc, process.pid, 1, 10);
  writeFileSync(join(proc, 'stat'), 'cpu  100 0 0 900 0 0 0 0 0 0\ncpu0 1 1 1 1\n');
  const shareSince = watchMachine(null, proc);
  writeProcess(proc, process.pid, 1, 70);
  writeFileSync(join(proc, 'stat'), 'cpu  160 0 5 930 0 0 0 5 0 0\ncpu0 1 1 1 1\n');
  expect(shareSince()).toEqual({ idleShare: 0.3, othersShare: 0.1 });
});

test('without /proc CPU and what others took are not reported', () => {
  const nowhere = join(aFolder(), 'no-proc');
  expect(machineCpu(nowhere)).toBeNull();
  expect(treeCpuUs([process.pid], nowhere)).toBeNull();
  expect(watchMachine(null, nowhere)()).toBeNull();
});

// Checks against the kernel's real format, not this file's idea of it.
test.runIf(existsSync('/proc/self/stat'))(
  'CPU that a child used is reported while it runs and after it ended (needs /proc)',
  async () => {
    const spin = `const end = () => process.cpuUsage().user < 100_000; while (end()); process.stdout.write('.'); process.stdin.resume()`;
    const child = spawn(process.execPath, ['-e', spin], { stdio: ['pipe', 'pipe', 'ignore'] });
    const before = treeCpuUs([process.pid]) ?? Number.NaN;
    await once(child.stdout, 'data');
    const used = processCpu(child.pid ?? 0)?.allUs ?? Number.NaN;
    expect(used).toBeGreaterThanOrEqual(80_000);
    child.stdin.end();
    await once(child, 'close');
    expect((treeCpuUs([process.pid]) ?? Number.NaN) - before).toBeGreaterThanOrEqual(80_000);
    expect(processCpu(child.pid ?? 0)).toBeNull();
  },
);
