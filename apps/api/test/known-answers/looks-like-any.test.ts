import type { SeededRequest, WorkItem } from '@insurance-verification/schema';
import type { OperationName } from '@insurance-verification/schema/contract';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { aRequest } from '@insurance-verification/testing/a-request';
import { aFinding as anAgentsFinding } from '@insurance-verification/testing/an-agent';
import { until } from '@insurance-verification/testing/until';
import { expect, test } from 'vitest';
import { useMcpService } from '../mcp/an-mcp-service.ts';
import { rows } from '../rows.ts';
import { transports } from '../transports.ts';
import { aFinding } from '../verification/work.ts';

const service = useMcpService();

const ANSWER = { eligibility_status: 'Active', plan_name: 'Dental PPO' };

/** A day and a time that are the same for both kinds. */
const WHEN = {
  'service-date': new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
  'needed-by': new Date(Date.now() + 7_200_000).toISOString(),
};

async function post(path: string, body: object): Promise<string> {
  const answer = await service().ask('POST', path, { body, headers: WHEN });
  expect([answer.status, answer.headers]).toEqual([200, expect.objectContaining(WHEN)]);
  return (answer.json as SeededRequest).request_id;
}

/** The two kinds of requests, each made with the same input: the ordinary one is delivered to this address. */
const KINDS = {
  ordinary: (callback_url: string) => post('/requests/', aRequest({ callback_url })),
  seeded: (callback_url: string) =>
    post('/known-answers', { request: aRequest({ callback_url }), answer: ANSWER }),
};

/**
 * An answer without what differs between any two requests: ids, tokens, times, and what the last
 * day's figures gain by each. */
const withoutOwn = (text: string): string =>
  text
    .replaceAll(/\b(req|held|key|msg)_[0-9a-z]{26}\b/g, '$1_…')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'token')
    .replaceAll(/"[^"]*T\d\d:\d\d:\d\d[^"]*"/g, '"time"')
    .replaceAll(/_seconds":[\d.]+/g, '_seconds":0')
    .replaceAll(/(succeeded_count|_p\d\d|_share)":(null|[\d.]+)/g, '$1":0');

/** Waits until the receiver of an ordinary request has accepted its result, so that both seem received. */
const untilReceived = (requestId: string) =>
  until('its result is received', async () => {
    const found = await rows(
      service().databaseUrl,
      `select from request where id = $1 and (delivery = 'delivered' or exists (
         select from known_answer where request_id = id))`,
      [requestId],
    );
    return found.length > 0;
  });

// Without it a verifier would be careful only with the requests that measure them.
test.each(transports)('a verifier sees no difference over $name', async (transport) => {
  const { url } = await aReceiver();
  const seen: Record<string, string[]> = {};
  for (const [kind, make] of Object.entries(KINDS)) {
    const { key } = await service().aKey();
    const made = await make(url);
    // Past the agents' channel, which comes first.
    await rows(
      service().databaseUrl,
      `update work_queue set channel = 'manual_phone_call', channel_entered_at = now() where request_id = $1`,
      [made],
    );
    const answers: string[] = [];
    const call = async (operation: OperationName, input: object = {}) => {
      const answer = await transport.call(service(), operation, { ...input }, { key });
      answers.push(`${operation} ${answer.status} ${withoutOwn(answer.text)}`);
      answers.push(Object.keys(answer.headers).join(' '));
      return answer;
    };
    const ref = { request_id: made };
    const channels = ['manual_phone_call'];
    await call('work.stats');
    const item = transport.output<WorkItem>(await call('work.claimRequest', { ...ref, channels }));
    // Broke: a seeded request was known by null in both.
    expect([item.service_date, item.needed_by]).toEqual([WHEN['service-date'], WHEN['needed-by']]);
    const lease = { ...ref, lease_token: item.lease_token };
    await call('work.heartbeat', lease);
    await call('work.release', lease);
    const again = transport.output<{ items: [WorkItem] }>(await call('work.claim', { channels })).items[0];
    expect(again.request.request_id).toBe(made);
    const found = { ...ref, lease_token: again.lease_token, insurance_data: [aFinding(again)] };
    await call('work.submit', found);
    await untilReceived(made);
    await call('work.submit', found);
    await call('work.done');
    await call('work.day');
    await call('work.correct', {
      ...ref,
      insurance_data: [aFinding(again, { notes: 'Right.' })],
      reason: 'I read the line above.',
    });
    await call('requests.get', ref);
    await call('requests.result', ref);
    await call('requests.attempts', ref);
    await call('requests.benefits', ref);
    await call('requests.view', ref);
    await call('knownAnswers.list');
    seen[kind] = answers;
  }
  expect(seen['seeded']).toEqual(seen['ordinary']);
});

test('an agent sees no difference over MCP', async () => {
  const { url } = await aReceiver();
  const seen: Record<string, string[]> = {};
  for (const [kind, make] of Object.entries(KINDS)) {
    const { key } = await service().aKey();
    const agent = await service().agent({ 'x-key': key });
    const made = await make(url);
    const named = { request_id: made };
    const item = await agent.claim('Payer Plan 1');
    expect(item.request.request_id).toBe(made);
    const answers = [
      item,
      await agent.call('heartbeat', named),
      await agent.call('get_request', named),
      await agent.call('submit_result', { ...named, insurance_data: [anAgentsFinding] }),
      await agent.refusal('heartbeat', named),
    ];
    seen[kind] = answers.map((answer) => withoutOwn(JSON.stringify(answer)));
  }
  expect(seen['seeded']).toEqual(seen['ordinary']);
});
