import { once } from 'node:events';
import { openSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { createWebhookSecret, signWebhook } from '@insurance-verification/webhook';
import { expect, onTestFinished, test } from 'vitest';
import { sampleOutput } from '../../src/demo/sample-request.ts';
import { aStoredRequest } from '../a-request.ts';
import { useService } from '../a-service.ts';
import { type Cli, iv, naming, startIv } from '../iv.ts';

const service = useService();

/** The first match in a process's output stream. @throws when the process ends first. */
async function untilSaid(child: Cli, stream: Readable, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let said = '';
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const match = pattern.exec(said);
      if (match) resolve(match);
    });
    child.once('error', reject);
    child.once('close', (code) =>
      reject(new Error(`Ended (${code}) before it said ${String(pattern)}:\n${said}`)),
    );
  });
}

interface Listening {
  readonly child: Cli;
  readonly callbackUrl: string;
  /** The next line on stdout. */
  next(): Promise<string>;
}

async function listen(
  args: readonly string[],
  env: Record<string, string> = {},
  stdin?: number,
): Promise<Listening> {
  const child = startIv(['listen', '--port', '0', ...args], env, stdin);
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const [, callbackUrl = ''] = await untilSaid(child, child.stderr, /callback_url: (\S+)/);
  return { child, callbackUrl, next: async () => String((await lines.next()).value) };
}

async function interrupt({ child }: Listening): Promise<number | null> {
  const ended = once(child, 'close');
  child.kill('SIGINT');
  await ended;
  return child.exitCode;
}

function signedPost(secret: string, text: string): RequestInit {
  const [id, timestamp, body] = ['msg_1', new Date(), Buffer.from(text)];
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(timestamp.getTime() / 1000)),
    'webhook-signature': signWebhook({ id, timestamp, body, secrets: [secret] }),
    'verification-version': '2',
  };
  return { method: 'POST', headers, body };
}

// Breaks if a developer cannot see a real webhook arrive with the setup of `npx -y pnpm@12 start`.
test("verifies the service's own webhook with the account's secret, and ends cleanly on Ctrl-C", async () => {
  const listening = await listen(['--json'], naming(service()));
  const request = await aStoredRequest(service(), { callback_url: listening.callbackUrl });
  await service().client.verificationOutput.submit(sampleOutput(request));
  expect(JSON.parse(await listening.next())).toMatchObject({
    method: 'POST',
    path: '/verified',
    webhook_id: expect.stringMatching(/^msg_/),
    version: '1',
    verified: true,
    reason: null,
    request_id: request.request_id,
    state: 'complete',
    insurance_data: [{ plan_info: { plan_name: 'Gold PPO' } }],
  });
  expect(await interrupt(listening)).toBe(0);
});

// Breaks if a forged webhook is shown or answered as a genuine one.
test('answers 400 to a wrong signature and says why, with a secret of its own and without a service', async () => {
  const secret = createWebhookSecret();
  const listening = await listen([], { IV_WEBHOOK_SECRET: secret });
  const body = JSON.stringify({ request: { state: 'complete', request_id: 'req_1' }, insurance_data: [] });

  const good = await fetch(listening.callbackUrl, signedPost(secret, body));
  expect([good.status, await good.text()]).toEqual([200, 'ok\n']);
  expect(await untilBlank(listening)).toMatch(
    /^received .*\ncall +POST \/verified\nwebhook-id +msg_1\nversion +2\nverified +yes\nrequest_id +req_1\nstate +complete\n/,
  );

  const forged = await fetch(listening.callbackUrl, signedPost(createWebhookSecret(), body));
  expect([forged.status, await forged.text()]).toEqual([400, 'no_matching_signature\n']);
  expect(await untilBlank(listening)).toMatch(
    /^verified +no: No signature of the webhook matches \(no_matching_signature\)$/m,
  );

  const unsigned = await fetch(listening.callbackUrl);
  expect([unsigned.status, await unsigned.text()]).toEqual([400, 'missing_header\n']);
  expect(await untilBlank(listening)).toMatch(/^call +GET \/verified\nwebhook-id +-\n/m);
  expect(await interrupt(listening)).toBe(0);
});

// Breaks if a body that is not a result, or not even JSON, ends the receiver.
test.each([
  ['null'],
  ['not json'],
  ['{"request":[],"insurance_data":[null,{"plan_info":{"plan_name":7}}]}'],
  [''],
])('shows a signed body that is no result: %s', async (text) => {
  const secret = createWebhookSecret();
  const listening = await listen(['--json'], { IV_WEBHOOK_SECRET: secret });
  const res = await fetch(listening.callbackUrl, signedPost(secret, text));
  expect(res.status).toBe(200);
  expect(JSON.parse(await listening.next())).toMatchObject({ verified: true, state: null });
  expect(await interrupt(listening)).toBe(0);
});

test('a secret that none can be ends with 2 and is not repeated', async () => {
  const refused = await iv(['listen', '--port', '0'], { IV_WEBHOOK_SECRET: 'whsec_hunter2' });
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
  expect(refused.stderr).toMatch(/^IV_WEBHOOK_SECRET cannot be used: /);
  expect(refused.stderr).not.toContain('hunter2');
});

// Breaks if a secret can only be given where other users of the machine, or the shell's history, read it.
test.each(['a file', 'stdin'])('a secret comes from %s', async (source) => {
  const secret = createWebhookSecret();
  const file = join(aFolder(), 'secret');
  writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  const listening =
    source === 'stdin'
      ? await listen([], { IV_WEBHOOK_SECRET_FILE: '/dev/stdin' }, openSync(file, 'r'))
      : await listen([], { IV_WEBHOOK_SECRET_FILE: file });
  expect((await fetch(listening.callbackUrl, signedPost(secret, 'null'))).status).toBe(200);
  expect(await interrupt(listening)).toBe(0);
});

test('a port in use ends with 1', async () => {
  const { port } = new URL(service().url);
  const refused = await iv(['listen', '--port', port], { IV_WEBHOOK_SECRET: createWebhookSecret() });
  expect(refused).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `Cannot listen on port ${port} (EADDRINUSE). Expected a free port, such as: iv listen --port 0\n`,
  });
});

/** The lines of one call, up to the blank one that ends it. */
async function untilBlank(listening: Listening): Promise<string> {
  const lines: string[] = [];
  for (let line = await listening.next(); line !== ''; line = await listening.next()) lines.push(`${line}\n`);
  return lines.join('');
}

/** Sends bytes on a new connection and waits until the receiver closes it. */
async function saidTo(url: string, bytes: string | Uint8Array): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined); // only the following close counts
  socket.resume().end(bytes);
  await once(socket, 'close');
}

// Anyone who reaches the port may write to it.
test('no request, whatever its bytes, ends it', async () => {
  const secret = createWebhookSecret();
  const listening = await listen(['--json'], { IV_WEBHOOK_SECRET: secret });
  const post = (body: string) =>
    `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  for (const bytes of [
    'GET // HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET //[ HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET http://[ HTTP/1.1\r\nHost: a\r\n\r\n',
    'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
    'hello\r\n\r\n',
    Buffer.from([0x16, 0x03, 0x01]),
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{',
    post('null'),
    post('{"request":null,"insurance_data":{"plan_info":7}}'),
    post(`{"insurance_data":${'['.repeat(9_000)}${']'.repeat(9_000)}}`),
  ])
    await saidTo(listening.callbackUrl, bytes);
  expect((await fetch(listening.callbackUrl, signedPost(secret, '{}'))).status).toBe(200);
  expect(await interrupt(listening)).toBe(0);
});
