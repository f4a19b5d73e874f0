import type { HeldOutputDetail, HeldOutputList } from '@insurance-verification/schema';
import { anOutput } from '@insurance-verification/testing/an-output';
import { describe, expect, test } from 'vitest';
import { useService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { transports } from '../transports.ts';

const service = useService({ env: { VERIFICATION_OUTPUT_TRUST: 'keyed' } });

/** Submits an output anonymously. */
async function anUntrusted(of = aStoredRequest(service)) {
  const request = await of;
  const body = anOutput(request, { error_reason: crypto.randomUUID() });
  const { status } = await service.ask('POST', '/verification-output', { body, key: null });
  expect(status).toBe(200);
  return request;
}

describe.each(transports)('heldOutputs.dismissMany over $name', (transport) => {
  const dismiss = (input: Record<string, unknown>) =>
    transport.call(service, 'heldOutputs.dismissMany', { ...input });
  const waiting = async () =>
    (await service.answer<HeldOutputList>('GET', '/held-outputs?reason=untrusted&limit=100')).items;

  test('ends all of a reason with the note, and finds none the second time', async () => {
    await Promise.all([anUntrusted(), anUntrusted(), anUntrusted()]);
    const [held] = await waiting();
    const { held_id: unmatched = '' } = await service.answer<{ held_id?: string }>(
      'POST',
      '/verification-output',
      anOutput(await aStoredRequest(service), { request_id: transport.name }),
    );
    const answer = await dismiss({ reason: 'untrusted', note: 'a flood' });
    expect([answer.status, answer.json]).toEqual([200, transport.success({ dismissed: 3, more: false })]);
    expect(await service.answer<HeldOutputDetail>('GET', `/held-outputs/${held?.held_id}`)).toMatchObject({
      status: 'dismissed',
      note: 'a flood',
    });
    expect(await service.answer('GET', `/held-outputs/${unmatched}`)).toMatchObject({ status: 'held' });
    expect((await dismiss({ reason: 'untrusted' })).json).toEqual(
      transport.success({ dismissed: 0, more: false }),
    );
  });

  const reason = 'untrusted';
  test.each([
    [{ note: 'x' }, 'reason', 'missing'],
    [{ reason: 'spam' }, 'reason', 'enum'],
    [{ reason, received_before: 'yesterday' }, 'received_before', 'datetime_from_date_parsing'],
    [{ reason, limit: 0 }, 'limit', 'greater_than_equal'],
    [{ reason, limit: 10_001 }, 'limit', 'less_than_equal'],
    [{ reason, note: 5 }, 'note', 'string_type'],
    [{ reason, request_id: 5 }, 'request_id', 'string_type'],
  ])('%o is refused at %s', async (input, field, type) => {
    const answer = await dismiss(input);
    expect([answer.status, answer.json]).toEqual([
      422,
      transport.invalid({ loc: ['body', field], msg: expect.any(String), type }),
    ]);
  });
});
