import * as z from 'zod';
import type { Schemas } from '../create-schemas.ts';
import { dateTime } from '../field/date.ts';
import { list } from '../field/list.ts';
import { RequestRef } from '../intake/request-view.ts';
import { enumeration, model } from '../model.ts';
import { initialsOf } from '../patient/person-name.ts';
import { VerificationSource } from '../verification/insurance-plan-data.ts';
import { leaseToken, referenceField, representativeField, timeZoneField } from '../verification/work.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { exampleRequest } from './examples/request.ts';
import { operation } from './operation.ts';

/** Who calls the payer back. */
export const CallBackBy = enumeration(
  'CallBackBy',
  'Who calls the payer back: the verifier who planned it, or anyone.',
  ['me', 'anyone'],
);
export type CallBackBy = z.infer<typeof CallBackBy>;

/** Who may take a call-back now. */
export const CallBackKeptFor = enumeration(
  'CallBackKeptFor',
  'Who may take a call-back: the caller, anyone, or someone else, which only operators see.',
  ['me', 'anyone', 'someone_else'],
);
export type CallBackKeptFor = z.infer<typeof CallBackKeptFor>;

/** Parks a request until the payer is called back (`work.callBack`). */
export const CallBack = model('CallBack', 'Parks a request until the payer is called back.', {
  lease_token: leaseToken(),
  at: dateTime().meta({
    description:
      'When to call back: within 14 days, and before the result is needed if the request says when.',
  }),
  who: CallBackBy.optional().meta({
    description:
      'me: only the caller may take it until 15 minutes after the time. anyone, also when absent: every verifier may take it from then on.',
  }),
  note: z
    .string()
    .nullable()
    .optional()
    .meta({ description: 'What the next caller should know; never shown to the provider.' }),
  reference: referenceField(),
  representative: representativeField(),
});
export type CallBack = z.infer<typeof CallBack>;

/** The request waits for its call-back. */
export const ParkedWork = model('ParkedWork', 'The request waits for its call-back.', {
  status: z.literal('parked').meta({ description: 'Always `parked`.' }),
});
export type ParkedWork = z.infer<typeof ParkedWork>;

/** A request that waits for a call-back (`work.callBacks`). */
export const CallBackItem = model('CallBackItem', 'A request that waits for a call-back.', {
  request_id: z.string().meta({ description: 'The request.' }),
  payer: z.string().meta({ description: 'Its payer, as it was posted.' }),
  patient_initials: z.string().nullable().meta({
    description: 'The initials of the patient, such as J. D.; null for a name without letters.',
  }),
  channel: VerificationSource.meta({ description: 'The phone channel that it waits in.' }),
  call_back_at: dateTime().meta({ description: 'When to call the payer.' }),
  time_zone: timeZoneField(),
  needed_by: dateTime().nullable().meta({
    description: 'When its account needs the result; null if it gave no time.',
  }),
  who: CallBackKeptFor.meta({
    description:
      'me: the caller keeps it. anyone: every verifier may take it. someone_else: another verifier keeps it; only operators see it.',
  }),
  held_by: z.string().nullable().meta({
    description: 'The key or person that keeps it; null for anyone.',
  }),
  holder_name: z.string().nullable().meta({
    description: 'The name of that key or person; null without one.',
  }),
});
export type CallBackItem = z.infer<typeof CallBackItem>;

/** The call-backs that the caller may take; for an operator all of them. */
export const CallBackList = model('CallBackList', 'The call-backs that the caller may see.', {
  items: list(CallBackItem).meta({
    description: 'The earliest first, 200 at most; for an operator 1,000.',
  }),
});
export type CallBackList = z.infer<typeof CallBackList>;

/** The call-backs of `work`. */
export const callBackOperations = (schemas: Schemas) => ({
  // Ends the lease: the second call answers 409, as if the lease had been lost before.
  callBack: operation('work.callBack', {
    post: '/work/{request_id}/call-back',
    scopes: ['verify'],
    audience: ['verifier'],
    repeatable: false,
    tag: 'Work',
    summary: 'Plan a call-back',
    description:
      'Ends a lease by phone because the payer asked to be called back. The request waits until `at`, while its channel’s time does not run, and then comes before all other work. It does not count as an attempt. A key or person has 30 call-backs at once; a further one is refused (`too_many_call_backs`). When the key or person ends, its call-backs are open to every verifier at once.',
    problems: ['not_found', 'lease_lost', 'too_many_call_backs', 'request_erased'],
    changes: ['work'],
    params: RequestRef,
    input: CallBack,
    output: ParkedWork,
    example: {
      lease_token: EXAMPLE_IDS.leaseToken,
      at: '2026-11-20T20:00:00Z',
      who: 'me',
      note: 'Claims opens at 3 pm; ask for Dana.',
    },
    answers: { parked: { status: 'parked' } },
  }),

  callBacks: operation('work.callBacks', {
    get: '/work/call-backs',
    scopes: ['verify', 'operate'],
    audience: ['verifier', 'operator'],
    tag: 'Work',
    summary: 'List the call-backs',
    description:
      'Lists the requests that wait for a call-back which the caller may make, the earliest first; with scope `operate` also those that others keep. `work.claim` leases those whose time has come before all other work; `work.claimRequest` leases one earlier.',
    limit: 'reads',
    output: CallBackList,
    answers: {
      one: {
        items: [
          {
            request_id: EXAMPLE_IDS.request,
            payer: exampleRequest(schemas).payer_info.name,
            patient_initials: initialsOf(exampleRequest(schemas).patient_info.name),
            channel: 'manual_phone_call',
            call_back_at: '2026-11-20T20:00:00.000Z',
            time_zone: 'America/Chicago',
            needed_by: null,
            who: 'me',
            held_by: EXAMPLE_IDS.staff,
            holder_name: 'Ada Jones',
          },
        ],
      },
    },
  }),
});
