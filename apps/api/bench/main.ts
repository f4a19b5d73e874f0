import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedServer, startEmbeddedServer } from '@insurance-verification/store';
import { compareDelivery } from './compare-delivery.ts';
import { measureClaims } from './measure-claims.ts';
import { compareX12 } from './compare-x12.ts';
import { measureApiChannel } from './measure-api-channel.ts';
import { measureIntake, type Throughput } from './measure-intake.ts';
import { startProcess, stopProcesses } from './start-process.ts';

// Everything runs beside everything else on this machine: Postgres, the floor, the service, the load. So only ratios
// against the floor of the same run say something about the code; BENCH_SECONDS lengthens each measurement.
const seconds = Number(process.env['BENCH_SECONDS'] ?? 10);
const apiKey = 'bench-key-0123456789abcdef';
const folder = mkdtempSync(join(tmpdir(), 'bench-'));
const say = (line: string) => process.stdout.write(`${line}\n`);

const report: Record<string, unknown> = { at: new Date().toISOString(), node: process.version, seconds };

/** Each on the same server, in this order; `pnpm bench delivery` runs that one alone. */
const parts: Record<string, (env: Record<string, string>) => Promise<unknown>> = {
  intake: compareIntake,
  delivery: (env) => compareDelivery({ env, apiKey, seconds, say }),
  claims: (env) => measureClaims({ env, apiKey, say }),
  'api-channel': (env) => measureApiChannel({ env, folder, apiKey, seconds, say }),
};
const wanted = process.argv.slice(2);
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);

let database: Promise<EmbeddedServer> | undefined;
/** Nothing of a run stays, however it ends: the services, then the database they write to, then its folder. */
let ending: Promise<void> | undefined;
const end = () =>
  (ending ??= (async () => {
    await stopProcesses();
    const server = await database?.catch(() => undefined);
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  })());
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void end().finally(() => process.exit(1)));

try {
  if (isWanted('x12')) report['x12'] = compareX12({ seconds, say });
  if (isWanted('start')) report['start'] = await measureStart();
  database = startEmbeddedServer({ dataDir: join(folder, 'shared') });
  const env = {
    DATABASE_URL: (await database).connectionString,
    ENCRYPTION_KEY: `bench:${randomBytes(32).toString('base64')}`,
    BOOTSTRAP_API_KEY: apiKey,
    DATA_DIR: join(folder, 'service'),
    PORT: '0',
  };
  for (const [name, measure] of Object.entries(parts)) if (isWanted(name)) report[name] = await measure(env);
  mkdirSync('bench-results', { recursive: true });
  writeFileSync('bench-results/latest.json', `${JSON.stringify(report, null, 2)}\n`);
  say('\nwritten to bench-results/latest.json');
} finally {
  await end();
}

/** From the spawn to the printed address: on an empty data folder, then on the one it left. */
async function measureStart() {
  const env = { DATA_DIR: join(folder, 'start'), PORT: '0' };
  const first = await startProcess('../src/main.ts', env);
  await first.stop();
  const second = await startProcess('../src/main.ts', env);
  await second.stop();
  say(`start          empty folder ${Math.round(first.startMs)} ms, again ${Math.round(second.startMs)} ms`);
  return { emptyFolderMs: Math.round(first.startMs), againMs: Math.round(second.startMs) };
}

/** Floor and service in turn, so that neither has the machine in a better hour. */
async function compareIntake(env: Record<string, string>) {
  const floor = await startProcess('./floor-server.ts', env);
  const service = await startProcess('../src/main.ts', env);
  await measureIntake(floor.url, apiKey, 16, 2);
  await measureIntake(service.url, apiKey, 16, 2);
  const rows = [];
  for (const connectionCount of [16, 64]) {
    const floors: Throughput[] = [];
    const services: Throughput[] = [];
    for (let round = 0; round < 3; round += 1) {
      floors.push(await measureIntake(floor.url, apiKey, connectionCount, seconds / 3));
      services.push(await measureIntake(service.url, apiKey, connectionCount, seconds / 3));
    }
    const [theirs, ours] = [median(floors), median(services)];
    const ratio = ours.perSecond / theirs.perSecond;
    rows.push({ floor: theirs, service: ours, ratio });
    for (const [name, row] of [
      ['floor', theirs],
      ['service', ours],
    ] as const) {
      say(
        `intake ${name.padEnd(8)}${connectionCount} connections  ${Math.round(row.perSecond)}/s  p50 ${row.p50Ms.toFixed(1)} ms  p99 ${row.p99Ms.toFixed(1)} ms  failed ${row.failedCount}`,
      );
    }
    say(`intake ratio   ${connectionCount} connections  ${ratio.toFixed(2)}`);
  }
  const memoryMb = Math.round(service.peakMemoryMb());
  say(`memory         service at its highest ${memoryMb} MB`);
  await floor.stop();
  await service.stop();
  return { rows, servicePeakMemoryMb: memoryMb };
}

function median(rows: readonly Throughput[]): Throughput {
  const [row] = rows.toSorted((a, b) => a.perSecond - b.perSecond).slice(Math.floor(rows.length / 2));
  if (!row) throw new Error('Nothing was measured.');
  return { ...row, failedCount: rows.reduce((sum, each) => sum + each.failedCount, 0) };
}
