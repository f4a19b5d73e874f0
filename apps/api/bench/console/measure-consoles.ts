import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { aRequest } from '@insurance-verification/testing/a-request';
import { API_KEY } from '../ground/bench-server.ts';
import { SERVICE, startProcess } from '../ground/start-process.ts';
import { processCpu } from '../machine.ts';
import type { Part } from '../part.ts';
import { openConsoles } from './open-consoles.ts';

const CONSOLE_COUNT = 200;
const REQUESTS_PER_SECOND = 50;

/**
 * What 200 open consoles cost the process while requests come in: the same load with them, and then without. In this
 * order, since a process gets cheaper as it gets warm.
 */
export const consoles: Part = {
  name: 'consoles',
  run: async ({ settings, server, say }) => {
    await using database = await server.aDatabase();
    const service = await startProcess(SERVICE, { ...database.env, TRUSTED_PROXIES: '127.0.0.0/8' });
    try {
      const seconds = settings.seconds * 4;
      const measure = async () => {
        const before = processCpu(service.pid)?.allUs ?? Number.NaN;
        await load(service.url, seconds);
        const spentUs = (processCpu(service.pid)?.allUs ?? Number.NaN) - before;
        return { coreShare: spentUs / seconds / 1e6, memoryMb: residentMb(service.pid) };
      };
      await load(service.url, seconds);
      const warmMb = residentMb(service.pid);
      const opened = await openConsoles(service.url, CONSOLE_COUNT);
      const withThem = await measure();
      const events = opened.eventCount();
      opened.close();
      const without = await measure();
      const percent = ({ coreShare }: typeof without) => `${(coreShare * 100).toFixed(1)} %`;
      const share = `${((withThem.coreShare - without.coreShare) * 100).toFixed(1)} % of a core`;
      const memory = `${Math.round(withThem.memoryMb - warmMb)} MB`;
      say(
        `${CONSOLE_COUNT} consoles at ${REQUESTS_PER_SECOND} requests/s: ${share} (${percent(without)} without, ${percent(withThem)} with), ${memory} (${Math.round(warmMb)} before), ${(events / CONSOLE_COUNT / seconds).toFixed(1)} events a second each`,
      );
    } finally {
      await service.stop();
    }
  },
};

/** Posts requests one after the other at an even pace, whatever the answers take. */
async function load(url: string, seconds: number): Promise<void> {
  const body = JSON.stringify(aRequest());
  const headers = { 'content-type': 'application/json', 'x-key': API_KEY };
  const startedAt = performance.now();
  const posts: Promise<unknown>[] = [];
  for (let sent = 0; sent < seconds * REQUESTS_PER_SECOND; sent += 1) {
    await pause(Math.max(0, startedAt + (sent * 1_000) / REQUESTS_PER_SECOND - performance.now()));
    posts.push(fetch(`${url}/requests/`, { method: 'POST', headers, body }).then((answer) => answer.text()));
  }
  await Promise.all(posts);
}

function residentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN; // not Linux
  }
}
