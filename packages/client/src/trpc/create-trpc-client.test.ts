import { aRequest } from '@insurance-verification/testing/a-request';
import { aSilentUrl } from '@insurance-verification/testing/a-silent-url';
import { TRPCClientError } from '@trpc/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { aServer, breakOff, hang, json } from '../../test/a-server.ts';
import { createTrpcClient, withCreateHeaders, withIdempotencyKey } from './create-trpc-client.ts';

const result = (data: unknown) => ({ result: { data } });

test('calls of one tick share a request, and a create never goes with them', async () => {
  const { url, seen } = await aServer((res) =>
    json(res.req.url?.includes('batch=1') ? [result(1), result(2)] : result({ request_id: 'req_1' }))(res),
  );
  const client = createTrpcClient({ url, apiKey: 'ivk_test_key' });
  await Promise.all([
    client.requests.get.query({ request_id: 'a' }),
    client.requests.get.query({ request_id: 'b' }),
    client.requests.create.mutate(aRequest(), withIdempotencyKey('visit 7')),
    client.requests.create.mutate(aRequest()),
  ]);
  const sent = seen.map(({ method, target, headers }) => [
    method,
    target.split('?')[0],
    headers['idempotency-key'],
  ]);
  expect(sent).toHaveLength(3);
  expect(sent).toEqual(
    expect.arrayContaining([
      ['GET', '/trpc/requests.get,requests.get', undefined],
      ['POST', '/trpc/requests.create', undefined],
      ['POST', '/trpc/requests.create', 'visit 7'],
    ]),
  );
  expect(seen.every(({ headers }) => headers['x-key'] === 'ivk_test_key')).toBe(true);
});

// Without it a request would be asked about another day than its caller means.
test('a create says the day to ask about and when it is needed', async () => {
  const { url, seen } = await aServer(json(result({ request_id: 'req_1' })));
  const said = { idempotencyKey: 'visit 7', serviceDate: '2026-12-03', neededBy: '2026-11-26T17:00:00Z' };
  await createTrpcClient({ url }).requests.create.mutate(aRequest(), withCreateHeaders(said));
  expect(seen[0]?.headers).toMatchObject({
    'idempotency-key': 'visit 7',
    'service-date': '2026-12-03',
    'needed-by': '2026-11-26T17:00:00Z',
  });
  expect(() => withCreateHeaders({ neededBy: new Date(Number.NaN) })).toThrow(TypeError);
});

test('a batch too long for a request line is split', async () => {
  const { url, seen } = await aServer((res) =>
    json(res.req.url?.split('?')[0]?.split(',').map(result) ?? [])(res),
  );
  const client = createTrpcClient({ url });
  await Promise.all(
    Array.from({ length: 200 }, () => client.requests.get.query({ request_id: 'r'.repeat(60) })),
  );
  expect(seen.length).toBeGreaterThan(1);
  expect(seen.every(({ target }) => target.length <= 8_000)).toBe(true);
});

test('a call without an answer in time is given up', async () => {
  const { url } = await aServer(hang);
  const client = createTrpcClient({ url, timeoutMs: 100 });
  const message = `webhookSecret.get at ${url}: no answer in time`;
  await expect(client.webhookSecret.get.query()).rejects.toMatchObject({ name: 'TRPCClientError', message });
  await expect(client.requests.create.mutate(aRequest())).rejects.toBeInstanceOf(TRPCClientError);
});

// "fetch failed" and "Unexpected token '<'" would mislead the reader.
test('a failed call names the operation, the address and the cause', async () => {
  const empty = `${await aSilentUrl()}/below`;
  const refused = await createTrpcClient({ url: empty })
    .requests.get.query({ request_id: 'a' })
    .catch((err: unknown) => err);
  expect(refused).toMatchObject({
    name: 'TRPCClientError',
    message: `requests.get at ${empty}: the connection failed (ECONNREFUSED)`,
    cause: { name: 'ConnectionError', causeCode: 'ECONNREFUSED', url: empty },
  });

  const other = await aServer((res) => res.writeHead(404, { 'content-type': 'text/html' }).end('<html>'));
  const elsewhere = createTrpcClient({ url: other.url });
  const batch = Promise.all([elsewhere.webhookSecret.get.query(), elsewhere.work.stats.query({})]);
  await expect(batch).rejects.toMatchObject({
    message: `webhookSecret.get,work.stats at ${other.url}: unexpected answer (404)`,
    cause: { name: 'UnexpectedAnswerError', status: 404 },
  });

  const broken = await aServer((res) => breakOff(res.setHeader('content-type', 'application/json')));
  await expect(createTrpcClient({ url: broken.url }).webhookSecret.get.query()).rejects.toMatchObject({
    message: `webhookSecret.get at ${broken.url}: the connection failed (UND_ERR_SOCKET)`,
  });
});

test('a call that its own signal ended rejects with no error of the connection', async () => {
  const { url } = await aServer(hang);
  const ending = new AbortController();
  const call = createTrpcClient({ url }).webhookSecret.get.query(undefined, { signal: ending.signal });
  ending.abort();
  await expect(call).rejects.toMatchObject({ cause: { name: 'AbortError' } });
});

test('a redirect is not followed, since the key would go along', async () => {
  const elsewhere = await aServer(json(result(1)));
  const { url } = await aServer((res) => res.writeHead(307, { location: elsewhere.url }).end());
  await expect(
    createTrpcClient({ url, apiKey: 'ivk_test_key' }).webhookSecret.get.query(),
  ).rejects.toBeInstanceOf(TRPCClientError);
  expect(elsewhere.seen).toEqual([]);
});

test('an Idempotency-Key that the service would refuse is reported where it is given', () => {
  expect(() => withIdempotencyKey('')).toThrow(TypeError);
});

// A browser that was offline when the library's chunk was asked for is not without it until the page is loaded again.
test('a call that could not load tRPC names what to install, and the next one tries again', async () => {
  const { url } = await aServer(json([result({ current: 'whsec_x' })]));
  const client = createTrpcClient({ url });
  vi.doMock('@trpc/client', () => {
    throw new Error('it is not there');
  });
  onTestFinished(() => vi.doUnmock('@trpc/client'));
  const message = /npm install @trpc\/client @trpc\/server$/;
  await expect(client.webhookSecret.get.query()).rejects.toThrow(message);
  vi.doUnmock('@trpc/client');
  expect(await client.webhookSecret.get.query()).toEqual({ current: 'whsec_x' });
});
