import { PROBLEMS } from '@insurance-verification/schema';
import { openStore } from '@insurance-verification/store';
import { aFinding } from '@insurance-verification/testing/an-agent';
import { expect, test } from 'vitest';
import { MASTER_KEY } from '../master-key.ts';
import { useMcpService } from './an-mcp-service.ts';

const service = useMcpService();

const post = () => service().post();

// Without it an agent could report a person's phone call, an unknown payer, or another patient.
test(
  'the tools take only agent channels, the service’s payers and the leased patient',
  { timeout: 60_000 },
  async () => {
    const agent = await service().agent();
    const requestId = await post();
    expect(await agent.refusal('claim_next', { channels: ['manual_phone_call'] })).toMatch(/channels/);
    expect(await agent.refusal('claim_next', { payers: ['Nobody'] })).toMatch(/payers/);
    await agent.claim('Payer Plan 1');
    const submit = (entry: object) =>
      agent.refusal('submit_result', { request_id: requestId, insurance_data: [{ ...aFinding, ...entry }] });
    expect(await submit({ patient_info: { subscriber_id: 'X' } })).toContain('not_the_patient');
    expect(await submit({ plan_info: { payer_name: 'Nobody' } })).toMatch(/payer_name/);
    const initial = {
      ...aFinding,
      patient_info: { subscriber_id: 'W123456789', dob: '1984-05-17', name: 'Doe, J' },
    };
    expect(await submit(initial)).toContain('patient_unconfirmed');
    const confirmed = { request_id: requestId, insurance_data: [initial], same_patient_confirmed: true };
    expect(await agent.call('submit_result', confirmed)).toMatchObject({ status: 'applied' });
  },
);

/** What an erasure leaves of a request; its own tests are the store's. */
async function erase(connectionString: string, requestId: string): Promise<void> {
  const store = await openStore({ connectionString, encryptionKey: MASTER_KEY });
  await store.db
    .updateTable('request')
    .set({ input: Buffer.alloc(0), erased_at: new Date() })
    .where('id', '=', requestId)
    .execute();
  await store.close();
}

// Broke: an erased patient was shown from memory for up to an hour, and a heartbeat's 410 was no loss.
test(
  'of a leased request whose data was erased no tool shows anything, and the agent is asked to stop',
  { timeout: 60_000 },
  async () => {
    const { databaseUrl } = service();
    for (const tool of ['get_request', 'heartbeat', 'submit_result', 'release', 'fail']) {
      const agent = await service().agent();
      await post();
      const { request } = await agent.claim('Payer Plan 1');
      const request_id = request.request_id;
      await erase(databaseUrl, request_id ?? '');
      const rest = {
        submit_result: { insurance_data: [aFinding] },
        fail: { error_reason: 'member_not_found' },
      }[tool];
      const refusals = [await agent.refusal(tool, { request_id, ...rest })];
      for (const other of ['get_request', 'heartbeat'])
        refusals.push(await agent.refusal(other, { request_id }));
      for (const refusal of refusals) {
        expect(refusal, tool).toContain('request_erased');
        expect(refusal).not.toMatch(/Jane|W123456789|1984/);
      }
      expect(refusals[2]).toContain('Stop working on it, and forget what it said');
    }
  },
);

// Without it an agent that was given an id of last year would try again, or take the patient for a wrong one.
test('of a request whose data was erased it answers a sentence', { timeout: 60_000 }, async () => {
  const agent = await service().agent();
  const requestId = await post();
  const { client, databaseUrl: connectionString } = service();
  await client.requests.close({ request_id: requestId, reason: 'withdrawn' });
  await erase(connectionString, requestId);
  const refusal = await agent.refusal('get_request', { request_id: requestId });
  expect(JSON.parse(refusal)).toEqual({
    error: expect.stringContaining(PROBLEMS.request_erased.sentence),
    problem: 'request_erased',
  });
  for (const tool of ['heartbeat', 'release'])
    expect(await agent.refusal(tool, { request_id: requestId })).toContain('lease_lost');
});

// A misspelt argument would be dropped, and the result be sent without it.
test('an unknown argument is refused by name, at any depth', { timeout: 60_000 }, async () => {
  const agent = await service().agent();
  const submit = (entry: object, beside: object = {}) =>
    agent.refusal('submit_result', { request_id: 'req_x', insurance_data: [entry], ...beside });
  expect(await submit(aFinding, { lease_token: 'x' })).toMatch(
    /Unknown: lease_token\. Known here: request_id, insurance_data, benefits, note, reference, same_patient_confirmed, provenance\./,
  );
  expect(await submit({ ...aFinding, verification_source: 'api' })).toMatch(
    /insurance_data\.0: Unknown: verification_source/,
  );
  expect(await submit({ plan_info: { plan_nmae: 'PPO' } })).toMatch(/plan_info: Unknown: plan_nmae/);
  expect(await submit({ ...aFinding, patient_info: { subscriber_id: 'x', dbo: '' } })).toMatch(
    /Unknown: dbo/,
  );
  const refused = (benefit: object) => submit(aFinding, { benefits: [{ entry: 0, benefits: [benefit] }] });
  expect(await refused({ kind: 'copayment', amout: '25' })).toMatch(/benefits\.0: Unknown: amout/);
  expect(await refused({ kind: 'copayment', service: { type: [] } })).toMatch(/service: Unknown: type\./);
  expect(await refused({ kind: 'copayment', service: { types: [{ cod: '98' }] } })).toMatch(/Unknown: cod\./);
  expect(await refused({ kind: 'copayment', amount: 25 })).toMatch(/amount.*decimal number as text/);
  expect(await submit(aFinding, { benefits: [{ entry: 0, group: '7', benefits: [] }] })).toMatch(
    /Unknown: group\./,
  );
  const named = { request_id: 'req_x' };
  for (const [tool, args] of [
    ['claim_next', {}],
    ['get_request', named],
    ['heartbeat', named],
    ['fail', { ...named, error_reason: 'member_not_found' }],
    ['release', named],
    ['work_stats', {}],
  ] as const)
    expect(await agent.refusal(tool, { ...args, unheard_of: 1 })).toContain('Unknown: unheard_of');
});
