import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { aRequest } from '@insurance-verification/testing/a-request';
import { freePort } from '@insurance-verification/testing/free-port';
import { API_KEY, serviceCommand } from '@insurance-verification/testing/start-service-process';
import { until } from '@insurance-verification/testing/until';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { runAsShown } from '../operating/guide.ts';
import { aProcess } from '../process/a-process.ts';
import { aCaddy } from './a-proxy.ts';
import { askOverTls } from './ask-over-tls.ts';
import { isThere, notRunWithout } from './is-there.ts';

const guide = readFileSync(new URL('../../../docs/guides/production.md', import.meta.url), 'utf8');
const blockOf = (name: string) =>
  new RegExp(`^\`\`\`\\w+ ${name}\\n([^]*?)^\`\`\`$`, 'm').exec(guide)?.[1] ?? '';

interface Compose {
  readonly services: Readonly<
    Record<
      'service' | 'postgres' | 'caddy',
      { environment: Record<string, string>; secrets?: string[]; volumes?: string[] }
    >
  >;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

const compose = parse(blockOf('compose.yaml')) as Compose;
const { service, postgres, caddy } = compose.services;

test('the Compose file names only secrets that its commands make, and mounts the Caddyfile', () => {
  const folder = aFolder();
  runAsShown(blockOf('keys'), { cwd: folder, env: { PATH: process.env['PATH'] ?? '' } });
  for (const name of [...(service.secrets ?? []), ...(postgres.secrets ?? [])])
    expect(readFileSync(join(folder, compose.secrets[name]?.file ?? '?'), 'utf8')).not.toBe('');
  expect(readFileSync(join(folder, 'database-url'), 'utf8')).toBe(
    `postgres://${postgres.environment['POSTGRES_USER']}:${readFileSync(join(folder, 'postgres-password'), 'utf8').trim()}@postgres/iv\n`,
  );
  expect(caddy.volumes).toContain('./Caddyfile:/etc/caddy/Caddyfile:ro');
});

/** The reader's own, in the place of the page's placeholders, which production refuses. */
const PAYERS = ['Northwind Health', 'Bluefield Dental', 'Harbor Care', 'Meridian Plan'];

const tools = ['caddy', 'openssl'];

// Breaks if the files that operators copy lose calls, hide callers' addresses, or expose internal endpoints.
test.skipIf(!tools.every(isThere))(
  `the service of the Compose file serves through its Caddy, and knows who calls${notRunWithout(...tools)}`,
  async () => {
    const folder = aFolder();
    const path = process.env['PATH'] ?? '';
    runAsShown(blockOf('keys'), { cwd: folder, env: { PATH: path } });
    writeFileSync(join(folder, 'database-url'), (await createTestDatabase()).connectionString);
    const environment = Object.entries(service.environment).map(([name, value]) => [
      name,
      value.replace('/run/secrets', folder),
    ]);
    const log = join(folder, 'log');
    const started = aProcess(await serviceCommand(), {
      env: {
        ...(Object.fromEntries(environment) as Record<string, string>),
        PATH: path,
        DATA_DIR: folder,
        HOST: '127.0.0.1',
        PORT: '0',
        METRICS_PORT: String(await freePort()), // the image has it
        TRUSTED_PROXIES: '127.0.0.1/32',
        PAYERS: JSON.stringify(PAYERS),
        BOOTSTRAP_API_KEY: API_KEY,
      },
      stdio: ['ignore', openSync(log, 'w'), 'pipe'],
    });
    const url = await aCaddy(blockOf('Caddyfile'), new URL(await started.url()).host);
    const host = { host: 'verify.example', 'x-key': API_KEY };

    const body = aRequest({
      payer_info: { name: 'Harbor Care' },
      callback_url: 'https://verify.example/hook',
    });
    expect(await askOverTls('POST', `${url}/requests/`, host, body)).toBe(200);
    expect(await askOverTls('POST', `${url}/requests/`, host, 'x'.repeat(1_500_000))).toBe(413);
    expect(await askOverTls('GET', `${url}/metrics`, host)).toBe(404);

    const initialize = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    const stream = { ...host, accept: 'application/json, text/event-stream' };
    const call = { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize };
    expect(await askOverTls('POST', `${url}/mcp`, stream, call)).toBe(200);

    const forged = {
      host: host.host,
      'x-key': 'ivk_live_wrong',
      'x-forwarded-for': '203.0.113.9',
      forwarded: 'for=203.0.113.9',
    };
    expect(await askOverTls('GET', `${url}/requests/`, forged)).toBe(401);
    const refused = await until('the refused call is logged', () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .find((line) => line.includes('"status":401')),
    );
    expect(JSON.parse(refused)).toMatchObject({ client_address: '127.0.0.7' });
  },
  120_000,
);
