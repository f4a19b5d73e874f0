import type * as z from 'zod';
import { model } from '../model.ts';
import { cursorField, limitField } from './page-fields.ts';

/** Which page of a list to read, newest first: held outputs, keys, accounts. */
export const ListPage = model('ListPage', 'Which page of a list to read, newest first.', {
  limit: limitField(),
  cursor: cursorField(),
});
/** {@link ListPage} as a type, after the default is filled in. */
export type ListPage = z.infer<typeof ListPage>;
