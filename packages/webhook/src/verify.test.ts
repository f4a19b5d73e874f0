import { readFile } from 'node:fs/promises';
import * as fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { createWebhookKeyPair, createWebhookSecret } from './create-keys.ts';
import { signWebhook } from './sign.ts';
import { type RawBody, type ReceivedHeaders, verifyWebhook } from './verify.ts';

const secret = createWebhookSecret();
const now = new Date('2026-11-20T12:00:00.700Z');
const NOW_SECONDS = 1_795_176_000;
const body = Buffer.from('{"request":{}}');

function headersAt(seconds: number | string, secrets = [secret]): Record<string, string> {
  const timestamp = new Date(Number(seconds) * 1000 || 0);
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(seconds),
    'webhook-signature': signWebhook({ id: 'msg_1', timestamp, body, secrets }),
  };
}

interface Received {
  headers?: ReceivedHeaders;
  body?: RawBody;
  secrets?: readonly string[];
  toleranceSeconds?: number;
}

const reasonOf = (received: Received) =>
  verifyWebhook({ headers: headersAt(NOW_SECONDS), body, secrets: [secret], now, ...received }).then(
    () => 'verified',
    (err: { reason: string }) => err.reason,
  );

test('returns the id to deduplicate on and the instant of the attempt', async () => {
  expect(await verifyWebhook({ headers: headersAt(NOW_SECONDS), body, secret, now })).toEqual({
    id: 'msg_1',
    timestamp: new Date(NOW_SECONDS * 1000),
  });
});

test('accepts what the standardwebhooks library signs, whatever the text', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
      const signature = new Webhook(secret).sign('msg_2', now, text);
      const headers = {
        'webhook-id': 'msg_2',
        'webhook-timestamp': String(NOW_SECONDS),
        'webhook-signature': signature,
      };
      expect(await reasonOf({ headers, body: text })).toBe('verified');
      expect(await reasonOf({ headers, body: Buffer.from(text) })).toBe('verified');
    }),
  );
});

test('takes the bytes of a body in every form that JavaScript has', async () => {
  const bytes = new Uint8Array(body);
  const within = new Uint8Array(bytes.length + 8);
  within.set(bytes, 4);
  const forms: readonly RawBody[] = [
    body,
    bytes,
    body.toString(),
    bytes.buffer,
    new DataView(within.buffer, 4, bytes.length),
    within.subarray(4, -4),
    new Int8Array(bytes.buffer),
  ];
  for (const form of forms) expect(await reasonOf({ body: form })).toBe('verified');
});

// Broke: what a framework had parsed was a RangeError or a TypeError, and the receiver answered 500 without a reason.
test.each([
  ['an object', {}],
  ['a parsed result', JSON.parse(body.toString())],
  ['an object with a length', { length: 14 }],
  ['an endless one', { length: Infinity }],
  ['a Buffer as JSON', body.toJSON()],
  ['nothing', undefined],
  ['null', null],
  ['a list', [123, 125]],
  ['a number', 1],
  ['true', true],
  ['a stream', new ReadableStream()],
  ['a String object', Object('{}')],
])('says that the raw body is wanted, for %s', async (_, parsed) => {
  await expect(
    verifyWebhook({ headers: headersAt(NOW_SECONDS), body: parsed as RawBody, secret, now }),
  ).rejects.toMatchObject({
    name: 'WebhookVerificationError',
    reason: 'bad_body',
    message: 'Pass the raw body, before any JSON parsing',
  });
});

test('refuses any single changed byte', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
      const changed = Uint8Array.from(body);
      changed[at] = (changed[at] ?? 0) ^ change;
      expect(await reasonOf({ body: changed })).toBe('no_matching_signature');
    }),
  );
});

test('reads Fetch headers, Node headers, any case, and single values in a list', async () => {
  const headers = headersAt(NOW_SECONDS);
  const upper = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  );
  const listed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  const forms = [new Headers(headers), headers, upper, listed];
  const reasons = await Promise.all(forms.map((form) => reasonOf({ headers: form })));
  expect(new Set(reasons)).toEqual(new Set(['verified']));
});

test('accepts either secret during a rotation, on either side', async () => {
  const previous = createWebhookSecret();
  expect(await reasonOf({ headers: headersAt(NOW_SECONDS, [secret, previous]), secrets: [previous] })).toBe(
    'verified',
  );
  expect(await reasonOf({ headers: headersAt(NOW_SECONDS, [previous]), secrets: [secret, previous] })).toBe(
    'verified',
  );
});

