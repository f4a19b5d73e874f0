import * as z from 'zod';
import { dateTime } from '../field/date.ts';
import { list } from '../field/list.ts';
import type { createPayer } from '../intake/request-info.ts';
import { RequestRef } from '../intake/request-view.ts';
import { model } from '../model.ts';
import { nextCursorField } from '../page.ts';
import type { PayerNames } from '../payers.ts';

/** A draft that the caller saved last, without its content (`drafts.list`). */
export function createListedDraft<P extends PayerNames>(payer: ReturnType<typeof createPayer<P>>) {
  return model('ListedDraft', 'A draft that the caller saved last, without its content.', {
    ...RequestRef.shape,
    payer: payer.meta({ description: 'The payer plan.' }),
    patient_initials: z.string().nullable().meta({
      description: "The initials of the patient's name, as in J. D.; null where it has no letters.",
    }),
    saved_at: dateTime().meta({ description: 'When it was saved.' }),
    expires_at: dateTime().meta({ description: 'When it is removed unless it is saved again.' }),
    is_leased: z
      .boolean()
      .meta({ description: 'Whether a verifier, the caller or another, leases the request.' }),
  });
}

/** One page of the drafts that the caller saved last. */
export function createDraftList<P extends PayerNames>(listedDraft: ReturnType<typeof createListedDraft<P>>) {
  return model('DraftList', 'One page of the drafts that the caller saved last.', {
    items: list(listedDraft).meta({ description: 'The drafts, of the newest request first.' }),
    next_cursor: nextCursorField(),
  });
}
