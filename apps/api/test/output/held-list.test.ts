import type { HeldOutputList, OutputReceipt } from '@insurance-verification/schema';
import { anOutput } from '@insurance-verification/testing/an-output';
import { describe, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { aService, type TestService, useService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { transports } from '../transports.ts';

const service = useService();

const submit = (body: unknown, on: TestService) =>
  on.answer<OutputReceipt>('POST', '/verification-output', body);

describe.each(transports)('over $name', (transport) => {
  test('the list shows what waits, newest first, in pages', async () => {
    const own = await aService();
    const request = await aStoredRequest(own);
    const ids: (string | undefined)[] = [];
    for (const id of ['a', 'b', 'c'])
      ids.push((await submit(anOutput(request, { request_id: id }), own)).held_id);
    const first = await transport.call(own, 'heldOutputs.list', { limit: 2 });
    const item = (held_id?: string) => ({
      held_id,
      reason: 'unmatched',
      received_at: expect.any(String),
      request_id: null,
      account_name: null,
      account_mode: null,
      payer: null,
      patient_initials: null,
      offered_by: 'first live key',
      differs: [],
      changes: [],
    });
    expect([first.status, first.json]).toEqual([
      200,
      transport.success({ items: [item(ids[2]), item(ids[1])], next_cursor: ids[1] }),
    ]);
    const second = await transport.call(own, 'heldOutputs.list', { limit: 2, cursor: ids[1] });
    expect(second.json).toEqual(transport.success({ items: [item(ids[0])], next_cursor: null }));
  });

  // Broke: the list named a request, and nobody saw whose it is, of which payer, and what is wrong with the output.
  test('the list shows whose request is named, and what differs from it without the values', async () => {
    const own = await aService();
    expect(await own.answer('GET', '/held-outputs/stats')).toEqual({
      open_count: 0,
      oldest_received_at: null,
    });
    const request = await aStoredRequest(own, {}, await aKey(own));
    const output = anOutput(request);
    const { patient_info: patient } = request.input;
    const input = {
      ...request.input,
      patient_info: { ...patient, subscriber_id: 'X-77', dob: '1991-02-03' },
    };
    const { held_id } = await submit({ ...output, request: { ...output.request, input } }, own);
    await submit(anOutput(request, { request_id: null, notes: 'later' }), own);
    const listed = await transport.call(own, 'heldOutputs.list', { reason: 'input_mismatch' });
    const { items } = transport.output<HeldOutputList>(listed);
    expect(items).toEqual([
      {
        held_id,
        reason: 'input_mismatch',
        received_at: expect.any(String),
        request_id: request.request_id,
        account_name: 'Main Street Dental',
        account_mode: 'live',
        payer: request.input.payer_info.name,
        patient_initials: 'J. D.',
        offered_by: 'first live key',
        differs: ['subscriber_id', 'dob'],
        changes: [],
      },
    ]);
    expect(listed.text).not.toMatch(/X-77|1991|Jane/);
    const stats = await transport.call(own, 'heldOutputs.stats', {});
    expect([stats.status, stats.json]).toEqual([
      200,
      transport.success({ open_count: 2, oldest_received_at: items[0]?.received_at }),
    ]);
  });

  test('the list shows what is held for one reason', async () => {
    const own = await aService();
    const request = await aStoredRequest(own);
    const unmatchedId = (await submit(anOutput(request, { request_id: 'x' }), own)).held_id;
    await submit(anOutput(request), own);
    const correction = (await submit(anOutput(request, { insurance_data: [] }), own)).held_id;
    const list = async (input: Record<string, unknown>) =>
      transport
        .output<HeldOutputList>(await transport.call(own, 'heldOutputs.list', input))
        .items.map(({ held_id }) => held_id);
    expect(await list({ reason: 'unmatched' })).toEqual([unmatchedId]);
    expect(await list({ reason: 'superseding' })).toEqual([correction]);
    expect(await list({ reason: 'untrusted' })).toEqual([]);
    expect(await list({ reason: 'superseding', cursor: correction })).toEqual([]);
  });

  test('an unknown reason is 422', async () => {
    const answer = await transport.call(service, 'heldOutputs.list', { reason: 'spam' });
    const msg = "Input should be 'untrusted', 'unmatched', 'input_mismatch', 'superseding' or 'agent_result'";
    expect([answer.status, answer.json]).toEqual([
      422,
      transport.invalid({ loc: ['query', 'reason'], msg, type: 'enum' }),
    ]);
  });

  test('an invalid cursor is 422', async () => {
    const answer = await transport.call(service, 'heldOutputs.list', { cursor: 'req_x' });
    const msg = 'Value should be the next_cursor of a page of this list';
    expect([answer.status, answer.json]).toEqual([
      422,
      transport.invalid({ loc: ['query', 'cursor'], msg, type: 'value_error' }),
    ]);
  });
});
