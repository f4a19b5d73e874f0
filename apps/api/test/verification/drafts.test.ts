import type {
  DraftList,
  RequestDraft,
  RequestModel,
  SavedDraft,
  WorkDay,
  WorkItem,
} from '@insurance-verification/schema';
import { describe, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { aSession, BEHIND_A_PROXY } from '../staff/a-session.ts';
import { consoleTransport, type Transport, transports } from '../transports.ts';

const service = useService({ env: BEHIND_A_PROXY });

const LIMIT = 131_072;

/** Two verifiers, by key; each call names who calls. */
async function twoVerifiers(transport: Transport) {
  const keys = [await aKey(service, ['verify']), await aKey(service, ['verify'])] as const;
  const ask = async (who: 0 | 1, ...[operation, input]: [Parameters<Transport['call']>[1], object]) =>
    transport.call(service, operation, { ...input }, { key: keys[who] });
  const lease = async (who: 0 | 1, { request_id }: RequestModel) => {
    const answer = await ask(who, 'work.claimRequest', { request_id, channels: ['manual_phone_call'] });
    return transport.output<WorkItem>(answer);
  };
  return { ask, lease };
}

describe.each(transports)('over $name', (transport) => {
  test('a draft is saved, read, listed, changed and discarded', async () => {
    const { ask, lease } = await twoVerifiers(transport);
    const request = await aStoredRequest(service);
    const { request_id } = request;
    await lease(0, request);
    const saved = await ask(0, 'drafts.save', { request_id, content: 'a', revision: null });
    const { revision } = transport.output<SavedDraft>(saved);
    expect([saved.status, saved.json]).toEqual([
      200,
      transport.success({ request_id, revision: expect.any(Number), saved_at: expect.any(String) }),
    ]);
    const second = await ask(0, 'drafts.save', { request_id, content: 'b', revision: null });
    expect([second.status, second.json]).toEqual([409, transport.problem('draft_changed')]);
    const { draft } = transport.output<RequestDraft>(await ask(0, 'drafts.get', { request_id }));
    expect([draft?.content, draft?.revision, draft?.written_by_name]).toEqual(['a', revision, null]);
    const { items } = transport.output<DraftList>(await ask(0, 'drafts.list', {}));
    expect(items).toEqual([
      {
        request_id,
        payer: request.input.payer_info.name,
        patient_initials: 'J. D.',
        saved_at: draft?.saved_at,
        expires_at: expect.any(String),
        is_leased: true,
      },
    ]);
    expect(transport.output<WorkDay>(await ask(0, 'work.day', {}))).toMatchObject({ draft_count: 1 });
    const discarded = await ask(0, 'drafts.discard', { request_id, revision });
    expect(discarded.json).toEqual(transport.success({ request_id, status: 'discarded' }));
    const gone = await ask(0, 'drafts.get', { request_id });
    expect(gone.json).toEqual(transport.success({ draft: null }));
  });

  test('the next holder of the lease reads and replaces it, and the one before cannot', async () => {
    const { ask, lease } = await twoVerifiers(transport);
    const request = await aStoredRequest(service);
    const { request_id } = request;
    const { lease_token } = await lease(0, request);
    await ask(0, 'drafts.save', { request_id, content: 'left', revision: null });
    await ask(0, 'work.release', { request_id, lease_token });
    const none = await ask(1, 'drafts.get', { request_id });
    expect([none.status, none.json]).toEqual([404, transport.problem('not_found')]);
    await lease(1, request);
    const { draft } = transport.output<RequestDraft>(await ask(1, 'drafts.get', { request_id }));
    expect(draft?.content).toBe('left');
    const { revision } = draft ?? {};
    const saved = await ask(1, 'drafts.save', { request_id, content: 'continued', revision });
    expect(saved.status).toBe(200);
    for (const [operation, input] of [
      ['drafts.save', { content: 'late', revision }],
      ['drafts.discard', { revision }],
    ] as const) {
      const lost = await ask(0, operation, { request_id, ...input });
      expect([lost.status, lost.json]).toEqual([409, transport.problem('lease_lost')]);
    }
    expect(transport.output<DraftList>(await ask(0, 'drafts.list', {})).items).toEqual([]);
  });

  test('a draft is 131,072 characters at most, and none is saved about a finished request', async () => {
    const { ask, lease } = await twoVerifiers(transport);
    const request = await aStoredRequest(service);
    const { request_id } = request;
    await lease(0, request);
    const fits = await ask(0, 'drafts.save', { request_id, content: 'x'.repeat(LIMIT), revision: null });
    expect(fits.status).toBe(200);
    const large = await ask(0, 'drafts.save', { request_id, content: 'x'.repeat(LIMIT + 1), revision: null });
    expect(large.status).toBe(422);
    await service.answer('POST', `/requests/${request_id}/close`, { reason: 'withdrawn' });
    const late = await ask(0, 'drafts.save', { request_id, content: 'x', revision: null });
    expect([late.status, late.json]).toEqual([409, transport.problem('request_finished')]);
  });
});

test('a draft names the person who saved it last', async () => {
  const [first, next] = [
    await aSession(service, { name: 'Ann First', roles: ['verifier'] }),
    await aSession(service, { name: 'Ben Next', roles: ['verifier'] }),
  ];
  const { request_id } = await aStoredRequest(service);
  const claimed = { request_id, channels: ['manual_phone_call'] };
  const call = async <T>(
    who: typeof first,
    ...[operation, input]: [Parameters<Transport['call']>[1], object]
  ) => consoleTransport.output<T>(await consoleTransport.call(service, operation, { ...input }, who.asked));
  const { lease_token } = await call<WorkItem>(first, 'work.claimRequest', claimed);
  await call(first, 'drafts.save', { request_id, content: 'left', revision: null });
  await call(first, 'work.release', { request_id, lease_token });
  await call(next, 'work.claimRequest', claimed);
  const { draft } = await call<RequestDraft>(next, 'drafts.get', { request_id });
  expect([draft?.written_by, draft?.written_by_name]).toEqual([first.staff_id, 'Ann First']);
});

describe.each(transports)('over $name', (transport) => {
  // Without it a verifier whose browser ended would wait for their own lease to lapse.
  test('a caller takes over only its own lease', async () => {
    const [key, other] = [await aKey(service, ['verify']), await aKey(service, ['verify'])];
    const { request_id } = await aStoredRequest(service);
    const input = { request_id, channels: ['manual_phone_call'] };
    const claim = (by: string, changes: object = {}) =>
      transport.call(service, 'work.claimRequest', { ...input, ...changes }, { key: by });
    const { lease_token, lease_expires_at } = transport.output<WorkItem>(await claim(key));
    const lease = { holder_name: null, expires_at: lease_expires_at, place: null };
    expect((await claim(key)).json).toEqual(transport.problem('request_leased', { lease }));
    expect((await claim(other, { take_over: true })).json).toEqual(
      transport.problem('request_leased', { lease }),
    );
    const again = transport.output<WorkItem>(await claim(key, { take_over: true }));
    expect(again.attempt).toBe(1); // a page that is loaded again is no attempt of its own
    const stale = await transport.call(service, 'work.heartbeat', { request_id, lease_token }, { key });
    expect(stale.json).toEqual(transport.problem('lease_lost'));
  });
});
