import { NOTHING_HERE, type Problem, problemOf } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { aService } from './a-service.ts';
import { send } from './send.ts';

const TOKEN = 'token-of-the-metrics-0123456789';

const ask = async (url: string, authorization?: string) => {
  const headers = authorization === undefined ? {} : { authorization };
  const { status, text, json } = await send('GET', `${url}/metrics`, { headers });
  return { status, hasSamples: text.includes('ivs_deliveries_pending'), json };
};

// A provider's request volume and its receivers' health are not public.
test('off loopback, with nothing set, /metrics is as unknown as any path, and the probes stay', async () => {
  const service = await aService({ env: { HOST: '0.0.0.0' } });
  const url = service.url.replace('0.0.0.0', '127.0.0.1');
  expect(await ask(url)).toEqual({
    status: 404,
    hasSamples: false,
    json: problemOf('not_found', { detail: NOTHING_HERE }),
  });
  expect((await send('POST', `${url}/metrics`)).status).toBe(404);
  for (const path of ['/livez', '/readyz']) expect((await send('GET', url + path)).status).toBe(200);
});

test('with a token /metrics answers only it, on any address', async () => {
  const service = await aService({ env: { HOST: '0.0.0.0', METRICS_TOKEN: TOKEN } });
  const url = service.url.replace('0.0.0.0', '127.0.0.1');
  for (const wrong of [
    undefined,
    '',
    'Bearer',
    `Bearer ${TOKEN}x`,
    TOKEN,
    `Basic ${TOKEN}`,
    'Bearer \u00e9',
  ]) {
    const refused = await ask(url, wrong);
    expect({ wrong, ...refused }).toMatchObject({ wrong, status: 401, hasSamples: false });
  }
  const { headers } = await send('GET', `${url}/metrics`);
  expect(headers['www-authenticate']).toBe('Bearer realm="metrics"');
  for (const right of [`Bearer ${TOKEN}`, `bearer  ${TOKEN}`])
    expect(await ask(url, right)).toMatchObject({ status: 200, hasSamples: true });
});

test('on a port of its own there is /metrics and nothing else, and no /metrics at the main one', async () => {
  const service = await aService({ env: { METRICS_PORT: '0' } });
  expect(service.metricsUrl).not.toBe(service.url);
  expect(await ask(service.metricsUrl ?? '')).toMatchObject({ status: 200, hasSamples: true });
  expect((await ask(service.url)).status).toBe(404);
  for (const path of [
    '/livez',
    '/readyz',
    '/requests/',
    '/docs',
    '/openapi.json',
    '/trpc/requests.list',
    '//',
  ])
    expect([path, (await send('GET', `${service.metricsUrl}${path}`)).status]).toEqual([path, 404]);
});

// Broke: a refusal named the address of a page that this port did not have.
test('on its own port the pages are there that its refusals name', async () => {
  const { metricsUrl } = await aService({ env: { METRICS_PORT: '0' } });
  const { json } = await send('GET', `${metricsUrl}/livez`);
  const page = await send('GET', `${metricsUrl}${(json as Problem).type}`);
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('<h1>Not found</h1>')]);
  expect(page.text).not.toContain('href="/docs"');
});

test('on its own port it asks for the token too', async () => {
  const service = await aService({
    env: { METRICS_PORT: '0', METRICS_TOKEN: TOKEN, ROLES: 'delivery', PORT: '' },
  });
  expect(service.url).toBe('');
  expect((await ask(service.metricsUrl ?? '')).status).toBe(401);
  expect((await ask(service.metricsUrl ?? '', `Bearer ${TOKEN}`)).status).toBe(200);
});

test('a start whose metrics port is taken fails, and leaves nothing running', async () => {
  const first = await aService({ env: { METRICS_PORT: '0' } });
  const { port } = new URL(first.metricsUrl ?? '');
  await expect(aService({ env: { METRICS_PORT: port } })).rejects.toThrow('EADDRINUSE');
});
