import * as z from 'zod';
import type { Schemas } from '../create-schemas.ts';
import { dateTime } from '../field/date.ts';
import { list } from '../field/list.ts';
import { RequestRef } from '../intake/request-view.ts';
import { model } from '../model.ts';
import { CallPlace } from '../problem/problem.ts';
import { VerificationSource } from '../verification/insurance-plan-data.ts';
import { CountWork } from '../verification/work-stats.ts';
import { FailWork, FailedWork, leaseToken, SubmittedWork } from '../verification/work.ts';
import { callBackOperations } from './call-backs.ts';
import { correctionOperations } from './corrections.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { examplePlanData } from './examples/output.ts';
import { exampleRequest } from './examples/request.ts';
import { exampleWorkItem } from './examples/work.ts';
import { operation } from './operation.ts';
import { ownDayOperations } from './own-day.ts';

/** Leases one named request: the input of `work.claimRequest` without its id. */
export const ClaimRequest = model('ClaimRequest', 'Leases one named request.', {
  channels: list(VerificationSource).min(1).meta({
    description: 'The channels the verifier works, at least one; the request must wait for one of them.',
  }),
  take_over: z.boolean().optional().meta({
    description:
      "True takes over the caller's own lease, as after its program or its browser ended: the old lease_token is void. Otherwise a request that the caller itself holds is refused like any leased one.",
  }),
});
export type ClaimRequest = z.infer<typeof ClaimRequest>;

/** Reports that the verifier is still working (`work.heartbeat`). */
export const HeartbeatWork = model('HeartbeatWork', 'Renews a lease.', {
  lease_token: leaseToken(),
});
export type HeartbeatWork = z.infer<typeof HeartbeatWork>;

/** The renewed lease. */
export const RenewedLease = model('RenewedLease', 'The lease as renewed.', {
  lease_expires_at: dateTime().meta({ description: 'When it ends now.' }),
});
export type RenewedLease = z.infer<typeof RenewedLease>;

/** Releases a request (`work.release`). It does not count as an attempt. */
export const ReleaseWork = model('ReleaseWork', 'Gives a request back untried.', {
  lease_token: leaseToken(),
  reason: z.string().nullable().optional().meta({ description: 'Why, for the next verifier; free text.' }),
});
export type ReleaseWork = z.infer<typeof ReleaseWork>;

/** The request is in the queue again. */
export const ReleasedWork = model('ReleasedWork', 'The request is in the queue again.', {
  status: z.literal('released').meta({ description: 'Always `released`.' }),
});
export type ReleasedWork = z.infer<typeof ReleasedWork>;

/** Begins a phone call with the payer, or the reading of its portal (`work.startCall`). */
export const StartCall = model('StartCall', 'Reports where the verifier asks the payer now.', {
  lease_token: leaseToken(),
  place: CallPlace.optional().meta({
    description:
      "phone: on the phone with the payer, for 90 minutes at most. portal: reading in the payer's portal, for 30. phone when absent.",
  }),
});
export type StartCall = z.infer<typeof StartCall>;

