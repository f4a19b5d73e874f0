import { ReportSubject } from '@insurance-verification/schema';
import type { OperationName } from '@insurance-verification/schema/contract';
import { anOutput } from '@insurance-verification/testing/an-output';
import { KEY, type LiveThings, PATIENT } from './live-things.ts';

type Ask = (things: LiveThings) => readonly Record<string, unknown>[];

/**
 * The test key's calls about the live things, by operation, written by hand: what could reach them is for a person to
 * think of. A missing operation does not compile.
 */
export const ASKS: Record<OperationName, Ask> = {
  'requests.create': () => [],
  'requests.list': () => [{}],
  'requests.search': ({ waiting, accountId }) => [
    idOf(waiting),
    { ...idOf(waiting), account_id: accountId },
    { idempotency_key: KEY },
    { idempotency_key: KEY, account_id: accountId },
    { subscriber_id: PATIENT },
    { subscriber_id: PATIENT, account_id: accountId },
    { account_id: accountId, state: 'pending' },
    { limit: 100 },
  ],
  'requests.view': ({ finished }) => [idOf(finished)],
  'requests.reveal': ({ finished }) => [idOf(finished)],
  'requests.erase': ({ waiting, finished }) =>
    [waiting, finished].map((request) => ({ ...idOf(request), reason: 'wrong_patient' })),
  'requests.readers': ({ finished }) => [idOf(finished)],
  'batches.create': () => [], // like requests.create
  'batches.list': () => [{}],
  'batches.template': () => [],
  'batches.get': ({ batchId }) => [{ batch_id: batchId }],
  'batches.errors': ({ batchId }) => [{ batch_id: batchId }],
  'batches.results': ({ batchId }) => [{ batch_id: batchId }],
  'batches.cancel': ({ batchId }) => [{ batch_id: batchId }],
  'payers.list': () => [{}],
  'payers.resolve': () => [{ text: 'Payer' }],
  'requests.get': ({ waiting, finished }) => [waiting, finished].map(idOf),
  'requests.result': ({ finished }) => [idOf(finished)],
  'requests.deliveries': ({ finished }) => [idOf(finished)],
  'requests.redeliver': ({ finished }) => [idOf(finished)],
  'requests.close': ({ waiting }) => [{ ...idOf(waiting), reason: 'withdrawn' }],
  'deliveries.list': ({ finished, accountId }) => [
    { limit: 100 },
    { status: 'exhausted', since: '2020-01-01T00:00:00Z' },
    { account_id: accountId },
    idOf(finished),
  ],
  'deliveries.get': ({ deliveryId }) => [{ delivery_id: deliveryId }],
  'deliveries.redeliverMatching': ({ accountId }) => [
    { dry_run: true, since: '2020-01-01T00:00:00Z' },
    { dry_run: true, since: '2020-01-01T00:00:00Z', account_id: accountId },
  ],
  'deliveries.redeliverExhausted': () => [{ dry_run: true, since: '2020-01-01T00:00:00Z' }],
  'receivers.list': () => [{}],
  'receivers.tryNow': () => [{ host: 'receiver.example' }],
  'events.list': ({ finished, accountId }) => [
    { limit: 100 },
    { account_id: accountId },
    { subject: finished.request_id },
  ],
  'endpoints.create': () => [],
  'endpoints.list': () => [{}],
  'endpoints.get': ({ endpointId }) => [{ endpoint_id: endpointId }],
  'endpoints.update': ({ endpointId }) => [{ endpoint_id: endpointId, enabled: false }],
  'endpoints.recover': ({ endpointId }) => [{ endpoint_id: endpointId }],
  'endpoints.end': ({ endpointId }) => [{ endpoint_id: endpointId }],
  'endpoints.rotate': ({ endpointId }) => [{ endpoint_id: endpointId }],
  'endpoints.test': ({ endpointId }) => [{ endpoint_id: endpointId }],
  'requests.attempts': ({ leased }) => [idOf(leased.request)],
  'requests.benefits': ({ finished }) => [idOf(finished)],
  'requests.exchanges': ({ finished }) => [idOf(finished)],
  'requests.proof': ({ finished }) => [idOf(finished)],
  'work.claim': () => [
    {
      channels: ['api', 'agent_web_portal', 'agent_phone_call', 'manual_web_portal', 'manual_phone_call'],
      max: 50,
    },
  ],
  'work.claimRequest': ({ waiting, leased }) =>
    [waiting, leased.request].map((request) => ({
      ...idOf(request),
      channels: ['manual_phone_call', 'agent_web_portal'],
    })),
  'work.heartbeat': ({ leased }) => [leaseOf(leased)],
  'work.startCall': ({ leased }) => [leaseOf(leased)],
  'work.endCall': ({ leased }) => [leaseOf(leased)],
  'work.correct': ({ leased }) => [{ ...idOf(leased.request), insurance_data: [], reason: 'A slip.' }],
  'work.takeBack': ({ waiting, leased }) => [idOf(waiting), idOf(leased.request)],
  'work.callBack': ({ leased }) => [{ ...leaseOf(leased), at: new Date(Date.now() + 60_000).toISOString() }],
  'work.callBacks': () => [{}],
  'work.release': ({ leased }) => [leaseOf(leased)],
  'work.fail': ({ leased }) => [{ ...leaseOf(leased), error_reason: 'member_not_found', final: true }],
  'work.submit': ({ leased }) => [{ ...leaseOf(leased), insurance_data: [] }],
  'work.stats': () => [{}],
  'work.payers': () => [{}],
  'work.day': () => [{}],
  'work.done': () => [{}],
  'drafts.list': () => [{ limit: 100 }],
  'drafts.get': ({ leased }) => [idOf(leased.request)],
  'drafts.save': ({ leased }) => [{ ...idOf(leased.request), content: 'x', revision: null }],
  'drafts.discard': ({ leased }) => [{ ...idOf(leased.request), revision: 1 }],
  'verificationOutput.submit': ({ waiting }) => [{ ...anOutput(waiting) }],
  'heldOutputs.list': () => [{ limit: 100 }],
  'requests.stats': () => [{}],
  'heldOutputs.stats': () => [{}],
  'heldOutputs.get': ({ heldIds }) => heldIds.map((held_id) => ({ held_id })),
  'heldOutputs.compare': ({ heldIds, waiting }) => [
    ...heldIds.map((held_id) => ({ held_id })),
    ...heldIds.map((held_id) => ({ held_id, request_id: waiting.request_id })),
  ],
  'heldOutputs.apply': ({ heldIds, waiting }) => [
    ...heldIds.map((held_id) => ({ held_id })),
    ...heldIds.map((held_id) => ({ held_id, request_id: waiting.request_id })),
  ],
  'heldOutputs.dismiss': ({ heldIds }) => heldIds.map((held_id) => ({ held_id })),
  'heldOutputs.dismissMany': () =>
    ['superseding', 'unmatched', 'untrusted', 'input_mismatch'].map((reason) => ({ reason })),
  'keys.create': ({ accountId }) => [{ account_id: accountId, scopes: ['requests'] }],
  'keys.list': () => [{ limit: 100 }],
  'keys.revoke': ({ keyId }) => [{ key_id: keyId }],
  'accounts.create': () => [{ name: 'x', mode: 'live' }, { name: 'x' }],
  'accounts.list': () => [{ limit: 100 }],
  'accounts.suspend': ({ accountId }) => [{ account_id: accountId }],
  'accounts.resume': ({ accountId }) => [{ account_id: accountId }],
  'accounts.limits': ({ accountId }) => [{ account_id: accountId }],
  'accounts.setLimits': ({ accountId }) => [
    {
      account_id: accountId,
      policies: { intake: { quota: 1, window_seconds: 60 } },
      allowed_cidrs: ['127.0.0.0/8'],
    },
  ],
  'accounts.retention': ({ accountId }) => [{ account_id: accountId }],
  'accounts.setRetention': ({ accountId }) => [{ account_id: accountId, retention_days: 3 }],
  'demo.playDay': () => [], // makes accounts of its own
  'demo.clearDay': () => [],
  'accounts.confirmRetention': ({ accountId }) => [{ account_id: accountId, retention_days: 3 }],
  'demo.play': () => [], // like requests.create: a new request of the test account
  'erasures.list': () => [{ limit: 100 }],
  'erasures.confirm': ({ erasureId }) => [{ erasure_id: erasureId, member_id_ending: PATIENT.slice(-4) }],
  'holds.list': () => [{ limit: 100 }],
  'holds.place': ({ accountId, waiting }) => [
    { account_id: accountId, reason: 'x' },
    { ...idOf(waiting), reason: 'x' },
  ],
  'holds.end': ({ holdId }) => [{ hold_id: holdId }],
  'staff.add': ({ accountId }) => [
    { name: 'x', roles: ['requester'], account_id: accountId },
    { name: 'x', roles: ['operator'] },
  ],
  'staff.list': () => [{ limit: 100 }],
  'staff.setRoles': ({ staffIds }) => staffIds.map((staff_id) => ({ staff_id, roles: ['viewer'] })),
  'staff.link': ({ staffIds }) => staffIds.map((staff_id) => ({ staff_id })),
  'staff.end': ({ staffIds }) => staffIds.map((staff_id) => ({ staff_id })),
  'sessions.me': () => [{}],
  'sessions.accounts': () => [{ limit: 100 }, { name: 'e' }],
  'sessions.list': () => [{ limit: 100 }],
  'sessions.end': ({ sessionId }) => [{ session_id: sessionId }],
  'sessions.breakGlass': ({ sessionId }) => [{ session_id: sessionId, reason: 'An emergency of tests' }],
  'passkeys.list': () => [{}],
  'passkeys.begin': () => [{}],
  'passkeys.add': () => [{ token: 'x', name: 'x', credential: {} }],
  'passkeys.end': () => [{ passkey_id: 'pky_01jdabcdefghjkmnpqrstvwxyz' }],
  'settings.get': () => [{}],
  'settings.set': () => [{ density: 'roomy' }],
  'audit.list': ({ waiting, accountId, keyId }) => [
    { limit: 100 },
    { request_id: waiting.request_id },
    { account_id: accountId },
    { key_id: keyId },
    { name: 'e' },
  ],
  'audit.export': ({ waiting, keyId }) => [
    { format: 'csv' },
    { format: 'ndjson', request_id: waiting.request_id },
    { key_id: keyId },
  ],
  'audit.seals': () => [{ limit: 100 }],
  'audit.verify': () => [{}],
  'knownAnswers.create': () => [],
  'knownAnswers.list': () => [{ limit: 100 }],
  'knownAnswers.report': () => [{}],
  'reports.responseTimes': () => [{}],
  'reports.askedCodes': ({ accountId }) => [{}, { account_id: accountId }],
  'reports.get': ({ accountId }) =>
    ReportSubject.options.flatMap((of) => [{ of }, { of, account_id: accountId }]),
  'webhookSecret.get': () => [],
  'webhookSecret.rotate': () => [],
};

const idOf = ({ request_id }: { request_id: string }) => ({ request_id });
const leaseOf = ({ request, lease_token }: LiveThings['leased']) => ({ ...idOf(request), lease_token });
