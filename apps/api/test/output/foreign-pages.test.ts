import type { HeldOutputList, RequestModel } from '@insurance-verification/schema';
import { problemOf } from '@insurance-verification/schema';
import { anOutput } from '@insurance-verification/testing/an-output';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { startTestService, type TestService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { send } from '../send.ts';

// A laptop's service takes outputs without a key, and any page in its browser may post to it without asking first.

let service: TestService;
beforeAll(async () => (service = await startTestService({ env: { VERIFICATION_OUTPUT_TRUST: 'open' } })));
afterAll(() => service.stop());

const hostOf = () => new URL(service.url).host;
const submit = async (headers: Readonly<Record<string, string>>, path = '/verification-output') => {
  const request = await aStoredRequest(service);
  const body = JSON.stringify(anOutput(request));
  const { status, json } = await send('POST', service.url + path, { body, headers });
  const { state } = await service.answer<RequestModel>('GET', `/requests/${request.request_id}`);
  const { items } = await service.answer<HeldOutputList>('GET', '/held-outputs?limit=100');
  const held = items.find(({ request_id }) => request_id === request.request_id)?.reason;
  return { status, json, state, held };
};

const foreign: [string, () => Record<string, string>][] = [
  ['of another site', () => ({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })],
  ['of another site, by an older browser', () => ({ origin: 'https://evil.example' })],
  ['of another port', () => ({ origin: 'http://localhost:1', 'sec-fetch-site': 'same-site' })],
  ['in a sandboxed frame', () => ({ origin: 'null' })],
  ['that a browser calls cross-site, without an origin', () => ({ 'sec-fetch-site': 'cross-site' })],
  ['of a name that leads here for a while', () => ({ host: 'evil.example', origin: 'http://evil.example' })],
  ['of such a name, as its own', () => ({ host: 'evil.example', 'sec-fetch-site': 'same-origin' })],
  ['of such a name with our port', () => ({ host: `evil.example:${new URL(service.url).port}` })],
  ['of a name that begins like ours', () => ({ host: 'localhost.evil.example' })],
];

test.each(foreign)('an output by a page %s is held, and decides nothing', async (_, headers) => {
  const untyped = { ...headers(), 'content-type': '' };
  for (const sent of [headers(), untyped])
    // oxlint-disable-next-line no-await-in-loop -- each has a request of its own
    expect(await submit(sent)).toEqual({
      status: 200,
      json: { status: 'received' },
      state: 'pending',
      held: 'untrusted',
    });
});

test('through tRPC it is held as well', async () => {
  const got = await submit({ origin: 'https://evil.example' }, '/trpc/verificationOutput.submit');
  expect(got).toMatchObject({ status: 200, state: 'pending', held: 'untrusted' });
});

test.each<[string, () => Record<string, string>]>([
  ['a program', () => ({})],
  ['a program that names this machine', () => ({ host: '127.0.0.1:1' })],
  ['a page of ours', () => ({ origin: `http://${hostOf()}`, 'sec-fetch-site': 'same-origin' })],
  ['a person at the address bar', () => ({ 'sec-fetch-site': 'none' })],
])('an output by %s is the result', async (_, headers) => {
  expect(await submit(headers())).toMatchObject({ status: 200, state: 'complete', held: undefined });
});

test('a key is trusted wherever it comes from: no browser adds it by itself', async () => {
  const key = await aKey(service, ['verify']);
  const got = await submit({ origin: 'https://evil.example', 'x-key': key });
  expect(got).toMatchObject({ state: 'complete', held: undefined });
});

test.each(foreign)('/metrics says nothing to a page %s', async (_, headers) => {
  const { status, json } = await send('GET', `${service.url}/metrics`, { headers: headers() });
  expect([status, json]).toEqual([403, problemOf('cross_site')]);
});
