import { createHash } from 'node:crypto';
import type { OutputReceipt, RequestModel, WorkItem } from '@insurance-verification/schema';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { aRequest } from '@insurance-verification/testing/a-request';
import { aCoverage, anOutput } from '@insurance-verification/testing/an-output';
import { freePort } from '@insurance-verification/testing/free-port';
import { until } from '@insurance-verification/testing/until';
import { expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { aService, BOOTSTRAP_KEY, type TestService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { deliveryOnce } from '../delivery/deliveries.ts';
import { aFinding, claim } from '../verification/work.ts';
import { aCollector, attributeOf, type Span } from './a-collector.ts';

const CALLER = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) };

const digestOf = (requestId: string) => createHash('sha256').update(requestId).digest('hex');

/** The spans of a request's trace, in order of their start; in the same millisecond, the one around the other first. */
function stepsOf(spans: readonly Span[], requestId: string): Span[] {
  const traceId = digestOf(requestId).slice(0, 32);
  return spans
    .filter((span) => span.traceId === traceId)
    .toSorted(
      (a, b) =>
        Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)) ||
        Number(BigInt(b.endTimeUnixNano) - BigInt(a.endTimeUnixNano)),
    );
}

/** An intake process and a delivery process that share only a database. */
async function aPair(env: Record<string, string>) {
  const http = await aService({ env: { ...env, ROLES: 'http' } });
  const { databaseUrl } = http;
  const delivery = await aService({ databaseUrl, env: { ...env, ROLES: 'delivery,verification' } });
  const stop = async () => {
    await http.stop();
    await delivery.stop();
  };
  return { http, stop };
}

test('one trace leads from the post to the webhook, through every process', async () => {
  const collector = await aCollector();
  const receiver = await aReceiver({ status: 503 });
  const { http, stop } = await aPair({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    WEBHOOK_RETRY_SCHEDULE: '0s,1s',
  });
  const { json } = await http.ask('POST', '/requests/', {
    body: aRequest({ callback_url: receiver.url }),
    headers: { traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01` },
  });
  const request = json as RequestModel & { request_id: string };
  const [item] = (await claim(http, ['manual_phone_call', 'manual_web_portal', 'agent_web_portal'])) as [
    WorkItem,
  ];
  await http.answer('POST', `/work/${request.request_id}/submit`, {
    lease_token: item.lease_token,
    insurance_data: [aFinding(item)],
  });
  await receiver.first();
  receiver.behave({ status: 204 });
  await deliveryOnce(http, request.request_id, 'delivered');
  await http.answer('GET', `/requests/${request.request_id}`);
  await stop();

  const steps = stepsOf(collector.spans(), request.request_id);
  expect(steps.map(({ name }) => name)).toEqual([
    'intake requests.create',
    'verification work.claim',
    'verification work.submit',
    'output applied',
    'delivery attempt',
    'delivery attempt',
  ]);
  const [first, ...others] = steps;
  expect(first?.parentSpanId ?? '').toBe('');
  expect(first?.spanId).toBe(digestOf(request.request_id).slice(32, 48));
  for (const step of others) expect(step.parentSpanId).toBe(first?.spanId);
  for (const step of steps) expect(attributeOf(step, 'ivs.request_id')).toBe(request.request_id);
  const attempts = steps.slice(-2).map((step) => [attributeOf(step, 'ivs.outcome'), step.status.code ?? 0]);
  expect(attempts).toEqual([
    ['http_error', 2],
    ['succeeded', 0],
  ]);
  expect(new Set(collector.serviceNames())).toEqual(new Set(['insurance-verification']));
  expect(new Set(collector.exports.map(({ path }) => path))).toEqual(new Set(['/v1/traces']));

  // The caller's trace links to the request's, and the other way round.
  const theirs = collector.spans().filter(({ traceId }) => traceId === CALLER.traceId);
  expect(theirs).toMatchObject([
    {
      name: 'intake requests.create',
      parentSpanId: CALLER.spanId,
      links: [{ traceId: first?.traceId, spanId: first?.spanId }],
    },
  ]);
  expect(first?.links).toMatchObject([{ traceId: CALLER.traceId, spanId: theirs[0]?.spanId }]);
});

test('a caller that samples nothing has no span of ours in its trace, and the request has its own', async () => {
  const collector = await aCollector();
  const service = await aService({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ROLES: 'http' } });
  const { json } = await service.ask('POST', '/requests/', {
    body: aRequest(),
    headers: { traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-00` },
  });
  const { request_id: requestId = '' } = json as { request_id?: string };
  await service.stop();
  expect(collector.spans().map(({ traceId }) => traceId)).toEqual([digestOf(requestId).slice(0, 32)]);
});

