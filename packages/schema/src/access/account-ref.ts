import * as z from 'zod';
import { model } from '../model.ts';

/** Names one account. A malformed id is as unknown as a wrong one: 404, so any string passes here. */
export const AccountRef = model('AccountRef', 'Names one account.', {
  account_id: z.string().meta({ description: 'The id of the account.' }),
});
/** {@link AccountRef} as a type. */
export type AccountRef = z.infer<typeof AccountRef>;
