import type * as z from 'zod';
import { dateTime } from '../field/date/date-time.ts';
import { model } from '../model.ts';
import { cursorField, limitField, orderField } from '../page/page-fields.ts';
import { HeldReason } from './held-reason.ts';

/** Which held outputs to list (`heldOutputs.list`). */
export const ListHeldOutputs = model('ListHeldOutputs', 'Which held outputs to list.', {
  limit: limitField(),
  cursor: cursorField(),
  order: orderField(),
  reason: HeldReason.optional().meta({
    description: 'Only outputs that are held for this reason; absent lists all.',
  }),
  since: dateTime().optional().meta({ description: 'Only those received at this time or later.' }),
  until: dateTime().optional().meta({ description: 'Only those received before this time.' }),
});
/** {@link ListHeldOutputs} as a type, after the default is filled in. */
export type ListHeldOutputs = z.infer<typeof ListHeldOutputs>;