/** The operations of `work`. */
export const workOperations = (schemas: Schemas) => ({
  // A claim whose answer is lost may have leased requests, which return when the leases end.
  claim: operation('work.claim', {
    post: '/work/claim',
    scopes: ['verify'],
    audience: ['verifier'],
    repeatable: false,
    tag: 'Work',
    summary: 'Lease the next requests',
    description:
      'Leases the next requests that wait in one of the channels, so that only the caller works on them. With `wait_seconds` the call waits for work to arrive. An empty list means that there is no work. A lease ends at `lease_expires_at` unless a heartbeat renews it.',
    changes: ['work'],
    input: schemas.ClaimWork,
    output: schemas.WorkItemList,
    example: { channels: ['manual_web_portal', 'manual_phone_call'], max: 1, wait_seconds: 20 },
    answers: { one: { items: [exampleWorkItem(schemas)] }, nothing_to_do: { items: [] } },
  }),

  // A second claim answers 409, as if someone else had the lease.
  claimRequest: operation('work.claimRequest', {
    post: '/work/{request_id}/claim',
    scopes: ['verify'],
    audience: ['verifier'],
    repeatable: false,
    tag: 'Work',
    summary: 'Lease one request',
    description:
      'Leases the request in the path, even if others have waited longer. It must wait in one of the channels: a request that is finished, leased or in another channel is refused. With `take_over`, a request that you lease already gets a new token and the attempt continues.',
    problems: ['not_found', 'request_finished', 'request_leased', 'request_not_claimable', 'request_erased'],
    changes: ['work'],
    params: RequestRef,
    input: ClaimRequest,
    output: schemas.WorkItem,
    example: { channels: ['manual_web_portal', 'manual_phone_call'] },
    answers: { leased: exampleWorkItem(schemas) },
  }),

  heartbeat: operation('work.heartbeat', {
    post: '/work/{request_id}/heartbeat',
    scopes: ['verify'],
    audience: ['verifier'],
    repeatable: true,
    tag: 'Work',
    summary: 'Renew a lease',
    description:
      'Renews the lease and returns its new expiry. Send a heartbeat well before the lease expires.',
    problems: ['not_found', 'lease_lost', 'request_erased'],
    changes: [],
    params: RequestRef,
    input: HeartbeatWork,
    output: RenewedLease,
    example: { lease_token: EXAMPLE_IDS.leaseToken },
    answers: { renewed: { lease_expires_at: '2026-11-20T10:06:00.000Z' } },
  }),

  startCall: operation('work.startCall', {
    post: '/work/{request_id}/start-call',
    scopes: ['verify'],
    audience: ['verifier'],
    repeatable: true,
    tag: 'Work',
    summary: 'Start a call',
    description:
      'Records that the verifier is on the phone with the payer. For 90 minutes the lease needs no heartbeat and the session does not time out, and colleagues see the call. With `place` `portal`, the verifier reads the payer’s portal and has 30 minutes. Repeating the call changes nothing, except that it restarts the portal’s 30 minutes.',
    problems: ['not_found', 'lease_lost', 'request_erased'],
    changes: ['work'],
    params: RequestRef,
    input: StartCall,
    output: RenewedLease,
    example: { lease_token: EXAMPLE_IDS.leaseToken },
    answers: { started: { lease_expires_at: '2026-11-20T11:34:00.000Z' } },
  }),

  endCall: operation('work.endCall', {
    post: '/work/{request_id}/end-call',
    scopes: ['verify'],
    audience: ['verifier'],
    repeatable: true,
    tag: 'Work',
    summary: 'End a call',
    description:
      'Records that the call is over. From now on the lease ends at `lease_expires_at` unless a heartbeat renews it.',
    problems: ['not_found', 'lease_lost', 'request_erased'],
    changes: ['work'],
    params: RequestRef,
    input: HeartbeatWork,
    output: RenewedLease,
    example: { lease_token: EXAMPLE_IDS.leaseToken },
    answers: { ended: { lease_expires_at: '2026-11-20T10:17:00.000Z' } },
  }),

  // It ends the lease: the second call answers 409, as if the lease had been lost before.
  release: operation('work.release', {
    post: '/work/{request_id}/release',
    scopes: ['verify'],
    audience: ['verifier'],
    repeatable: false,
    tag: 'Work',
    summary: 'Release a lease',
    description:
      'Ends a lease without a result, so that another verifier can claim the request at once. It does not count as an attempt.',
    problems: ['not_found', 'lease_lost', 'request_erased'],
    changes: ['work'],
    params: RequestRef,
    input: ReleaseWork,
    output: ReleasedWork,
    example: { lease_token: EXAMPLE_IDS.leaseToken, reason: 'End of the shift.' },
    answers: { released: { status: 'released' } },
  }),

  // The same report of the same lease gets the answer of the first.
  fail: operation('work.fail', {
    post: '/work/{request_id}/fail',
    scopes: ['verify'],
    audience: ['verifier'],
    repeatable: true,
    tag: 'Work',
    summary: 'Report a failed channel',
    description:
      "Reports why this channel could not verify the request. The request passes to the next channel of its payer's route. It ends as `error_verifying` with the reason if no channel is left, if none can help, or if `final` is true.",
    problems: ['not_found', 'lease_lost', 'request_erased'],
    changes: ['work', 'request'],
    params: RequestRef,
    input: FailWork,
    output: FailedWork,
    example: {
      lease_token: EXAMPLE_IDS.leaseToken,
      error_reason: 'portal_two_factor',
      note: 'The portal asked for a code by text message.',
    },
    answers: {
      handed_on: { status: 'next_channel', next_channel: 'manual_phone_call' },
      ended: { status: 'error_verifying', next_channel: null },
    },
  }),

  submit: operation('work.submit', {
    post: '/work/{request_id}/submit',
    scopes: ['verify'],
    audience: ['verifier'],
    repeatable: false,
    tag: 'Work',
    summary: 'Submit a result',
    description:
      'Submits the result and ends the lease. The result is applied and delivered; an agent’s result is held for an operator where the payer’s route requires it. An entry about a different patient, or from another channel than the leased one, is refused; an entry that may be about a different patient is accepted once you send it again with `same_patient_confirmed`. `benefits` is what else the payer reported about these coverages, for `requests.benefits`.',
    problems: ['not_found', 'lease_lost', 'request_erased', 'held_capacity_exceeded'],
    changes: ['work', 'request'],
    params: RequestRef,
    input: schemas.SubmitWork,
    output: SubmittedWork,
    example: {
      lease_token: EXAMPLE_IDS.leaseToken,
      insurance_data: [examplePlanData(schemas)],
      benefits: [
        {
          entry: 0,
          benefits: [
            {
              kind: 'copayment',
              service: { types: [{ code: '98' }] },
              network: 'in',
              amount: '25.00',
              quote: 'Twenty-five for an office visit, in network.',
            },
          ],
        },
      ],
      reference: 'Call 88-1042',
    },
    answers: {
      applied: { status: 'applied', version: 1 },
      held: { status: 'held', held_id: EXAMPLE_IDS.held },
    },
  }),

  ...correctionOperations(schemas),

  ...callBackOperations(schemas),

  stats: operation('work.stats', {
    get: '/work/stats',
    scopes: ['verify', 'operate'],
    audience: ['verifier', 'operator'],
    tag: 'Work',
    summary: 'Report the state of the queue',
    description:
      'Reports for each channel of each payer how many requests wait and are leased now, how many a verifier could claim, and the outcomes of the last 24 hours.',
    limit: 'reads',
    input: CountWork,
    output: schemas.WorkStats,
    example: { verifier: 'person' },
    answers: {
      one_channel: {
        items: [
          {
            payer: exampleRequest(schemas).payer_info.name,
            channel: 'manual_phone_call',
            waiting_count: 12,
            leased_count: 3,
            on_call_count: 1,
            in_portal_count: 0,
            overdue_count: 0,
            oldest_seconds: 840.2,
            claimable_count: 14,
            oldest_claimable_seconds: 1_260.4,
            late_count: 3,
            next_needed_at: '2026-11-20T10:30:00.000Z',
            succeeded_count: 96,
            failed_count: 4,
            seconds_to_result_p50: 2_710.5,
            seconds_to_result_p90: 9_120,
            within_20_seconds_share: 0,
            failures: [{ error_reason: 'no_human_in_time', count: 3 }],
            opens_at: null,
            time_zone: 'America/Chicago',
          },
        ],
      },
    },
  }),

  payers: operation('work.payers', {
    get: '/work/payers',
    scopes: ['verify', 'operate'],
    audience: ['verifier', 'operator'],
    tag: 'Work',
    summary: 'List the payers with their contacts',
    description:
      'Lists how to reach each configured payer by phone and portal, with notes for verifiers. It leases nothing.',
    limit: 'reads',
    output: schemas.WorkPayerList,
    answers: {
      one_payer: {
        items: [exampleWorkItem(schemas).payer],
        open_times: [
          {
            payer: exampleRequest(schemas).payer_info.name,
            from: '2026-11-20T14:00:00.000Z',
            until: '2026-11-21T00:00:00.000Z',
          },
        ],
      },
    },
  }),

  ...ownDayOperations(schemas),
});
