import { createPublicKey, verify } from 'node:crypto';
import * as fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { createWebhookKeyPair, createWebhookSecret } from './create-keys.ts';
import { signWebhook } from './sign.ts';

const body = Buffer.from('{"test": 2432232314}');
const aMessage = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: new Date(1_614_265_330_000), body };

test('gives the signature that the Standard Webhooks libraries publish as their example', () => {
  const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'];
  expect(signWebhook({ ...aMessage, secrets })).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('is accepted by the standardwebhooks library, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[\w-]{1,40}$/), (text, id) => {
      const secret = createWebhookSecret();
      const timestamp = new Date();
      const signature = signWebhook({ id, timestamp, body: Buffer.from(text), secrets: [secret] });
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(timestamp.getTime() / 1000)),
        'webhook-signature': signature,
      };
      expect(() => new Webhook(secret).verify(text, headers, { jsonParse: false })).not.toThrow();
    }),
  );
});

test('signs once per secret, so a receiver with either one accepts during a rotation', () => {
  const [previous, current] = [createWebhookSecret(), createWebhookSecret()];
  const both = signWebhook({ ...aMessage, secrets: [current, previous] });
  const each = [current, previous].map((secret) => signWebhook({ ...aMessage, secrets: [secret] }));
  expect(both).toBe(each.join(' '));
});

test('signs with an ed25519 key as v1a, given as seed and public key or as the bare seed', () => {
  const { privateKey, publicKey } = createWebhookKeyPair();
  const seedOnly = `whsk_${Buffer.from(privateKey.slice(5), 'base64').subarray(0, 32).toString('base64')}`;
  const signature = signWebhook({ ...aMessage, secrets: [privateKey] });
  expect(signature).toMatch(/^v1a,/);
  expect(signWebhook({ ...aMessage, secrets: [seedOnly] })).toBe(signature);

  const x = Buffer.from(publicKey.slice(5), 'base64').toString('base64url');
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
  const signed = Buffer.concat([Buffer.from('msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.'), body]);
  expect(verify(null, signed, key, Buffer.from(signature.slice(4), 'base64'))).toBe(true);
});

test.each([
  ['an id with a dot, which would blur where the timestamp begins', { id: 'msg.1' }],
  ['an id with a line break, which would be a second header', { id: 'msg\r\nx: y' }],
  ['an empty id', { id: '' }],
  ['an invalid date', { timestamp: new Date(Number.NaN) }],
  ['no secret', { secrets: [] }],
  ['a secret of 16 bytes', { secrets: [`whsec_${Buffer.alloc(16).toString('base64')}`] }],
  ['a public key', { secrets: [createWebhookKeyPair().publicKey] }],
])('refuses %s', (_what, wrong) => {
  expect(() => signWebhook({ ...aMessage, secrets: [createWebhookSecret()], ...wrong })).toThrow(TypeError);
});

test('keeps a wrong secret out of the error, since errors are logged', () => {
  expect(() => signWebhook({ ...aMessage, secrets: ['whsec_hunter2'] })).toThrow(/^(?!.*hunter2)/);
});

// The keys of secrets are cached; a full cache starts anew, and must not mix them up.
test('signs as the library does with more secrets than are kept, again and again', () => {
  const secrets = Array.from({ length: 1_005 }, () => createWebhookSecret());
  const signatureOf = (secret: string) => signWebhook({ ...aMessage, secrets: [secret] });
  const signatures = secrets.map(signatureOf);
  expect(secrets.map(signatureOf)).toEqual(signatures);
  expect(
    secrets.map((secret) => new Webhook(secret).sign(aMessage.id, aMessage.timestamp, body.toString())),
  ).toEqual(signatures);
});
