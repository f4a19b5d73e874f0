import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkOut, findCommit } from '@insurance-verification/testing/check-out';
import { buildConsole } from '../src/console/site.ts';
import { consoles } from './console/measure-consoles.ts';
import { delivery } from './delivery/compare-delivery.ts';
import { type BenchServer, startBenchServer } from './ground/bench-server.ts';
import { stopProcesses } from './ground/start-process.ts';
import { intake } from './intake/compare-intake.ts';
import { batches } from './intake/measure-batches.ts';
import { measureFsync, watchMachine } from './machine.ts';
import { results } from './output/measure-results.ts';
import type { Part } from './part.ts';
import { shareText } from './report.ts';
import { readSettings } from './settings.ts';
import { start } from './start/measure-start.ts';
import { apiChannel } from './verification/measure-api-channel.ts';
import { claims } from './verification/measure-claims.ts';
import { fairness } from './verification/measure-fairness.ts';

// PostgreSQL, the floor, the service and the load share this machine. So only CPU, and ratios against the floor of the
// same run, say something about the code.
const parts: readonly Part[] = [
  start,
  intake,
  batches,
  delivery,
  results,
  claims,
  apiChannel,
  fairness,
  consoles,
];
const say = (line: string) => void process.stdout.write(`${line}\n`);
const miss = (line: string) => {
  say(`MISSED: ${line}`);
  process.exitCode = 1;
};
const wanted = process.argv.slice(2).filter((word) => word !== '--');
const unknown = wanted.filter((name) => !parts.some((part) => part.name === name));
const settings = readSettings(process.env);
if (typeof settings === 'string' || unknown.length > 0) {
  say(
    typeof settings === 'string'
      ? settings
      : `usage: pnpm bench [part …], the parts being ${parts.map(({ name }) => name).join(', ')}`,
  );
  process.exit(2);
}
const commits = settings.before.map((name) => {
  const commit = findCommit(name);
  if (commit) return commit;
  say(`BENCH_BEFORE: this clone has no commit ${name}.`);
  process.exit(2);
});
const folder = mkdtempSync(join(tmpdir(), 'bench-'));
const checkouts = new AsyncDisposableStack();

let server: Promise<BenchServer> | undefined;
/** Cleans up however the run ends: first the services, then their database, then its folder. */
let ending: Promise<void> | undefined;
const end = () =>
  (ending ??= (async () => {
    await stopProcesses();
    const started = await server?.catch(() => undefined);
    await started?.stop();
    await checkouts.disposeAsync();
    rmSync(folder, { recursive: true, force: true });
  })());
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void end().finally(() => process.exit(1)));

const [load = 0] = loadavg();
const fsyncMs = measureFsync(folder);
say(
  `${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores, node ${process.version}; load at the start ${load.toFixed(2)}${load < 0.5 ? '' : ' (a quiet machine has less than 0.5)'}; a page synced in ${fsyncMs.toFixed(2)} ms`,
);

try {
  // Or the first service that starts builds it, beside what is measured.
  await buildConsole(new AbortController().signal);
  const before = commits.map((commit) => checkOut(checkouts, commit, join(folder, commit)));
  server = startBenchServer(folder);
  const ground = { settings, folder, before, say, miss, server: await server };
  for (const part of parts.filter((one) => wanted.length === 0 || wanted.includes(one.name))) {
    const shareSince = watchMachine(ground.server.pid);
    await part.run(ground);
    const share = shareSince();
    say(
      share === null
        ? `${part.name}: this machine has no /proc, so CPU and the share of others are not reported`
        : `${part.name}: others took ${shareText(share.othersShare)} of the machine, ${shareText(share.idleShare)} was idle`,
    );
  }
} finally {
  await end();
}
