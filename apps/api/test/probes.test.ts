import { connect } from 'node:net';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import { expect, onTestFinished, test } from 'vitest';
import { aDatabaseGate } from './a-database-gate.ts';
import { aService, BOOTSTRAP_KEY, type TestService } from './a-service.ts';
import { aStoredRequest } from './a-stored-request.ts';
import { aTableLock } from './a-table-lock.ts';
import { deliveryOnce } from './delivery/deliveries.ts';
import { transports } from './transports.ts';

const unavailable = {
  type: '/docs/problems/unavailable',
  title: 'Unavailable',
  status: 503,
  detail: 'The service cannot answer at the moment; try again in a few seconds.',
  code: 'unavailable',
  request_trace: expect.stringMatching(/^[0-9a-f-]{36}$/),
};

test('/livez and /readyz answer without a key', async () => {
  const service = await aService();
  const live = await service.ask('GET', '/livez', { key: null });
  expect([live.status, live.json]).toEqual([200, { status: 'alive' }]);
  expect(live.headers['instance']).toMatch(/^[0-9a-f-]{36}$/);
  const ready = await service.ask('GET', '/readyz', { key: null });
  expect([ready.status, ready.json]).toEqual([200, { status: 'ready' }]);
});

/** Parses Prometheus' text format, by name and labels. */
function samples(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const [, series, value] =
        /^([a-zA-Z_:][\w:]*(?:\{[^}]*\})?) (\S+)$/.exec(line) ?? expect.fail(`not a sample: ${line}`);
      return [series ?? '', Number(value)] as const;
    }),
  );
}

test('/metrics counts what happened, without ids or addresses', async () => {
  const receiver = await aReceiver();
  const service = await aService();
  const request = await aStoredRequest(service, { callback_url: receiver.url });
  await service.answer('POST', '/verification-output', anOutput(request));
  await service.answer('POST', '/verification-output', anOutput(request));
  await service.answer('POST', '/verification-output', anOutput(request, { request_id: null }));
  await deliveryOnce(service, request.request_id, 'delivered');
  const { status, headers, text } = await service.ask('GET', '/metrics', { key: null });
  expect(status).toBe(200);
  expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
  const values = samples(text);
  expect(values.get('ivs_requests_received_total{payer="Payer Plan 1"}')).toBe(1);
  for (const disposition of ['applied', 'unchanged', 'unmatched']) {
    expect(values.get(`ivs_outputs_accepted_total{disposition="${disposition}"}`)).toBe(1);
  }
  expect(values.get('ivs_delivery_attempts_total{outcome="succeeded"}')).toBe(1);
  expect(values.get('ivs_delivery_seconds_count')).toBe(1);
  expect(values.get('ivs_deliveries_pending')).toBe(0);
  expect(values.get('ivs_http_seconds_count{operation="requests.create",status="200"}')).toBe(1);
  for (const absent of [request.request_id, '127.0.0.1', 'W123456789']) expect(text).not.toContain(absent);
});

async function eachOperationIs503(service: TestService): Promise<void> {
  const request = { request_id: 'req_01jdabcdefghjkmnpqrstvwxyz', input: {} };
  for (const transport of transports) {
    for (const answer of [
      await transport.call(service, 'requests.list'),
      await transport.call(service, 'requests.get', { request_id: request.request_id }),
    ]) {
      expect(answer.status).toBe(503);
      expect(answer.headers['retry-after']).toBe('2');
      const problem =
        transport.name === 'REST'
          ? answer.json
          : (answer.json as { error: { data: { problem: unknown } } }).error.data.problem;
      expect(problem).toEqual(unavailable);
    }
  }
}

// A database restart is an everyday event: the process must report it, survive, and recover by itself.
test('while the database is away every operation is 503 with Retry-After, and all recovers by itself', async () => {
  const gate = await aDatabaseGate();
  const receiver = await aReceiver();
  const service = await aService({
    databaseUrl: gate.databaseUrl,
    env: { DATABASE_DIRECT_URL: gate.databaseUrl },
  });
  const request = await aStoredRequest(service, { callback_url: receiver.url });
  await gate.shut();

  await eachOperationIs503(service);
  const answers = [
    await service.ask('POST', '/requests/', { body: request.input }),
    await service.ask('POST', '/verification-output', { body: anOutput(request), key: null }),
    await service.ask('GET', '/readyz'),
  ];
  expect(answers.map(({ status, json }) => [status, json])).toEqual(answers.map(() => [503, unavailable]));
  expect((await service.ask('GET', '/livez')).status).toBe(200);
  // The process's own metrics matter most now; the queue's are unknown.
  const metrics = await service.ask('GET', '/metrics');
  expect(metrics.status).toBe(200);
  expect(metrics.text).toContain('ivs_http_seconds_count');
  expect([...samples(metrics.text).keys()]).not.toContain('ivs_deliveries_pending');

  await gate.open();
  await until('the service is ready again', async () => (await service.ask('GET', '/readyz')).status === 200);
  // A measure that failed a moment ago is taken again a second later.
  const pending = async () =>
    samples((await service.ask('GET', '/metrics')).text).get('ivs_deliveries_pending');
  await until('the queue is measured again', async () => (await pending()) === 0);
  expect(await service.answer('GET', `/requests/${request.request_id}`)).toEqual(request);
  await service.answer('POST', '/verification-output', anOutput(request));
  await deliveryOnce(service, request.request_id, 'delivered');
  expect(receiver.received).toHaveLength(1);
});

