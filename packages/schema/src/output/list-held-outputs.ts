import type * as z from 'zod';
import { model } from '../model.ts';
import { cursorField, limitField } from '../page.ts';

/** Which held outputs to list, newest first (api.md, `heldOutputs.list`). */
export const ListHeldOutputs = model('ListHeldOutputs', 'Which held outputs to list, newest first.', {
  limit: limitField(),
  cursor: cursorField(),
});
/** {@link ListHeldOutputs} as a type, after the default is filled in. */
export type ListHeldOutputs = z.infer<typeof ListHeldOutputs>;
