import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { freePort } from '@insurance-verification/testing/free-port';
import { until } from '@insurance-verification/testing/until';
import { onTestFinished } from 'vitest';
import { askOverTls } from './ask-over-tls.ts';
import { deployText } from './deploy-files.ts';

/** A proxy with the repository's file for it, except for ports, certificate, and what a test makes shorter. */
interface ProxyOptions {
  /** The ports of the processes; the file's other servers are taken out. */
  readonly ports: readonly [number, number];
  readonly shorter?: Readonly<Record<string, string>>;
}

/** The proxies that the guide shows. */
export const PROXIES = { nginx: aNginx, haproxy: aHaproxy } as const;

async function aNginx(options: ProxyOptions): Promise<string> {
  const folder = aFolder();
  const file = (name: string) => join(folder, name);
  makeCertificate(folder);
  const port = await freePort();
  const site = withOnly(options, deployText('nginx.conf'))
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
  return startProxy(['nginx', '-c', file('nginx.conf'), '-p', folder, '-e', file('errors')], port, () =>
    readFileSync(file('errors'), 'utf8'),
  );
}

async function aHaproxy(options: ProxyOptions): Promise<string> {
  const folder = aFolder();
  const file = (name: string) => join(folder, name);
  makeCertificate(folder);
  writeFileSync(file('both.pem'), ['cert.pem', 'key.pem'].map((name) => readFileSync(file(name))).join(''));
  const port = await freePort();
  const text = withOnly(options, deployText('haproxy.cfg'))
    .replace('bind :443', `bind 127.0.0.1:${port}`)
    .replace('bind :80', `bind 127.0.0.1:${await freePort()}`)
    .replace('/etc/ssl/verify.example/fullchain-and-privkey.pem', file('both.pem'))
    .replaceAll(/^ {2}(?:user|group) haproxy\n/gm, '');
  writeFileSync(file('haproxy.cfg'), text);
  const { stderr } = spawnSync('haproxy', ['-c', '-q', '-f', file('haproxy.cfg')], { encoding: 'utf8' });
  return startProxy(['haproxy', '-db', '-f', file('haproxy.cfg')], port, () => stderr);
}

/** The Caddyfile of a guide, on a port of its own and with certificates of its own. */
export async function aCaddy(file: string, upstream: string): Promise<string> {
  const folder = aFolder();
  const port = await freePort();
  const options = `admin off\nskip_install_trust\nlocal_certs\nauto_https disable_redirects\nlog {\noutput file ${folder}/log\n}`;
  const site = file
    .replace('verify.example {', `https://verify.example:${port} {\nbind 127.0.0.1`)
    .replace('service:3000', upstream);
  writeFileSync(join(folder, 'Caddyfile'), `{\n${options}\n}\n${site}`);
  const home = { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const config = ['--config', join(folder, 'Caddyfile')];
  const command = ['caddy', 'run', ...config] as const;
  return startProxy(command, port, () => readFileSync(join(folder, 'log'), 'utf8'), {
    env: home,
    headers: { host: 'verify.example' },
  });
}

function makeCertificate(folder: string): void {
  const paths = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')];
  spawnSync('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    ...paths,
    '-subj',
    '/CN=verify.example',
  ]);
}

/** Leads the first two servers of a file to these ports, and takes out the others. */
function withOnly({ ports, shorter = {} }: ProxyOptions, file: string): string {
  let text = file
    .replaceAll('127.0.0.1:3001', `127.0.0.1:${ports[0]}`)
    .replaceAll('127.0.0.1:3002', `127.0.0.1:${ports[1]}`)
    .replaceAll(/^ +server .*127\.0\.0\.1:300\d.*\n/gm, '');
  for (const [long, short] of Object.entries(shorter)) {
    if (!text.includes(long)) throw new Error(`The file says nothing of ${long}.`);
    text = text.replaceAll(long, short);
  }
  return text;
}

async function startProxy(
  [program, ...args]: readonly [string, ...string[]],
  port: number,
  errors: () => string,
  { env = process.env, headers = {} }: { env?: NodeJS.ProcessEnv; headers?: Record<string, string> } = {},
): Promise<string> {
  const child = spawn(program, args, { stdio: 'ignore', env });
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  });
  const url = `https://127.0.0.1:${port}`;
  await until(`${program} answers for a process`, async () => {
    if (child.exitCode !== null) throw new Error(errors());
    return askOverTls('GET', `${url}/livez`, headers).then(
      (status) => status === 200,
      () => false,
    );
  });
  return url;
}
