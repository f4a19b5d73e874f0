import type { RequestModel } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { aFinding, anAgent, type HeldItem } from '@insurance-verification/testing/an-agent';
import { until } from '@insurance-verification/testing/until';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { aPayersFile } from '../a-payers-file.ts';
import { aService, BOOTSTRAP_KEY } from '../a-service.ts';
import { aCallback, ask, isChallenge, echo, type Occurrence, subscribe } from './a-callback.ts';

const PAYERS = [1, 2, 3, 4].map((number) => ({
  id: `plan-${number}`,
  name: `Payer Plan ${number}`,
  channels: ['agent_web_portal', 'manual_phone_call'],
}));

// Without it an agent would have to ask for work again and again, or keep a connection open for it.
test('an agent sleeps until an event wakes it, leases, and submits: it asks for nothing in vain', async () => {
  const service = await aService({ env: { PAYERS_FILE: aPayersFile(PAYERS) } });
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', service.url), {
    requestInit: { headers: { 'x-key': BOOTSTRAP_KEY } },
  });
  const agent = { ...(await anAgent(transport)), transport };
  const claimed: (string | null | undefined)[] = [];
  let endedCount = 0;
  const work = async ({ data: { payer } }: Occurrence) => {
    const asked = { payers: [payer], wait_seconds: 0 };
    const { item } = await agent.call<{ item: HeldItem | null }>('claim_next', asked);
    claimed.push(item?.request.request_id);
    if (!item) return;
    const { request_id } = item.request;
    await agent.call('submit_result', { request_id, insurance_data: [aFinding] });
    endedCount += 1;
  };

  // A subscription gets one event a payer in ten seconds: each round has its own.
  for (let round = 0; round < 5; round += 1) {
    const callback = await aCallback();
    callback.receiver.behave((webhook) => {
      if (!isChallenge(webhook)) void work(JSON.parse(webhook.body) as Occurrence);
      return echo()(webhook);
    });
    await subscribe(agent, callback);
    for (const [index, { name }] of PAYERS.entries()) {
      const request = aRequest({ payer_info: { name } });
      const posted = await service.answer<RequestModel>('POST', '/requests', request);
      await until('the agent submitted', () => endedCount === 4 * round + index + 1);
      expect(claimed.at(-1)).toBe(posted.request_id);
    }
    expect(callback.events().map(({ data }) => data)).toEqual(
      PAYERS.map(({ name }) => ({ payer: name, channel: 'agent_web_portal', count: 1 })),
    );
    const delivery = { mode: 'webhook', url: callback.receiver.url };
    await ask(agent, 'events/unsubscribe', { name: 'work.available', delivery });
  }
  expect(claimed).toHaveLength(20);
});
