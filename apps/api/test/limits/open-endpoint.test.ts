import { problemOf, type RequestModel } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { aConnection } from '@insurance-verification/testing/wire/a-connection';
import { head } from '@insurance-verification/testing/wire/head';
import { beforeAll, describe, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { aService, useService } from '../a-service.ts';
import { transports } from '../transports.ts';

const BODY_BYTES = 20_000;

const service = useService({
  env: {
    VERIFICATION_OUTPUT_TRUST: 'keyed',
    ANONYMOUS_OUTPUT_LIMIT: '3',
    ANONYMOUS_BODY_BYTES: String(BODY_BYTES),
    TRUSTED_PROXIES: '127.0.0.0/8',
  },
});
let request: RequestModel;
beforeAll(async () => {
  request = await service.answer<RequestModel>('POST', '/requests/', aRequest());
});

let clientCount = 0;
/** A new client address for each test. */
const aClient = () => ({ 'x-forwarded-for': `198.51.100.${(clientCount += 1)}` });
const ofBytes = (byteCount: number) => ({ ...anOutput(request), filler: 'x'.repeat(byteCount) });

describe.each(transports)('over $name', (transport) => {
  const submit = (output: object, options: { key: string | null; headers: Record<string, string> }) =>
    transport.call(service, 'verificationOutput.submit', { ...output }, options);

  test('a client without a key, with a wrong one or with one that may not verify has one budget', async () => {
    const headers = aClient();
    const provider = await aKey(service);
    for (const [index, key] of [null, 'wrong-key-0123456789', provider].entries()) {
      const answer = await submit(anOutput(request), { key, headers });
      expect([answer.status, answer.json]).toEqual([200, transport.success({ status: 'received' })]);
      expect(answer.headers).toMatchObject({
        'ratelimit-policy': '"anonymous-output";q=3;w=60',
        // The next comes 20 s after the first call; how long ago that was depends on the machine.
        ratelimit: expect.stringMatching(`^"anonymous-output";r=${2 - index};t=(20|1\\d)$`),
      });
    }
    const refused = await submit(anOutput(request), { key: null, headers });
    expect(refused.status).toBe(429);
    const body = refused.json as { error?: { data: { problem: unknown } } };
    expect(body.error?.data.problem ?? body).toEqual(
      problemOf('rate_limited', { violated_policies: ['anonymous-output'] }),
    );
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await submit(anOutput(request), { key: null, headers: aClient() })).status).toBe(200);
    // A verifier does not count against the budget of the anonymous senders at its address.
    const verifier = await aKey(service, ['verify']);
    const known = await submit(anOutput(request), { key: verifier, headers });
    expect(known.status).toBe(200);
    expect(known.headers).not.toHaveProperty('ratelimit');
  });

  test('an IPv6 client is its /64', async () => {
    const from = (address: string) => ({ key: null, headers: { 'x-forwarded-for': address } });
    const net = `2001:db8:${transport.name === 'REST' ? 1 : 2}`;
    for (const host of ['::1', '::2', ':0:ffff::3'])
      expect((await submit(anOutput(request), from(`${net}${host}`))).status).toBe(200);
    expect((await submit(anOutput(request), from(`${net}::4`))).status).toBe(429);
    expect((await submit(anOutput(request), from(`${net}:1::1`))).status).toBe(200);
  });

  test('a body beyond the bound is 413 for an anonymous sender, and taken from a verifier', async () => {
    const refused = await submit(ofBytes(BODY_BYTES), { key: null, headers: aClient() });
    expect([refused.status, refused.json]).toEqual([413, transport.problem('payload_too_large')]);
    const verifier = await aKey(service, ['verify']);
    expect((await submit(ofBytes(BODY_BYTES), { key: verifier, headers: aClient() })).status).toBe(200);
  });
});

// By declared length before a byte is read, and in chunks after the first bytes beyond the limit.
test.each(['/verification-output', '/trpc/verificationOutput.submit'])(
  '%s refuses an anonymous sender’s large body by its declared length, and in chunks',
  async (path) => {
    const from = `x-forwarded-for: 192.0.2.${path.length}`;
    const declared = aConnection(service.url);
    declared.write(
      head(`POST ${path}`, [from, 'content-type: application/json', `Content-Length: ${BODY_BYTES + 1}`]),
    );
    expect(await declared.answer()).toMatchObject({ status: 413, headers: { connection: 'close' } });
    const endless = aConnection(service.url);
    endless.write(
      head(`POST ${path}`, [from, 'content-type: application/json', 'Transfer-Encoding: chunked']),
    );
    for (let count = 0; count < 3; count += 1) endless.write(`2000\r\n${'x'.repeat(0x2000)}\r\n`);
    expect(await endless.answer()).toMatchObject({ status: 413, headers: { connection: 'close' } });
  },
);

// A batch reads its body once, for the call that needs it first.
test('a batch with a call that allows more does not carry an anonymous sender’s large body in', async () => {
  const key = await aKey(service);
  const answer = await service.ask('POST', '/trpc/requests.create,verificationOutput.submit?batch=1', {
    key,
    headers: aClient(),
    body: { 0: aRequest(), 1: ofBytes(BODY_BYTES) },
  });
  expect(JSON.stringify(answer.json)).not.toContain('received');
  expect(JSON.stringify(answer.json)).toContain('payload_too_large');
});

// Without it a first try on a laptop, or a test suite, would be refused at its sixty-first output.
test('where trust is open there is neither budget nor bound', async () => {
  const laptop = await aService({ env: { ANONYMOUS_OUTPUT_LIMIT: '1', ANONYMOUS_BODY_BYTES: '1024' } });
  const stored = await laptop.answer<RequestModel>('POST', '/requests/', aRequest());
  for (let count = 0; count < 3; count += 1) {
    const body = { ...anOutput(stored), filler: 'x'.repeat(5000) };
    const answer = await laptop.ask('POST', '/verification-output', { key: null, body });
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty('ratelimit');
  }
});

// Without it an anonymous sender could pose as any number of clients by forging addresses.
test('without a trusted proxy no header makes a client another one', async () => {
  const open = await aService({ env: { VERIFICATION_OUTPUT_TRUST: 'keyed', ANONYMOUS_OUTPUT_LIMIT: '2' } });
  const stored = await open.answer<RequestModel>('POST', '/requests/', aRequest());
  const statuses: number[] = [];
  for (const headers of [
    { 'x-forwarded-for': '203.0.113.1' },
    { forwarded: 'for=203.0.113.2' },
    { 'x-forwarded-for': '203.0.113.3', 'x-real-ip': '203.0.113.3', 'x-client-ip': '203.0.113.3' },
  ]) {
    const answer = await open.ask('POST', '/verification-output', {
      key: null,
      headers,
      body: anOutput(stored),
    });
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([200, 200, 429]);
});
