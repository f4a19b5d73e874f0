import {
  ERROR_REASONS,
  type Schemas,
  type VerificationAttempt,
  type WorkItem,
} from '@insurance-verification/schema';
import { exampleRequestModel } from '../../intake/example-request.ts';
import { EXAMPLE_IDS } from '../../procedure/example-ids.ts';

/** The first attempt at the example's request: the payer's portal did not let the agent in. */
export const exampleAttempt: VerificationAttempt = {
  number: 1,
  channel: 'agent_web_portal',
  started_at: '2026-11-20T09:31:00.000Z',
  ended_at: '2026-11-20T09:34:10.000Z',
  outcome: 'failed',
  error_reason: 'portal_two_factor',
  fixed_by: ERROR_REASONS.portal_two_factor.fixedBy,
  explanation: ERROR_REASONS.portal_two_factor.sentence,
  reference: null,
  provenance: [],
  result_version: null,
  on_call_until: null,
};

/** The call that found the answer. */
export const exampleCall: VerificationAttempt = {
  number: 2,
  channel: 'manual_phone_call',
  started_at: '2026-11-20T10:02:00.000Z',
  ended_at: '2026-11-20T10:15:00.000Z',
  outcome: 'succeeded',
  error_reason: null,
  fixed_by: null,
  explanation: null,
  reference: 'Call 88-1042',
  provenance: [
    { field: '/0/plan_info/eligibility_status', source: 'Agent Morgan', quote: 'Active since January.' },
  ],
  result_version: 1,
  on_call_until: null,
};

/** The example's request, leased for that call. */
export function exampleWorkItem(schemas: Schemas): WorkItem {
  const request = exampleRequestModel(schemas);
  return {
    request,
    channel: 'manual_phone_call',
    lease_token: EXAMPLE_IDS.leaseToken,
    lease_expires_at: '2026-11-20T10:04:00.000Z',
    attempt: 2,
    history: [{ ...exampleAttempt, note: 'The portal asked for a code by text message.' }],
    payer: {
      name: request.input.payer_info.name,
      phone_number: '+1 555 0100',
      menu_path: '4, then 2',
      portal_url: 'https://portal.example.com/providers',
      notes: 'Ask for the eligibility desk; have the NPI and the TIN at hand.',
    },
  };
}
