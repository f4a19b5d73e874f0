import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { aRequest } from '@insurance-verification/testing/a-request';
import { freePort } from '@insurance-verification/testing/free-port';
import { until } from '@insurance-verification/testing/until';
import { expect, onTestFinished, test } from 'vitest';
import { aService, BOOTSTRAP_KEY } from '../a-service.ts';
import { deployText } from './deploy-files.ts';
import { isThere, notRunWithout } from './is-there.ts';

/** nginx with the repository's configuration, except for ports and certificate. */
async function anNginx(processes: readonly [string, string]): Promise<string> {
  const folder = aFolder();
  const file = (name: string) => join(folder, name);
  const certificate = ['-keyout', file('key.pem'), '-out', file('cert.pem'), '-subj', '/CN=verify.example'];
  spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...certificate]);
  const port = await freePort();
  const site = deployText('nginx.conf')
    .replace('127.0.0.1:3001', new URL(processes[0]).host)
    .replace('127.0.0.1:3002', new URL(processes[1]).host)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace('listen 80', `listen 127.0.0.1:${await freePort()}`)
    .replace('/etc/ssl/verify.example/fullchain.pem', file('cert.pem'))
    .replace('/etc/ssl/verify.example/privkey.pem', file('key.pem'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${file(name)};`)
    .join(' ');
  writeFileSync(
    file('nginx.conf'),
    // By default its workers run as another user, who may not write into this folder.
    `${process.getuid?.() === 0 ? 'user root; ' : ''}daemon off; pid ${file('pid')}; error_log ${file('errors')}; events {} http { access_log off; ${temporary}\n${site}}`,
  );
  const child = spawn('nginx', ['-c', file('nginx.conf'), '-p', folder, '-e', file('errors')], {
    stdio: 'ignore',
  });
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  });
  const url = `https://127.0.0.1:${port}`;
  await until('nginx answers', async () => {
    if (child.exitCode !== null) throw new Error(readFileSync(file('errors'), 'utf8'));
    return ask('GET', `${url}/livez`).then(
      () => true,
      () => false,
    );
  });
  return url;
}

/** One call over TLS, from a local address that differs from nginx's own. */
function ask(
  method: string,
  url: string,
  headers: Record<string, string> = {},
  body?: unknown,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const agent = new Agent({ rejectUnauthorized: false, localAddress: '127.0.0.7' });
    const req = request(
      url,
      { method, agent, headers: { 'content-type': 'application/json', ...headers } },
      (res) => {
        res.resume().once('end', () => resolve(res.statusCode ?? 0));
      },
    );
    req.once('error', reject);
    req.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const tools = isThere('nginx') && isThere('openssl');

// Breaks if the configuration that operators copy loses calls, hides callers' addresses, or exposes internal endpoints.
test.skipIf(!tools)(
  `behind nginx two processes serve as one, over TLS, and know who calls${notRunWithout('nginx', 'openssl')}`,
  async () => {
    const databaseUrl = (await createTestDatabase()).connectionString;
    const env = { TRUSTED_PROXIES: '127.0.0.1/32' };
    const first = await aService({ databaseUrl, env });
    const second = await aService({ databaseUrl, env });
    const url = await anNginx([first.url, second.url]);
    const create = () => ask('POST', `${url}/requests/`, { 'x-key': BOOTSTRAP_KEY }, aRequest());
    expect(await Promise.all(Array.from({ length: 8 }, create))).toEqual(Array(8).fill(200));

    const forged = {
      'x-key': 'ivk_live_wrong',
      'x-forwarded-for': '203.0.113.9',
      forwarded: 'for=203.0.113.9',
    };
    expect(await ask('GET', `${url}/requests/`, forged)).toBe(401);
    const lines = [...first.logLines, ...second.logLines];
    const refused = lines.filter((line) => line.includes('"status":401'));
    expect(refused.map((line) => (JSON.parse(line) as { client_address: string }).client_address)).toEqual([
      '127.0.0.7',
    ]);
    expect(await ask('GET', `${url}/metrics`)).toBe(404);
    expect(await ask('POST', `${url}/requests/`, { 'x-key': BOOTSTRAP_KEY }, 'x'.repeat(1_500_000))).toBe(
      413,
    );

    await first.stop();
    expect(await Promise.all(Array.from({ length: 8 }, create))).toEqual(Array(8).fill(200));
  },
  60_000,
);
