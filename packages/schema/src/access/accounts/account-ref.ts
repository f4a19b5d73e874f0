import * as z from 'zod';
import { model } from '../../model.ts';

/** Names one account. Any string passes: a malformed id answers 404, like an unknown one. */
export const AccountRef = model('AccountRef', 'Names one account.', {
  account_id: z.string().meta({ description: 'The id of the account.' }),
});
/** {@link AccountRef} as a type. */
export type AccountRef = z.infer<typeof AccountRef>;
