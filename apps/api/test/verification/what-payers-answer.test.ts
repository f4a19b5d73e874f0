import { claimWork } from '@insurance-verification/store';
import { expect, test } from 'vitest';
import { aChannel, aRoute, failed, once, SHORT, succeeded } from './an-api-channel.ts';

test('a request is verified by asking its payer, and the result is on its way', async () => {
  const { attempts, request, result } = await aChannel();
  const requestId = await request('W123456789');
  expect(await attempts(requestId)).toEqual([succeeded]);
  expect(await result(requestId)).toMatchObject({
    request: { state: 'complete', error_reason: null },
    insurance_data: [
      {
        request_id: requestId,
        verification_source: 'api',
        plan_info: { plan_name: 'GOLD PPO', eligibility_status: 'Active' },
      },
    ],
  });
});

test('Inactive is complete', async () => {
  const { attempts, request, result } = await aChannel();
  const requestId = await request('SIM-INACTIVE');
  expect(await attempts(requestId)).toEqual([succeeded]);
  expect(await result(requestId)).toMatchObject({
    request: { state: 'complete' },
    insurance_data: [{ plan_info: { eligibility_status: 'Inactive' } }],
  });
});

// Asked by phone about the same wrong member id, the payer would say the same, half an hour later.
test.each([
  ['SIM-AAA-72', 'member_id_invalid'],
  ['SIM-AAA-71', 'dob_mismatch'],
  ['SIM-AAA-75', 'member_not_found'],
  // Broke: the relative's coverage went out as the patient's, since the member id is the family's.
  ['SIM-RELATIVE', 'member_not_found'],
])("%s, a rejection of the patient's data, is the outcome", async (memberId, reason) => {
  const { attempts, request, result } = await aChannel();
  const requestId = await request(memberId);
  expect(await attempts(requestId)).toEqual([failed(reason)]);
  expect(await result(requestId)).toMatchObject({
    request: { state: 'error_verifying', error_reason: reason },
    insurance_data: [],
  });
});

test.each([
  ['SIM-500', 'payer_unavailable'],
  ['SIM-HANG', 'payer_unavailable'],
  ['SIM-AAA-42', 'payer_unavailable'],
  ['SIM-HTML', 'payer_response_invalid'],
  ['SIM-TRUNCATED', 'payer_response_invalid'],
  ['SIM-WRONG-TRACE', 'payer_response_invalid'],
  ['SIM-999', 'payer_response_invalid'],
  ['SIM-UNSURE', 'requires_other_channel'],
  // The payer's own AAA 76 ends the request; what we cannot tell, a person may.
  ['SIM-TWINS', 'member_ambiguous'],
  ['SIM-AAA-51', 'provider_not_enrolled'],
])(
  '%s hands the request to the next channel, for whose verifier the reason is kept',
  async (memberId, reason) => {
    const route = once(aRoute('api', 'manual_phone_call'));
    const { store, caller, attempts, request } = await aChannel({
      route,
      ...(memberId === 'SIM-HANG' && SHORT),
    });
    await attempts(await request('W123456789')); // the payer answers others
    const requestId = await request(memberId);
    expect(await attempts(requestId)).toEqual([failed(reason)]);
    const {
      works: [work],
    } = await claimWork(store, {
      caller,
      routes: [route],
      channels: ['manual_phone_call'],
      limit: 1,
      leaseSeconds: 60,
    });
    expect(work).toMatchObject({
      requestId,
      channel: 'manual_phone_call',
      history: [
        {
          channel: 'api',
          outcome: 'failed',
          error_reason: reason,
          note: expect.stringMatching(/^The payer answered /),
        },
      ],
    });
  },
);

test('where no channel follows, no answer about a patient is the outcome of a payer that answers others', async () => {
  const { attempts, request, result } = await aChannel({ route: once(aRoute('api')) });
  await attempts(await request('W123456789'));
  const requestId = await request('SIM-503');
  expect(await attempts(requestId)).toEqual([failed('payer_unavailable')]);
  expect(await result(requestId)).toMatchObject({
    request: { state: 'error_verifying', error_reason: 'payer_unavailable' },
  });
});
