import * as z from 'zod';
import { model } from '../model.ts';
import { cursorField, limitField } from '../page/page-fields.ts';

/** Which of the accounts that a person may act for to list, newest first (`sessions.accounts`). */
export const FindAccounts = model('FindAccounts', 'Which of the accounts that one may act for to list.', {
  limit: limitField(),
  cursor: cursorField(),
  name: z
    .string()
    .trim()
    .max(200)
    .optional()
    .meta({ description: 'Only those whose name has these letters in it, in any case.' }),
});
/** {@link FindAccounts} as a type, after the default is filled in. */
export type FindAccounts = z.infer<typeof FindAccounts>;
