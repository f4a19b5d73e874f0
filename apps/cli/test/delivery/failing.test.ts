import type { DeliverySummaryList, RecoveredEndpoint, RequestModel } from '@insurance-verification/schema';
import { until } from '@insurance-verification/testing/until';
import { expect, test } from 'vitest';
import { aFailedDelivery } from '../a-request.ts';
import { useService } from '../a-service.ts';
import { iv, ivJson, naming } from '../iv.ts';

// Its own service: after ten failures its receiver is paused.
const service = useService({ WEBHOOK_RETRY_SCHEDULE: '0s' });

// Breaks if somebody who reads a request has to know that its delivery is another command.
test('requests get says that a delivery fails, why, and when it is tried next', async () => {
  const env = naming(service());
  const { request_id } = await aFailedDelivery(service());
  const shown = await iv(['requests', 'get', request_id], env);
  expect(shown).toMatchObject({ exitCode: 0, stderr: '' });
  expect(shown.stdout).toMatch(/^delivery +given up$/m);
  expect(shown.stdout).toMatch(/^why +connection_failed, attempt 1 at \S+Z$/m);
  expect(shown.stdout).toMatch(/^next_try +none; send it again: iv deliveries redeliver/m);
  expect(await ivJson<RequestModel>(['requests', 'get', request_id], env)).toMatchObject({
    request_id,
    state: 'error_sending_webhook',
  });
}, 60_000);

// Breaks if an operator cannot have what an endpoint did not take posted again, or is not shown how much first.
test('endpoints recover --since counts with --dry-run, and posts what was given up', async () => {
  const env = naming(service());
  const { endpoints } = service().client;
  const { endpoint_id } = await endpoints.create({
    url: 'http://localhost:9/recover',
    types: ['request.answered'],
  });
  await aFailedDelivery(service());
  const lost = async () =>
    (
      await ivJson<DeliverySummaryList>(
        ['deliveries', 'list', '--endpoint', endpoint_id, '--status', 'exhausted'],
        env,
      )
    ).items;
  await until('its event is given up', async () => (await lost()).length === 1);
  const recover = ['endpoints', 'recover', endpoint_id, '--since', '2026-01-01T00:00:00Z'];
  const dry = await iv([...recover, '--dry-run'], env);
  expect(dry.stdout).toMatch(/^posted +0$/m);
  expect(dry.stdout).toMatch(/^left +1$/m);
  expect(dry.stderr).toBe('');
  const posted = await ivJson<RecoveredEndpoint>(recover, env);
  expect(posted).toMatchObject({ recovered_count: 1, missed_count: 0 });
  await until('the second attempt is over', async () => (await lost())[0]?.attempt_count === 2);
  await endpoints.end({ endpoint_id });
}, 60_000);