test('verifies v1a with the public key, and never takes the public key for a shared secret', async () => {
  const { privateKey, publicKey } = createWebhookKeyPair();
  const headers = headersAt(NOW_SECONDS, [secret, privateKey]);
  expect(await reasonOf({ headers, secrets: [publicKey] })).toBe('verified');
  expect(await reasonOf({ headers, secrets: [createWebhookKeyPair().publicKey] })).toBe(
    'no_matching_signature',
  );
  // A forger knows the public key: an HMAC made with its bytes must not pass.
  const forged = headersAt(NOW_SECONDS, [`whsec_${publicKey.slice('whpk_'.length)}`]);
  expect(await reasonOf({ headers: forged, secrets: [publicKey] })).toBe('no_matching_signature');
});

test.each([
  [-300, 'verified'],
  [-301, 'timestamp_too_old'],
  [300, 'verified'],
  [301, 'timestamp_in_future'],
])('a timestamp %i s from now: %s', async (offset, reason) => {
  expect(await reasonOf({ headers: headersAt(NOW_SECONDS + offset) })).toBe(reason);
});

test('takes the tolerance from the caller, and refuses everything when it is not a number', async () => {
  expect(await reasonOf({ headers: headersAt(NOW_SECONDS - 301), toleranceSeconds: 301 })).toBe('verified');
  expect(await reasonOf({ toleranceSeconds: Number.NaN })).toBe('timestamp_too_old');
});

test.each(['', ' ', '-5', '1e9', '1795176000.5', '0x6b', '٣', '99999999999999'])(
  'timestamp "%s" is no timestamp',
  async (text) => {
    const headers = { ...headersAt(NOW_SECONDS), 'webhook-timestamp': text };
    expect(await reasonOf({ headers })).toBe(text === '' ? 'missing_header' : 'bad_timestamp');
  },
);

test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('names a missing %s', async (name) => {
  const headers: Record<string, string | undefined> = { ...headersAt(NOW_SECONDS), [name]: undefined };
  expect(await reasonOf({ headers })).toBe('missing_header');
});

test.each(['v1', 'v1,', 'v1,AAAA', 'v2,', ',,,', 'v1,%%%', ' ', 'v1a,AAAA', 'v1,AAAA v1,BBBB'])(
  'signature header "%s" matches nothing',
  async (signature) => {
    const headers = { ...headersAt(NOW_SECONDS), 'webhook-signature': signature };
    expect(await reasonOf({ headers })).toBe('no_matching_signature');
  },
);

test.each([
  [[]],
  [['']],
  [['whsec_']],
  [['hunter2']],
  [[createWebhookKeyPair().privateKey]],
  [[secret, 'whsec_x']],
])('secrets %j are a fault of the configuration', async (secrets) => {
  expect(await reasonOf({ secrets })).toBe('bad_secret');
});

// What JavaScript passes where an environment variable is not set.
test.each<[string, object]>([
  ['secret: undefined', { secret: undefined }],
  ['secret: null', { secret: null }],
  ['secret: 5', { secret: 5 }],
  ['no secret', {}],
  ['secrets: [undefined]', { secrets: [undefined] }],
  ['secrets of a text', { secrets: secret }],
  ['secrets: null', { secrets: null }],
])('%s is a fault of the configuration', async (_, given) => {
  const verifying = verifyWebhook({ headers: headersAt(NOW_SECONDS), body: '{}', ...given } as never);
  await expect(verifying).rejects.toMatchObject({ reason: 'bad_secret' });
});

test.each(['v1a', 'v2', 'V1', ''])(
  'a good signature under the version "%s" is not taken for v1',
  async (version) => {
    const headers = headersAt(NOW_SECONDS);
    const relabelled = headers['webhook-signature']?.replace(/^v1/, version);
    expect(await reasonOf({ headers: { ...headers, 'webhook-signature': relabelled } })).toBe(
      'no_matching_signature',
    );
  },
);

test('imports nothing but its neighbours, so it runs where Node is absent', async () => {
  const sources = new Map<string, string>();
  const specifiers: string[] = [];
  async function follow(file: string): Promise<void> {
    if (sources.has(file)) return;
    const source = await readFile(new URL(file, import.meta.url), 'utf8');
    sources.set(file, source);
    const found = [...source.matchAll(/^(?:import|export)[^;]* from '([^']+)';/gm)].map(
      ([, name = '']) => name,
    );
    specifiers.push(...found);
    await Promise.all(found.filter((name) => name.startsWith('./')).map(follow));
  }
  await follow('./verify.ts');
  expect([...sources.keys()]).toEqual(['./verify.ts', './verification-keys.ts']);
  expect(specifiers.filter((name) => !name.startsWith('./'))).toEqual([]);
  expect([...sources.values()].join('\n')).not.toMatch(/\b(Buffer\.|process\.|require\()/);
});
