import type { ResponseModel, WorkItem } from '@insurance-verification/schema';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { aFinding, type HeldItem } from '@insurance-verification/testing/an-agent';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { BOOTSTRAP_KEY } from '../a-service.ts';
import { useMcpService } from './an-mcp-service.ts';

const service = useMcpService();

const entryOf = (item: WorkItem) => ({
  person_uuid: 'person-1',
  verification_time: '2026-11-20T10:00:00Z',
  verification_source: item.channel,
  patient_info: { subscriber_id: item.request.input.patient_info.subscriber_id },
  plan_info: { eligibility_status: 'Active' as const },
});

/** An agent that works until the queue is empty, or is gone after a claim, without the end of its session. */
async function runAgent(goneAfter: number): Promise<void> {
  const requestInit = { headers: { 'x-key': BOOTSTRAP_KEY } };
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', service().url), { requestInit });
  const client = new Client({ name: 'agent', version: '1.0.0' });
  await client.connect(transport);
  try {
    for (let taken = 0; ; taken += 1) {
      const answer = await client.callTool({ name: 'claim_next', arguments: { wait_seconds: 2 } });
      const { item } = answer.structuredContent as { item: HeldItem | null };
      if (!item) return;
      if (taken === goneAfter) return;
      const named = { request_id: item.request.request_id };
      const fails = taken % 3 === 1;
      await client.callTool(
        fails
          ? { name: 'fail', arguments: { ...named, error_reason: 'portal_maintenance' } }
          : { name: 'submit_result', arguments: { ...named, insurance_data: [aFinding] } },
      );
    }
  } finally {
    await client.close();
  }
}

/** A REST worker for requests that agents pass on. It ends when every request has an outcome. */
async function runRestWorker(isDone: () => Promise<boolean>): Promise<void> {
  const { work } = service().client;
  for (let taken = 0; !(await isDone());) {
    const { items } = await work.claim({ channels: ['manual_phone_call'], max: 3, wait_seconds: 1 });
    for (const item of items) {
      taken += 1;
      if (taken % 5 === 0) continue; // forgotten: the lease expires
      const lease = { request_id: item.request.request_id ?? '', lease_token: item.lease_token };
      if (taken % 4 === 0) await work.fail({ ...lease, error_reason: 'member_not_found' });
      else await work.submit({ ...lease, insurance_data: [entryOf(item)] });
    }
  }
}

// Without it a killed agent would take its request with it, or a request be finished and reported twice.
test(
  'agents and a worker drain a queue together, some are gone, and each request ends once with one webhook',
  { timeout: 180_000 },
  async () => {
    const { client } = service();
    const receiver = await aReceiver();
    const ids = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const request = await client.requests.create({
          patient_info: { subscriber_id: `W${index}` },
          payer_info: { name: `Payer Plan ${(index % 4) + 1}` },
          provider_info: { npi: '1234567893', name: 'Clinic' },
          callback_url: receiver.url,
        });
        return request.request_id ?? '';
      }),
    );
    const openCount = async () => (await client.requests.list({ state: 'pending', limit: 100 })).items.length;
    const worker = runRestWorker(async () => (await openCount()) === 0);
    await Promise.all([runAgent(2), runAgent(4), runAgent(0)]);
    while ((await openCount()) > 0) await runAgent(Infinity);
    await worker;
    await receiver.first(ids.length);
    const sent = receiver.received.map(({ body }) => (JSON.parse(body) as ResponseModel).request.request_id);
    expect(sent.sort()).toEqual(ids.toSorted());
    for (const request_id of ids) {
      const { items } = await client.requests.attempts({ request_id });
      expect(items.filter(({ result_version: version }) => version !== null)).toHaveLength(1);
      expect(items.every(({ ended_at: endedAt }) => endedAt !== null)).toBe(true);
    }
  },
);
