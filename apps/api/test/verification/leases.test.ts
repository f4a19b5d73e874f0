import type { CallBackList, VerificationAttemptList, WorkItem } from '@insurance-verification/schema';
import { anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import { describe, expect, test } from 'vitest';
import { useService } from '../a-service.ts';
import { transports } from '../transports.ts';
import { PHONE, PORTAL, portalThenPhone } from './portal-then-phone.ts';
import { aFinding, aLease, claim, lapse } from './work.ts';

const service = useService(() => ({ env: portalThenPhone() }));

describe.each(transports)('the work over $name', (transport) => {
  const call = (...[operation, input, options]: [Parameters<typeof transport.call>[1], object?, object?]) =>
    transport.call(service, operation, { ...input }, options);

  test('a heartbeat renews the lease', async () => {
    const item = await aLease(service, PORTAL);
    const answer = await call('work.heartbeat', {
      request_id: item.request.request_id,
      lease_token: item.lease_token,
    });
    const { lease_expires_at: until_ } = transport.output<{ lease_expires_at: string }>(answer);
    expect(Date.parse(until_)).toBeGreaterThanOrEqual(Date.parse(item.lease_expires_at));
  });

  test('a released request is there for the next', async () => {
    const item = await aLease(service, PORTAL);
    const { request_id } = item.request;
    const answer = await call('work.release', {
      request_id,
      lease_token: item.lease_token,
      reason: 'Lunch.',
    });
    expect([answer.status, answer.json]).toEqual([200, transport.success({ status: 'released' })]);
    const again = await claim(service, [PORTAL], { max: 50 });
    expect(again.map(({ request }) => request.request_id)).toContain(request_id);
  });

  test('a call-back is listed, and refused at its time where it is late or not by phone', async () => {
    const read = await aLease(service, PORTAL);
    const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();
    const callBack = (item: WorkItem, at: string) =>
      call('work.callBack', { request_id: item.request.request_id, lease_token: item.lease_token, at });
    const refused = async (answer: ReturnType<typeof callBack>, msg: string, type: string) => {
      const { status, json } = await answer;
      expect([status, json]).toEqual([422, transport.invalid({ loc: ['body', 'at'], msg, type })]);
    };
    const portal = 'Only a request that is verified by phone has a call-back';
    await refused(callBack(read, minutes(5)), portal, 'not_by_phone');
    await call('work.fail', {
      request_id: read.request.request_id,
      lease_token: read.lease_token,
      error_reason: 'portal_maintenance',
    });
    const [spoken] = await claim(service, [PHONE]);
    if (!spoken) throw new Error('Nothing waits for the phone.');
    const ahead = 'A call-back is in the next 14 days';
    await refused(callBack(spoken, minutes(-1)), ahead, 'call_back_not_ahead');
    const at = minutes(5);
    const parked = await callBack(spoken, at);
    expect([parked.status, parked.json]).toEqual([200, transport.success({ status: 'parked' })]);
    const { items } = transport.output<CallBackList>(await call('work.callBacks'));
    expect(items.map(({ request_id, call_back_at, who }) => [request_id, call_back_at, who])).toContainEqual([
      spoken.request.request_id,
      at,
      'anyone',
    ]);
  });

  test('a lost lease is 409, an unknown request 404, and neither changes anything', async () => {
    const item = await aLease(service, PORTAL);
    const { request_id } = item.request;
    const leased = {
      'work.heartbeat': {},
      'work.release': {},
      'work.fail': { error_reason: 'payer_unavailable' },
      'work.submit': { insurance_data: [aFinding(item)] },
      'work.callBack': { at: new Date(Date.now() + 60_000).toISOString() },
    } as const;
    for (const [operation, input] of Object.entries(leased) as [keyof typeof leased, object][]) {
      const lost = await call(operation, { ...input, request_id, lease_token: 'stale' });
      expect([operation, lost.status, lost.json]).toEqual([operation, 409, transport.problem('lease_lost')]);
      const unknown = await call(operation, { ...input, request_id: 'req_x', lease_token: item.lease_token });
      expect([operation, unknown.status, unknown.json]).toEqual([
        operation,
        404,
        transport.problem('not_found'),
      ]);
      expect((await call(operation, { ...input, request_id })).status).toBe(422);
    }
    expect((await call('work.heartbeat', { request_id, lease_token: item.lease_token })).status).toBe(200);
  });
});

// A killed verifier's request must not wait for somebody to notice.
test('a lapsed lease comes back by itself', async () => {
  const item = await aLease(service, PORTAL);
  await lapse(service, item.request.request_id);
  await until('its attempt has ended', async () => {
    const { items } = await service.answer<VerificationAttemptList>(
      'GET',
      `/requests/${item.request.request_id}/attempts`,
    );
    return items.at(-1)?.outcome === 'lease_expired';
  });
  const again = await claim(service, [PORTAL], { max: 50 });
  expect(again.map(({ request }) => request.request_id)).toContain(item.request.request_id);
});

test('an output voids the lease', async () => {
  const item = await aLease(service, PORTAL);
  await service.answer('POST', '/verification-output', anOutput(item.request));
  const path = `/work/${item.request.request_id}/heartbeat`;
  expect((await service.ask('POST', path, { body: { lease_token: item.lease_token } })).status).toBe(409);
});
