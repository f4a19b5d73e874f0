import { expect, test } from 'vitest';
import { useService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { transports } from '../transports.ts';

const service = useService();

const guarded = {
  'cache-control': 'no-store',
  'content-security-policy': expect.stringMatching(/^default-src 'none';/),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

// Broke: a shared cache could store a patient's data or a key's text, and give it to the next caller.
test.each(transports)('no answer over $name may be kept, sniffed or framed', async (transport) => {
  const { request_id } = await aStoredRequest(service);
  const answers = [
    await transport.call(service, 'requests.get', { request_id }),
    await transport.call(service, 'webhookSecret.get'),
    await transport.call(service, 'accounts.create', { name: 'Main Street Dental' }),
    await transport.call(service, 'requests.get', { request_id: 'req_x' }),
    await transport.call(service, 'requests.create', { x: 1 }),
    await transport.call(service, 'requests.list', {}, { key: null }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404, 422, 401]);
  for (const { headers } of answers) expect(headers).toMatchObject(guarded);
});

// RFC 6797, 7.2: a browser on a laptop would else be told of TLS by a service that has none.
test('only what came over TLS is asked to come so again', async () => {
  const seen = async (headers: Readonly<Record<string, string>>) =>
    (await service.ask('GET', '/livez', { key: null, headers })).headers['strict-transport-security'];
  expect(await seen({})).toBeUndefined();
  expect(await seen({ 'x-forwarded-proto': 'http' })).toBeUndefined();
  expect(await seen({ 'x-forwarded-proto': 'https' })).toBe('max-age=31536000; includeSubDomains');
});

// The page's scripts are megabytes and the same for everyone.
test('the scripts of the documentation may be kept', async () => {
  const { headers } = await service.ask('GET', '/docs/start.js', { key: null });
  expect(headers).toMatchObject({ ...guarded, 'cache-control': 'public, max-age=3600' });
});
