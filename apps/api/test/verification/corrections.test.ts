import type { HeldOutputDetail, RequestView, ResponseModel, WorkItem } from '@insurance-verification/schema';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { until } from '@insurance-verification/testing/until';
import { describe, expect, test } from 'vitest';
import { useService } from '../a-service.ts';
import { rows } from '../rows.ts';
import { transports } from '../transports.ts';
import { PHONE, PORTAL, portalThenPhone } from './portal-then-phone.ts';
import { aFinding, aLease } from './work.ts';

const service = useService(() => ({ env: portalThenPhone() }));

describe.each(transports)('the corrections over $name', (transport) => {
  const call = (...[operation, input]: [Parameters<typeof transport.call>[1], object]) =>
    transport.call(service, operation, { ...input });

  /** A result that was submitted, by default to a receiver that does not answer. */
  async function aResult(url = 'http://127.0.0.1:9/hook') {
    const item = await aLease(service, PORTAL, { callback_url: url });
    const { request_id } = item.request;
    const lease = { request_id, lease_token: item.lease_token };
    await call('work.submit', { ...lease, insurance_data: [aFinding(item)] });
    return { item, request_id };
  }

  const right = (item: WorkItem) => ({
    insurance_data: [aFinding(item, { notes: 'Right.' })],
    reason: 'I read the line above.',
  });

  test('what is not delivered is corrected, and again is answered as before', async () => {
    const { item, request_id } = await aResult();
    for (const _ of ['first', 'again']) {
      const answer = await call('work.correct', { request_id, ...right(item) });
      expect([answer.status, answer.json]).toEqual([
        200,
        transport.success({ status: 'applied', version: 2 }),
      ]);
    }
  });

  test('what is delivered is corrected by an operator, who sees the reason', async () => {
    const receiver = await aReceiver();
    const { item, request_id } = await aResult(receiver.url);
    await receiver.first();
    await until('its delivery has ended', async () => {
      const [row] = await rows<{ delivery: string }>(
        service.databaseUrl,
        `select delivery from request where id = $1`,
        [request_id],
      );
      return row?.delivery === 'delivered';
    });
    const answer = await call('work.correct', { request_id, ...right(item) });
    const { held_id } = transport.output<{ held_id: string }>(answer);
    expect([answer.status, answer.json]).toEqual([200, transport.success({ status: 'held', held_id })]);
    const held = await service.answer<HeldOutputDetail>('GET', `/held-outputs/${held_id}`);
    expect(held).toMatchObject({ reason: 'superseding', correction: { reason: 'I read the line above.' } });
  });

  test('a result is corrected into a failure, and a failure into a result', async () => {
    const { item, request_id } = await aResult();
    const reason = 'I read the card of another member.';
    const failure = { request_id, error_reason: 'member_not_found', reason };
    expect((await call('work.correct', failure)).json).toEqual(
      transport.success({ status: 'applied', version: 2 }),
    );
    const resultOf = () => service.answer<ResponseModel>('GET', `/requests/${request_id}/result`);
    expect(await resultOf()).toMatchObject({
      request: { state: 'error_verifying', error_reason: 'member_not_found' },
      insurance_data: [],
    });
    expect((await call('work.correct', { request_id, ...right(item) })).json).toEqual(
      transport.success({ status: 'applied', version: 3 }),
    );
    expect(await resultOf()).toMatchObject({
      request: { state: 'complete' },
      insurance_data: [{ notes: 'Right.' }],
    });
    const { versions } = await service.answer<RequestView>('GET', `/requests/${request_id}/view`);
    const record = { channel: PORTAL, verified_by: versions[0]?.applied_by };
    expect(versions).toMatchObject([
      { outcome: 'complete', correction: null, verification: record },
      { outcome: 'error_verifying', correction: { reason }, verification: record },
      { outcome: 'complete', correction: { reason: 'I read the line above.' }, verification: record },
    ]);
    expect(new Set(versions.map(({ verification }) => verification?.ended_at)).size).toBe(1);
  });

  test('a correction has coverages or a reason of failure, not both and not none', async () => {
    const { item, request_id } = await aResult();
    const fault = transport.invalid({
      loc: ['body', 'insurance_data'],
      msg: 'Give either insurance_data or error_reason',
      type: 'one_of_two',
    });
    for (const input of [
      { ...right(item), error_reason: 'member_not_found' },
      { reason: 'Neither of them.' },
    ]) {
      const answer = await call('work.correct', { request_id, ...input });
      expect([answer.status, answer.json]).toEqual([422, fault]);
    }
  });

  test('a failure that passed the request on is taken back, and then not again', async () => {
    const item = await aLease(service, PORTAL);
    const { request_id } = item.request;
    const failed = { request_id, lease_token: item.lease_token, error_reason: 'portal_two_factor' };
    const passed = transport.success({ status: 'next_channel', next_channel: PHONE });
    for (const _ of ['first', 'again']) expect((await call('work.fail', failed)).json).toEqual(passed);
    const taken = transport.output<WorkItem>(await call('work.takeBack', { request_id }));
    expect(taken).toMatchObject({ channel: PORTAL, attempt: item.attempt, request: { request_id } });
    const again = await call('work.takeBack', { request_id });
    expect([again.status, JSON.stringify(again.json)]).toEqual([
      409,
      expect.stringContaining('request_leased'),
    ]);
    const lease = { request_id, lease_token: taken.lease_token };
    expect((await call('work.submit', { ...lease, insurance_data: [aFinding(item)] })).json).toEqual(
      transport.success({ status: 'applied', version: 1 }),
    );
    const finished = await call('work.takeBack', { request_id });
    expect([finished.status, finished.json]).toEqual([409, transport.problem('request_finished')]);
    const other = await aLease(service, PORTAL);
    await call('work.release', { request_id: other.request.request_id, lease_token: other.lease_token });
    const released = await call('work.takeBack', { request_id: other.request.request_id });
    expect([released.status, released.json]).toEqual([409, transport.problem('request_not_claimable')]);
    const unknown = await call('work.takeBack', { request_id: 'req_x' });
    expect([unknown.status, unknown.json]).toEqual([404, transport.problem('not_found')]);
    await rows(service.databaseUrl, `update request set erased_at = now() where id = $1`, [request_id]);
    const erased = await call('work.takeBack', { request_id });
    expect([erased.status, erased.json]).toEqual([410, transport.problem('request_erased')]);
  });

  test('a refusal is 404, 409, 410 or 422, and changes nothing', async () => {
    const { item, request_id } = await aResult();
    const refused = async (input: object, status: number, json: unknown) => {
      const answer = await call('work.correct', { request_id, ...right(item), ...input });
      expect([answer.status, answer.json]).toEqual([status, json]);
    };
    await refused({ request_id: 'req_x' }, 404, transport.problem('not_found'));
    const waiting = await aLease(service, PORTAL);
    const { request_id: unfinished } = waiting.request;
    await refused({ request_id: unfinished }, 409, transport.problem('not_own_result'));
    const stranger = aFinding(item, { patient_info: { subscriber_id: 'X' } });
    await refused(
      { insurance_data: [stranger] },
      422,
      transport.invalid({
        loc: ['body', 'insurance_data', 0, 'patient_info'],
        msg: 'The entry must be about the patient of the request',
        type: 'not_the_patient',
      }),
    );
    expect((await call('work.correct', { request_id, ...right(item), reason: 'x' })).status).toBe(422);
    const result = await service.answer<{ insurance_data: object[] }>(
      'GET',
      `/requests/${request_id}/result`,
    );
    expect(result.insurance_data).toMatchObject([aFinding(item)]);
    await rows(service.databaseUrl, `update request set erased_at = now() where id = $1`, [request_id]);
    await refused({}, 410, transport.problem('request_erased'));
  });
});
