import * as z from 'zod';
import { model } from '../../model.ts';
import { AccountKind, AccountMode } from './account.ts';

/** The body that creates an account (`accounts.create`). */
export const CreateAccount = model('CreateAccount', 'Creates an account.', {
  name: z.string().min(1).max(200).meta({ description: 'Its name, for people, 1 to 200 characters.' }),
  kind: AccountKind.default('provider').meta({ description: 'Who it belongs to.' }),
  mode: AccountMode.default('live').meta({ description: 'Whether its requests are real.' }),
});
/** {@link CreateAccount} as a type, after the defaults are filled in. */
export type CreateAccount = z.infer<typeof CreateAccount>;
