import * as z from 'zod';
import { model } from '../../model.ts';
import { cursorField, limitField } from '../../page/page-fields.ts';

/** Which page of the keys to read (`keys.list`). */
export const ListKeys = model('ListKeys', 'Which page of the keys to read, newest first.', {
  limit: limitField(),
  cursor: cursorField(),
  creator: z.enum(['left']).optional().meta({
    description: '`left`: only keys that still work and were made by a person whose access has ended.',
  }),
});
/** {@link ListKeys} as a type, after the default is filled in. */
export type ListKeys = z.infer<typeof ListKeys>;
