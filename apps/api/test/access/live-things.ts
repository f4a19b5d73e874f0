import type {
  CreatedApiKey,
  CreatedEndpoint,
  Erasure,
  LegalHold,
  OutputReceipt,
  ReceivedBatch,
  RequestModel,
} from '@insurance-verification/schema';
import { openStore, keepX12Exchanges } from '@insurance-verification/store';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { anAccount } from '../a-key.ts';
import type { TestService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { rows } from '../rows.ts';
import { aPerson, aSession } from '../staff/a-session.ts';
import { aLease } from '../verification/work.ts';

/** One thing of each kind that belongs to a live account, with its identifiers. */
export interface LiveThings {
  readonly waiting: RequestModel & { request_id: string };
  readonly leased: Awaited<ReturnType<typeof aLease>>;
  readonly finished: RequestModel & { request_id: string };
  readonly accountId: string;
  readonly keyId: string;
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly batchId: string;
  /** A person of the account, and a signed-in person of the platform. */
  readonly staffIds: readonly string[];
  readonly sessionId: string;
  /** A correction, an output for an unknown request, and an anonymous output for a request. */
  readonly heldIds: readonly string[];
  /** Asked for, of the waiting request. */
  readonly erasureId: string;
  /** On the finished one. */
  readonly holdId: string;
}

export const PATIENT = 'W-OF-A-PATIENT';
export const KEY = 'visit-of-a-patient';
const OF_PATIENT = {
  patient_info: { subscriber_id: PATIENT, dob: '1984-05-17', name: 'Jane Doe', address: null },
};

export async function liveThings(service: TestService): Promise<LiveThings> {
  const { account_id: accountId } = await anAccount(service, { name: 'A live clinic' });
  const { key, key_id: keyId } = await service.answer<CreatedApiKey>('POST', '/keys', {
    account_id: accountId,
    scopes: ['requests'],
  });
  const leased = await aLease(service, 'manual_phone_call', OF_PATIENT);
  const finished = await aStoredRequest(service, OF_PATIENT, key);
  await service.answer('POST', '/verification-output', anOutput(finished));
  const [delivery] = await rows<{ id: string }>(
    service.databaseUrl,
    `with unqueued as (delete from delivery_queue where request_id = $1)
     update delivery set status = 'exhausted', reason = 'webhook_exhausted', done_at = now() where request_id = $1
     returning id`,
    [finished.request_id],
  );
  const store = await openStore({
    connectionString: service.databaseUrl,
    encryptionKey: service.config.encryptionKey ?? '',
  });
  await keepX12Exchanges(store, [
    {
      requestId: finished.request_id,
      accountId,
      payerId: 'plan-1',
      controlNumber: Number.parseInt(finished.request_id.slice(-5), 36) % 1_000_000,
      startedAt: new Date(),
      durationMs: 1,
      statusCode: 200,
      errorReason: null,
      payerCodes: [],
      inquiry: 'ISA*asked~',
      answer: Buffer.from('ISA*answered~'),
    },
  ]).finally(() => store.close());
  const created = await service.ask('POST', '/requests/', {
    body: aRequest(OF_PATIENT),
    key,
    headers: { 'idempotency-key': KEY },
  });
  const waiting = created.json as LiveThings['waiting'];
  const hold = (output: object) =>
    service
      .answer<OutputReceipt>('POST', '/verification-output', output)
      .then(({ held_id }) => held_id ?? '');
  const correction = await hold(anOutput(finished, { insurance_data: [] }));
  const stray = await hold(anOutput(waiting, { request_id: `of another system ${accountId}` }));
  await service.ask('POST', '/verification-output', { body: anOutput(waiting), key: null });
  const [strangers] = await rows<{ id: string }>(
    service.databaseUrl,
    'select id from held_output where named_request_id = $1',
    [waiting.request_id],
  );
  const heldIds = [correction, stray, strangers?.id ?? ''];
  const staffIds = [];
  for (const account_id of [accountId, null])
    staffIds.push((await aPerson(service, { account_id })).staff_id);
  const { session_id: sessionId } = await aSession(service, {});
  const deliveryId = delivery?.id ?? '';
  const { erasure_id: erasureId } = await service.answer<Erasure>(
    'POST',
    `/requests/${waiting.request_id}/erase`,
    { reason: 'wrong_patient' },
  );
  const { hold_id: holdId } = await service.answer<LegalHold>('POST', '/holds', {
    request_id: finished.request_id,
    reason: `Of ${PATIENT}`,
  });
  const { json: endpoint } = await service.ask('POST', '/endpoints', {
    body: { url: 'http://127.0.0.1:9/events', types: ['request.failed'] },
    key,
  });
  const { endpoint_id: endpointId } = endpoint as CreatedEndpoint;
  const { json: batch } = await service.ask('POST', '/batches', {
    body: `${JSON.stringify(aRequest(OF_PATIENT))}\n`,
    key,
    headers: { 'idempotency-key': KEY, 'content-type': 'application/x-ndjson' },
  });
  const { batch_id: batchId } = batch as ReceivedBatch;
  const ids = { accountId, keyId, deliveryId, endpointId, batchId, staffIds, sessionId, erasureId, holdId };
  return { heldIds, waiting, leased, finished, ...ids };
}
