import { createHash } from 'node:crypto';
import type { RequestModel, VerificationProof } from '@insurance-verification/schema';
import { createSealKey, openStore, readSealKey, sealLines } from '@insurance-verification/store';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aKey, anAccount } from '../a-key.ts';
import { startTestService, type TestService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { rows } from '../rows.ts';
import { transports } from '../transports.ts';
import { aLease } from '../verification/work.ts';

let service: TestService;
beforeAll(async () => {
  // Without a key of its own it seals nothing before a test does.
  service = await startTestService();
});
afterAll(() => service.stop());

const QUOTE = 'Jane Doe is active';
const REFERENCE = 'Call 88-1042, representative Morgan';

/** A request of an account of its own, answered on the phone and delivered. */
async function aCall() {
  const receiver = await aReceiver();
  const { account_id: accountId } = await anAccount(service, { name: 'A clinic that files' });
  const key = await aKey(service, ['requests'], accountId);
  const verifier = await aKey(service, ['verify']);
  const { request_id } = await aStoredRequest(
    service,
    { callback_url: receiver.url, cpt_code_coverage: ['D0120', 'D2750'] },
    key,
  );
  const lease = await service.answer<{ request: RequestModel; lease_token: string }>(
    'POST',
    `/work/${request_id}/claim`,
    { channels: ['manual_phone_call'] },
    verifier,
  );
  const { insurance_data } = anOutput(lease.request, { notes: QUOTE });
  await service.answer(
    'POST',
    `/work/${request_id}/submit`,
    {
      lease_token: lease.lease_token,
      insurance_data: insurance_data.map((one) => ({ ...one, verification_source: 'manual_phone_call' })),
      reference: REFERENCE,
      provenance: [{ field: '/0/plan_info/eligibility_status', source: 'Morgan', quote: QUOTE }],
    },
    verifier,
  );
  const [webhook] = await receiver.first();
  await until('it is on record that it was taken', async () => {
    const { items } = await service.answer<{ items: { status: string }[] }>(
      'GET',
      `/requests/${request_id}/deliveries`,
    );
    return items[0]?.status === 'delivered';
  });
  return { request_id, accountId, key, body: webhook?.body ?? '' };
}

const SEAL_KEY = readSealKey(createSealKey());

async function sealEverything(): Promise<void> {
  const store = await openStore({
    connectionString: service.databaseUrl,
    encryptionKey: service.config.encryptionKey ?? '',
  });
  await sealLines(store, { key: SEAL_KEY }).finally(() => store.close());
}

describe.each(transports)('over $name', (transport) => {
  const call = (request_id: string, key?: string) =>
    transport.call(service, 'requests.proof', { request_id }, { ...(key !== undefined && { key }) });
  const proofOf = async (request_id: string, key?: string) =>
    transport.output<VerificationProof>(await call(request_id, key));

  // Breaks if a clinic cannot show that it asked before the treatment, and what it was told.
  test('the account that asked gets everything, with the digest of the bytes that were delivered', async () => {
    const { request_id, accountId, key, body } = await aCall();
    const proof = await proofOf(request_id, key);
    expect(proof).toMatchObject({
      request_id,
      account_id: accountId,
      payer: 'Payer Plan 1',
      cpt_code_coverage: ['D0120', 'D2750'],
      service_date: null,
      state: 'complete',
      error_reason: null,
      version: 1,
      attempt: {
        channel: 'manual_phone_call',
        outcome: 'succeeded',
        reference: REFERENCE,
        provenance: [{ source: 'Morgan', quote: QUOTE }],
      },
      coverages: [{ plan_info: { plan_name: 'Dental PPO', eligibility_status: 'Active' } }],
      benefits: { request_id, version: 1, coverages: [{ entry: 0, benefits: [] }] },
      versions: [{ version: 1, outcome: 'complete', applied_by: expect.stringMatching(/^key_/) }],
      delivery: { status: 'delivered', accepted_at: expect.any(String), status_code: 204 },
    });
    expect(proof.digest).toBe(createHash('sha256').update(body).digest('hex'));
    expect(proof.result).toEqual(JSON.parse(body));
    expect(proof.attempt).not.toHaveProperty('note');
    const logged = await rows(
      service.databaseUrl,
      `select account_id from access_log where request_id = $1 and operation = 'requests.proof'`,
      [request_id],
    );
    expect(logged).toEqual([{ account_id: accountId }]);
    expect(service.logLines.join('')).not.toMatch(/Jane Doe|Morgan/);
  });

  test('it names the seal over the entry of the result, says where there is no seal yet, and where the entry went', async () => {
    const { request_id, key } = await aCall();
    const sealOf = async () => (await proofOf(request_id, key)).seal;
    expect(await sealOf()).toEqual({ seal: null, sealed_at: null });
    await sealEverything();
    const [entry] = await rows<{ seal: number }>(
      service.databaseUrl,
      `select (select min(number) from audit_seal where last_id >= id)::int as seal from access_log
       where request_id = $1 and operation = 'work.submit'`,
      [request_id],
    );
    const sealed = await sealOf();
    expect(sealed).toEqual({ seal: entry?.seal, sealed_at: expect.stringMatching(/^20.+Z$/) });
    await sealEverything();
    expect(await sealOf()).toEqual(sealed);
    const [{ part } = { part: '' }] = await rows<{ part: string }>(
      service.databaseUrl,
      'select tableoid::regclass::text as part from access_log where request_id = $1 limit 1',
      [request_id],
    );
    await rows(service.databaseUrl, `alter table ${part} disable trigger user`);
    await rows(service.databaseUrl, `delete from ${part} where request_id = $1`, [request_id]);
    await rows(service.databaseUrl, `alter table ${part} enable trigger user`);
    expect(await sealOf()).toBeNull();
  });

  // The patient of somebody else's request is on no page before somebody asks for it by its own name.
  test('an operator gets it without the patient, what was said and its quotes', async () => {
    const { request_id, key, body } = await aCall();
    const answer = await call(request_id);
    const proof = transport.output<VerificationProof>(answer);
    expect(proof).toMatchObject({ result: null, benefits: null, attempt: { provenance: [] } });
    expect(answer.text).not.toContain('Jane Doe');
    expect(proof.digest).toBe(createHash('sha256').update(body).digest('hex'));
    expect((await proofOf(request_id, key)).digest).toBe(proof.digest);
  });

  test('no caller of another account; nothing before a result', async () => {
    const { request_id } = await aCall();
    const others = await call(request_id, await aKey(service, ['requests']));
    expect([others.status, others.json]).toEqual([404, transport.problem('not_found')]);
    const leased = await aLease(service, 'manual_phone_call');
    const early = await call(leased.request.request_id ?? '');
    expect([early.status, early.json]).toEqual([404, transport.problem('result_not_ready')]);
    const unknown = await call('req_01k9z8t5e6f7g8h9j0k1m2n3p4');
    expect([unknown.status, unknown.json]).toEqual([404, transport.problem('not_found')]);
  });

  test.each([
    [401, null, 'unauthorized'],
    [403, 'verify', 'forbidden'],
  ] as const)('%i for a key with scope %s', async (status, scope, code) => {
    const { request_id } = await aStoredRequest(service);
    const key = scope && (await aKey(service, [scope]));
    const answer = await transport.call(service, 'requests.proof', { request_id }, { key });
    const members = status === 403 ? { required_scopes: ['requests' as const, 'operate' as const] } : {};
    expect([answer.status, answer.json]).toEqual([status, transport.problem(code, members)]);
  });

  test('a request that was closed is proven without an attempt', async () => {
    const { request_id } = await aStoredRequest(service);
    await service.answer('POST', `/requests/${request_id}/close`, { reason: 'withdrawn' });
    expect(await proofOf(request_id)).toMatchObject({
      state: 'error_verifying',
      error_reason: 'withdrawn',
      attempt: null,
      coverages: [],
    });
  });
});
