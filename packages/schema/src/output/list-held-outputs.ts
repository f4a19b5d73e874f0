import type * as z from 'zod';
import { model } from '../model.ts';
import { cursorField, limitField } from '../page/page-fields.ts';
import { HeldReason } from './held-reason.ts';

/** Which held outputs to list, newest first (`heldOutputs.list`). */
export const ListHeldOutputs = model('ListHeldOutputs', 'Which held outputs to list, newest first.', {
  limit: limitField(),
  cursor: cursorField(),
  reason: HeldReason.optional().meta({
    description: 'Only outputs that are held for this reason; absent lists all.',
  }),
});
/** {@link ListHeldOutputs} as a type, after the default is filled in. */
export type ListHeldOutputs = z.infer<typeof ListHeldOutputs>;
