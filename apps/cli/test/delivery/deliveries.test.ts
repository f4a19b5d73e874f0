import type {
  DeliveryList,
  DeliverySummaryList,
  RedeliveredExhausted,
  RedeliveredMatching,
  RequestModel,
} from '@insurance-verification/schema';
import { until } from '@insurance-verification/testing/until';
import { expect, test } from 'vitest';
import { aFailedDelivery, aStoredRequest } from '../a-request.ts';
import { useService } from '../a-service.ts';
import { iv, ivJson, naming } from '../iv.ts';

const service = useService({ WEBHOOK_RETRY_SCHEDULE: '0s' });

// Breaks if a provider cannot see why a result did not arrive, or resend it.
test('list shows each attempt, redeliver starts a new round', async () => {
  const env = naming(service());
  const { request_id } = await aFailedDelivery(service());
  const listed = await iv(['deliveries', 'list', request_id], env);
  expect(listed).toMatchObject({ exitCode: 0, stderr: '' });
  expect(listed.stdout).toMatch(
    /^DELIVERY_ID +STATUS +ATTEMPT +OUTCOME +HTTP +AT +ANSWER +MS +NEXT_ATTEMPT +VERSION\n/,
  );
  expect(listed.stdout).toMatch(/ exhausted +1 +connection_failed +- +\S+Z +- +\d+ +- +1$/m);

  const queued = await iv(['deliveries', 'redeliver', request_id], env);
  expect(queued).toMatchObject({
    exitCode: 0,
    stderr: `Queued. Its attempts: iv deliveries list ${request_id}\n`,
  });
  expect(queued.stdout).toContain(request_id);
  await until('the second attempt is over', async () => {
    const { items } = await ivJson<DeliveryList>(['deliveries', 'list', request_id], env);
    return items[0]?.attempts.length === 2 && items[0].status === 'exhausted';
  });
  const asJson = await ivJson<RequestModel>(['deliveries', 'redeliver', request_id], env);
  expect(asJson.request_id).toBe(request_id);
}, 60_000);

// Breaks if an operator whose receiver was down must name every request.
test('redeliver --exhausted-since starts a new round of all, and says how many', async () => {
  const env = naming(service());
  const ids = [(await aFailedDelivery(service())).request_id, (await aFailedDelivery(service())).request_id];
  const args = ['deliveries', 'redeliver', '--exhausted-since', '2026-01-01T00:00:00Z'];
  const answer = await ivJson<RedeliveredExhausted>(args, env);
  expect(answer).toMatchObject({ redelivered: expect.any(Number), more: false, token: null });
  expect(answer.redelivered).toBeGreaterThanOrEqual(2);
  await until('the second attempts are over', async () => {
    const lists = await Promise.all(ids.map((id) => ivJson<DeliveryList>(['deliveries', 'list', id], env)));
    return lists.every(({ items }) => items[0]?.attempts.length === 2);
  });
  const none = await iv([...args.slice(0, -1), '2099-01-01T00:00:00Z'], env);
  expect(none).toEqual({ exitCode: 0, stdout: 'matching     0\nredelivered  0\n', stderr: '' });
  const elsewhere = await iv([...args, '--host', 'elsewhere.example'], env);
  expect(elsewhere.stdout).toBe('matching     0\nredelivered  0\n');
  const wrong = await iv([...args.slice(0, -1), 'yesterday'], env);
  expect(wrong).toMatchObject({ exitCode: 2, stdout: '' });
  expect(wrong.stderr).toContain('body.since: Input should be a valid datetime');
}, 60_000);

// Breaks if an operator cannot see how many would be troubled before they are.
test('list filters deliveries, and redeliver --since sends exactly those again that it counted', async () => {
  const env = naming(service());
  const { request_id } = await aFailedDelivery(service());
  const filters = ['--host', '127.0.0.1:9', '--outcome', 'connection_failed', '--attempts-min', '1'];
  const { items } = await ivJson<DeliverySummaryList>(
    ['deliveries', 'list', '--status', 'exhausted', ...filters],
    env,
  );
  expect(items[0]).toMatchObject({ request_id, status: 'exhausted', last_outcome: 'connection_failed' });
  const listed = await iv(['deliveries', 'list', '--limit', '1', ...filters], env);
  expect(listed.stdout).toMatch(/^DELIVERY_ID +STATUS +ATTEMPTS +LAST_OUTCOME +HTTP +HOST +REQUEST_ID /);

  const since = items[0]?.accepted_at ?? '';
  const redeliver = ['deliveries', 'redeliver', '--since', since, ...filters];
  const dry = await iv([...redeliver, '--dry-run'], env);
  expect(dry).toEqual({ exitCode: 0, stdout: 'matching     1\nredelivered  0\n', stderr: '' });
  const answer = await ivJson<RedeliveredMatching>(redeliver, env);
  expect(answer).toEqual({ matching: 1, redelivered: 1, more: false, token: null });
  await until('the second attempt is over', async () => {
    const list = await ivJson<DeliveryList>(['deliveries', 'list', request_id], env);
    return list.items[0]?.attempts.length === 2;
  });
  const none = await iv([...redeliver, '--status-code', '418'], env);
  expect(none).toEqual({ exitCode: 0, stdout: 'matching     0\nredelivered  0\n', stderr: '' });
}, 60_000);

// Breaks if an operator cannot find what an endpoint lost, or send it again.
test('list shows what an event says happened, and redeliver --delivery sends that one again', async () => {
  const env = naming(service());
  const { endpoints } = service().client;
  const { endpoint_id } = await endpoints.create({ url: 'http://localhost:9/', types: ['batch.ended'] });
  await endpoints.test({ endpoint_id });
  const given = async () => {
    const { items } = await ivJson<DeliverySummaryList>(['deliveries', 'list', '--host', 'localhost:9'], env);
    return items.find((one) => one.endpoint_id === endpoint_id && one.status === 'exhausted');
  };
  const delivery = await until('it is given up', given);
  const listed = await iv(['deliveries', 'list', '--host', 'localhost:9'], env);
  expect(listed.stdout).toMatch(new RegExp(`^${delivery.delivery_id} .* endpoint\\.test `, 'm'));
  const args = ['deliveries', 'redeliver', '--since', '2026-01-01T00:00:00Z', '--delivery'];
  expect(await ivJson<RedeliveredMatching>([...args, delivery.delivery_id], env)).toMatchObject({
    matching: 1,
    redelivered: 1,
  });
  await until('the second attempt is over', async () => (await given())?.attempt_count === 2);
  await endpoints.end({ endpoint_id });
}, 60_000);

// Breaks if "no result yet" reads like a failed delivery.
test('a request without a result has no deliveries, and nothing to deliver again', async () => {
  const env = naming(service());
  const { request_id } = await aStoredRequest(service());
  expect(await iv(['deliveries', 'list', request_id], env)).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: 'No deliveries: the request has no result yet.\n',
  });
  const refused = await iv(['deliveries', 'redeliver', request_id], env);
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
  expect(refused.stderr).toContain('no result that could be delivered again. (409)');
});

test.each([['list'], ['redeliver']])('%s of an unknown id ends with 1', async (name) => {
  const missing = await iv(['deliveries', name, 'req_none'], naming(service()));
  expect(missing).toMatchObject({ exitCode: 1, stdout: '' });
  expect(missing.stderr).toContain('there is no request req_none, or this API key may not see it.');
});
