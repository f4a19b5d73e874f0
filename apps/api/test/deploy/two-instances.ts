import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createListener } from 'node:net';
import { delimiter, join } from 'node:path';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { aRequest } from '@insurance-verification/testing/a-request';
import {
  type ServiceProcess,
  type ServiceProcessOptions,
  startServiceProcess,
} from '@insurance-verification/testing/start-service-process';
import { onTestFinished } from 'vitest';
import { deployText } from './deploy-files.ts';

const PAYERS = ['First Payer', 'Second Payer', 'Third Payer', 'Fourth Payer'];

/** A request that they take: of their payers, with a callback over https. */
export const aProductionRequest = () =>
  aRequest({ payer_info: { name: PAYERS[0] ?? '' }, callback_url: 'https://verify.example/hook' });

/** Two processes on one database, as the unit's instances 1 and 2. */
export interface TwoInstances {
  readonly databaseUrl: string;
  readonly ports: readonly [number, number];
  readonly first: () => ServiceProcess;
  readonly second: () => ServiceProcess;
  /** Runs `restart-in-turn 1 2`, with pauses of this length and a `systemctl` that does as systemd with the unit. */
  readonly restartInTurn: (pauseSeconds: number) => Promise<void>;
}

export async function twoInstances(): Promise<TwoInstances> {
  const databaseUrl = (await createTestDatabase()).connectionString;
  const prefix = await aFreePrefix();
  const ports = [prefix * 10 + 1, prefix * 10 + 2] as const;
  const env = {
    NODE_ENV: 'production',
    TRUSTED_PROXIES: '127.0.0.1/32',
    PAYERS: JSON.stringify(PAYERS),
  };
  const anInstance = async (port: number) => {
    const options: ServiceProcessOptions = { databaseUrl, port, dataDir: aFolder(), env };
    let running = await startServiceProcess(options);
    let starting: Promise<void> | undefined;
    onTestFinished(() => running.kill());
    return {
      running: () => running,
      restart: async () => {
        await running.stop();
        starting = startServiceProcess(options).then((next) => void (running = next));
      },
      isStarted: () => starting,
    };
  };
  const [first, second] = await Promise.all([anInstance(ports[0]), anInstance(ports[1])]);
  return {
    databaseUrl,
    ports,
    first: first.running,
    second: second.running,
    restartInTurn: async (pauseSeconds) => {
      await runScript({ prefix, pauseSeconds, restarts: { 1: first.restart, 2: second.restart } });
      await Promise.all([first.isStarted(), second.isStarted()]);
    },
  };
}

interface Script {
  readonly prefix: number;
  readonly pauseSeconds: number;
  readonly restarts: Readonly<Record<string, () => Promise<void>>>;
}

async function runScript({ prefix, pauseSeconds, restarts }: Script): Promise<void> {
  const folder = aFolder();
  const systemd = createServer((req, res) => {
    const restart = restarts[req.url?.slice(1) ?? ''];
    if (restart) void restart().then(() => res.end());
    else res.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void systemd.close());
  await once(systemd, 'listening');
  const { port } = systemd.address() as AddressInfo;
  const systemctl = `#!/bin/sh -eu
[ "$1" = restart ]
exec curl --fail --silent "http://127.0.0.1:${port}/\${2#insurance-verification@}"
`;
  writeFileSync(join(folder, 'systemctl'), systemctl, { mode: 0o755 });
  const script = deployText('restart-in-turn')
    .replace('127.0.0.1:300$', `127.0.0.1:${prefix}$`)
    .replace('sleep 12', `sleep ${pauseSeconds}`);
  writeFileSync(join(folder, 'restart-in-turn'), script, { mode: 0o755 });
  const child = spawn(join(folder, 'restart-in-turn'), ['1', '2'], {
    env: { PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`restart-in-turn ended with ${code}: ${output}`);
}

/** Of ports that differ in their last digit alone, as the unit's do: below those of outgoing connections. */
async function aFreePrefix(): Promise<number> {
  for (;;) {
    const prefix = 2_000 + Math.floor(Math.random() * 1_200);
    const isFree = await Promise.all([1, 2].map((digit) => canListen(prefix * 10 + digit)));
    if (isFree.every(Boolean)) return prefix;
  }
}

async function canListen(port: number): Promise<boolean> {
  const listener = createListener().listen(port, '127.0.0.1');
  try {
    await once(listener, 'listening');
  } catch {
    return false;
  }
  listener.close();
  await once(listener, 'close');
  return true;
}
