import type { Schemas } from '../../create-schemas.ts';
import type { WorkItem } from '../../default-schemas.ts';
import { ERROR_REASONS } from '../../error-reasons.ts';
import type { VerificationAttempt, X12Exchange } from '../../verification/evidence.ts';
import { EXAMPLE_IDS } from './ids.ts';
import { exampleRequestModel } from './request.ts';

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
    service_date: '2026-12-03',
    needed_by: '2026-11-20T17:00:00.000Z',
    channel: 'manual_phone_call',
    lease_token: EXAMPLE_IDS.leaseToken,
    lease_expires_at: '2026-11-20T10:04:00.000Z',
    attempt: 2,
    history: [{ ...exampleAttempt, note: 'The portal asked for a code by text message.' }],
    payer: {
      name: request.input.payer_info.name,
      phone_number: '+1 555 0100',
      menu_path: '4, then 2',
      menu_path_changed_on: '2026-09-01',
      phones: [{ purpose: 'claims', number: '+1 555 0101' }],
      opens_at: null,
      time_zone: 'America/Chicago',
      portal_url: 'https://portal.example.com/providers',
      notes: 'Ask for the eligibility desk; have the NPI and the TIN at hand.',
      sheet: [
        {
          id: 'maximum',
          label: 'Maximum a year',
          reads: 'dollars',
          says: { kind: 'maximum', level: 'individual', period: 'calendar_year' },
        },
      ],
    },
  };
}

/** An X12 exchange about the example's patient: only enough segments to show what they are. */
export const exampleExchange: X12Exchange = {
  control_number: 104_201,
  payer_id: 'plan-1',
  started_at: '2026-11-20T09:30:01.000Z',
  duration_ms: 2_140,
  status_code: 200,
  error_reason: null,
  fixed_by: null,
  explanation: null,
  payer_codes: [],
  inquiry: [
    'ISA*00*          *00*          *ZZ*MAINSTREET     *ZZ*60054          *261120*0930*^*00501*000104201*0*P*:~',
    'NM1*IL*1*DOE*JANE****MI*W123456789~DMG*D8*19840517~EQ*35~SE*12*0001~GE*1*104201~IEA*1*000104201~',
  ].join(''),
  answer: [
    'ISA*00*          *00*          *ZZ*60054          *ZZ*MAINSTREET     *261120*0930*^*00501*000104201*0*P*:~',
    'NM1*IL*1*DOE*JANE****MI*W123456789~EB*1**35**PPO GOLD~SE*14*0001~GE*1*104201~IEA*1*000104201~',
  ].join(''),
};