// A migration or a stuck session must not block clients for as long as it holds the table.
test('with a locked table a create is 503 with Retry-After, reads continue, and it recovers by itself', async () => {
  const service = await aService();
  const request = await aStoredRequest(service);
  const lock = await aTableLock(service.databaseUrl, 'request');
  const answer = await service.ask('POST', '/requests/', { body: request.input });
  expect([answer.status, answer.json, answer.headers['retry-after']]).toEqual([503, unavailable, '2']);
  expect((await service.ask('GET', '/livez')).status).toBe(200);
  expect(await service.answer('GET', `/requests/${request.request_id}`)).toEqual(request);
  await lock.release();
  await aStoredRequest(service);
});

// The receiver has answered; losing that in a short outage would cause a duplicate.
test('an attempt that ended while the database was away is written down when it is back, and not sent again', async () => {
  const gate = await aDatabaseGate();
  const receiver = await aReceiver('hang');
  const service = await aService({
    databaseUrl: gate.databaseUrl,
    env: { WEBHOOK_RETRY_SCHEDULE: '0s,30d' },
  });
  const request = await aStoredRequest(service, { callback_url: receiver.url });
  await service.answer('POST', '/verification-output', anOutput(request));
  await receiver.first();
  await gate.shut();
  await receiver.close();
  await gate.open();
  const delivery = await until('the attempt is on record', async () => {
    const { status, json } = await service.ask('GET', `/requests/${request.request_id}/deliveries`);
    const [first] = status === 200 ? (json as { items: { attempts: unknown[] }[] }).items : [];
    return first && first.attempts.length > 0 && first;
  });
  expect(delivery).toMatchObject({ attempts: [{ number: 1, outcome: 'connection_failed' }] });
});

/** A connection opened before the stop; everything that arrives on it is collected. */
async function anOpenConnection(service: TestService) {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (bytes: Buffer) => (text += bytes.toString('utf8')));
  socket.on('error', () => undefined); // the test checks how it ends
  onTestFinished(() => void socket.destroy());
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  return {
    write: (bytes: string) => socket.write(bytes),
    until: (what: RegExp) => until(`${what} arrived`, () => what.test(text) && text),
    closed: () =>
      until('the connection is closed', () => socket.closed || socket.destroyed || socket.readableEnded),
  };
}

test('a stop turns /readyz to 503, finishes what is under way, takes no new connection, and ends', async () => {
  const service = await aService();
  const body = JSON.stringify((await aStoredRequest(service)).input);
  const idle = await anOpenConnection(service);
  idle.write('GET /livez HTTP/1.1\r\nhost: x\r\n\r\n');
  await idle.until(/alive/);
  const probe = await anOpenConnection(service);
  const slow = await anOpenConnection(service);
  const head = `POST /requests/ HTTP/1.1\r\nhost: x\r\nx-key: ${BOOTSTRAP_KEY}\r\ncontent-type: application/json\r\n`;
  slow.write(`${head}expect: 100-continue\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`);
  await slow.until(/100 Continue/); // the request is in flight
  probe.write('GET /readyz HTTP/1.1\r\n');

  const stopping = service.stop();
  await idle.closed();
  probe.write('host: x\r\n\r\n');
  expect(await probe.until(/unavailable/)).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 2/i);
  await expect(service.ask('GET', '/livez')).rejects.toThrow('ECONNREFUSED');
  slow.write(body);
  const answered = await slow.until(/"state":"pending"/);
  expect(answered).toMatch(/HTTP\/1\.1 200 OK[^]*connection: close/i);
  await stopping;
  // And the answered request was stored.
  const id = /req_[0-9a-z]{26}/.exec(answered)?.[0];
  const after = await aService({ databaseUrl: service.databaseUrl });
  expect((await after.ask('GET', `/requests/${id}`)).status).toBe(200);
});

test('a stop succeeds while the database is away', async () => {
  const gate = await aDatabaseGate();
  const service = await aService({ databaseUrl: gate.databaseUrl });
  await aStoredRequest(service);
  await gate.shut();
  await expect(service.stop()).resolves.toBeUndefined();
});

// A half-started process would stay alive, and claim work without serving.
test('a start on a taken port fails, and leaves nothing running', async () => {
  const first = await aService();
  const { port } = new URL(first.url);
  await expect(aService({ env: { PORT: port } })).rejects.toThrow('EADDRINUSE');
});

// Without it nobody could tell whether a worker lives, or the state of its queue and breakers.
test('a worker without the http role answers its probes and metrics, and nothing else', async () => {
  const http = await aService({ env: { ROLES: 'http' } });
  const worker = await aService({ databaseUrl: http.databaseUrl, env: { ROLES: 'delivery' } });
  for (const [path, status] of [
    ['/livez', 200],
    ['/readyz', 200],
    ['/metrics', 200],
    ['/requests/', 404],
    ['/trpc/requests.list', 404],
    ['/docs', 404],
  ] as const) {
    expect([path, (await worker.ask('GET', path)).status]).toEqual([path, status]);
  }
});

// Without it an operator could not see why a receiver's deliveries wait.
test('/metrics shows how many hosts are closed for failing', async () => {
  const receiver = await aReceiver({ status: 500 });
  const service = await aService({ env: { WEBHOOK_RETRY_SCHEDULE: Array(12).fill('0s').join(',') } });
  const request = await aStoredRequest(service, { callback_url: receiver.url });
  await service.answer('POST', '/verification-output', anOutput(request));
  await until('the breaker is open', async () => {
    const { text } = await service.ask('GET', '/metrics', { key: null });
    return samples(text).get('ivs_delivery_open_breakers') === 1;
  });
  expect(receiver.received).toHaveLength(10);
});
