import * as z from 'zod';
import { dateTime } from '../../field/date/date-time.ts';
import { list } from '../../field/list.ts';
import { wholeNumber } from '../../field/whole-number.ts';
import { neededByField, serviceDateField } from '../../intake/asked-when.ts';
import type { createPayer } from '../../intake/info/payer.ts';
import type { createRequestModel } from '../../intake/request-model.ts';
import { model } from '../../model.ts';
import type { PayerNames } from '../../payers.ts';
import { VerificationAttempt } from '../evidence/verification-attempt.ts';
import { sheetField } from '../sheet/sheet-row.ts';
import { VerificationSource } from '../verification-source.ts';

/** The payer as a verifier needs it: how to reach it and what to know about it. */
export function createWorkPayer<P extends PayerNames>(payer: ReturnType<typeof createPayer<P>>) {
  return model('WorkPayer', 'How to reach the payer and what to know about it.', {
    name: payer.meta({ description: 'The payer plan.' }),
    phone_number: z.string().nullable().meta({ description: 'Its phone number; null when not configured.' }),
    menu_path: z
      .string()
      .nullable()
      .meta({ description: 'What to press or say in its phone menu; null when not configured.' }),
    portal_url: z.string().nullable().meta({ description: 'Its portal; null when not configured.' }),
    notes: z.string().nullable().meta({ description: 'What verifiers should know; null when nothing.' }),
    sheet: sheetField(),
  });
}

/** Every payer, as a verifier needs it. */
export function createWorkPayerList<P extends PayerNames>(workPayer: ReturnType<typeof createWorkPayer<P>>) {
  return model('WorkPayerList', 'Every payer, as a verifier needs it.', {
    items: list(workPayer).meta({ description: 'The payers, in the order of the Payer enumeration.' }),
  });
}

/** A request that only the claimer may work on until the lease ends (`work.claim`). */
export function createWorkItem<P extends PayerNames>(
  requestModel: ReturnType<typeof createRequestModel<P>>,
  workPayer: ReturnType<typeof createWorkPayer<P>>,
) {
  return model('WorkItem', 'A request that only the claimer may work on until its lease ends.', {
    request: requestModel.meta({ description: 'The request.' }),
    service_date: serviceDateField(),
    needed_by: neededByField(),
    channel: VerificationSource.meta({
      description: 'How to ask the payer; the verification_source of every submitted entry.',
    }),
    lease_token: z
      .string()
      .meta({ description: 'Proves the lease; heartbeat, submit, fail and release take it.' }),
    lease_expires_at: dateTime().meta({ description: 'When the lease ends unless a heartbeat renews it.' }),
    attempt: wholeNumber().meta({ description: 'Which attempt at this request this is, from 1.' }),
    history: list(VerificationAttempt).meta({
      description: 'The attempts before this one, first to last, with their notes.',
    }),
    payer: workPayer.meta({ description: 'The payer.' }),
  });
}

/** The requests leased by a claim, in working order. Empty when there is nothing to do. */
export function createWorkItemList<P extends PayerNames>(workItem: ReturnType<typeof createWorkItem<P>>) {
  return model('WorkItemList', 'What a claim leased.', {
    items: list(workItem).meta({ description: 'The leased requests, in the order to work in.' }),
  });
}