// Breaks when a replay creates the first span twice, or an invalid traceparent fails a call.
test('a replay is one more step, and a broken traceparent is ignored', async () => {
  const collector = await aCollector();
  const service = await aService({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ROLES: 'http' } });
  const post = () =>
    service.ask('POST', '/requests/', {
      body: aRequest(),
      headers: { 'idempotency-key': 'one', traceparent: 'no traceparent' },
    });
  const { json } = await post();
  await post();
  await service.stop();
  const steps = stepsOf(collector.spans(), (json as { request_id: string }).request_id);
  expect(steps.map(({ name, parentSpanId = '' }) => [name, parentSpanId])).toEqual([
    ['intake requests.create', ''],
    ['intake requests.create', steps[0]?.spanId],
  ]);
  expect(steps.flatMap(({ links = [] }) => links)).toEqual([]);
});

// Broke: a batch left one span, of its last request.
test('each request of a batch begins a trace of its own', async () => {
  const collector = await aCollector();
  const service = await aService({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ROLES: 'http' } });
  const { json } = await service.ask('POST', '/trpc/requests.create,requests.create?batch=1', {
    body: { 0: aRequest(), 1: aRequest() },
  });
  await service.stop();
  for (const { result } of json as { result: { data: { request_id: string } } }[]) {
    const steps = stepsOf(collector.spans(), result.data.request_id);
    expect(steps.map(({ name, parentSpanId = '' }) => [name, parentSpanId])).toEqual([
      ['intake requests.create', ''],
    ]);
  }
});

test('an output without a key and the sandbox are steps too', async () => {
  const collector = await aCollector();
  const service = await aService({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
  const live = await aStoredRequest(service);
  await service.answer('POST', '/verification-output', anOutput(live));
  const correction = anOutput(live, { insurance_data: [aCoverage(live, { notes: 'ends in May' })] });
  const { held_id } = await service.answer<OutputReceipt>('POST', '/verification-output', correction);
  await service.answer('POST', `/held-outputs/${held_id}/apply`, {});
  const reserved = await aSandboxRequest(service);
  await until('the sandbox has answered', async () => {
    const { json } = await service.ask('GET', `/requests/${reserved.requestId}`, { key: reserved.key });
    return (json as RequestModel).state === 'complete';
  });
  await service.stop();
  const names = (requestId: string) => stepsOf(collector.spans(), requestId).map(({ name }) => name);
  expect(names(live.request_id).filter((name) => !name.startsWith('delivery'))).toEqual([
    'intake requests.create',
    'output verificationOutput.submit',
    'output heldOutputs.apply',
  ]);
  expect(names(reserved.requestId)).toEqual(
    expect.arrayContaining(['verification sandbox', 'output applied']),
  );
});

async function aSandboxRequest(service: TestService) {
  const account = await service.answer<{ account_id: string }>('POST', '/accounts', {
    name: 'Sandbox',
    kind: 'provider',
    mode: 'test',
  });
  const key = await aKey(service, ['requests'], account.account_id);
  const patient_info = { subscriber_id: 'TEST-ACTIVE' };
  const { json } = await service.ask('POST', '/requests/', { body: aRequest({ patient_info }), key });
  return { key, requestId: (json as { request_id: string }).request_id };
}

test('no patient’s data, address or key is in what a collector gets', async () => {
  const collector = await aCollector();
  const receiver = await aReceiver();
  const service = await aService({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
  const canary = { subscriber_id: 'canary-member', dob: 'canary-dob', name: 'canary-name' };
  const request = await aStoredRequest(service, { patient_info: canary, callback_url: receiver.url });
  await service.answer('POST', '/verification-output', anOutput(request));
  await receiver.first();
  await service.stop();
  const exported = collector.exports.map(({ text }) => text).join('\n');
  expect(exported).toContain(request.request_id);
  for (const text of ['canary', request.input.provider_info.npi, receiver.url, BOOTSTRAP_KEY])
    expect(exported).not.toContain(text);
});

// Breaks when an unreachable or refusing collector costs more than its spans.
test('without its collector the service serves, says so once, and ends', async () => {
  const port = await freePort();
  const service = await aService({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/` },
  });
  const refusing = await aCollector(400);
  const refused = await aService({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: refusing.url } });
  for (const one of [service, refused]) {
    await aStoredRequest(one);
    await one.stop();
  }
  expect(refused.logLines.filter((line) => line.includes('the collector took no spans'))).toHaveLength(1);
});
