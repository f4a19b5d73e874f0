import * as z from 'zod';
import { dateTime } from '../../field/date/date-time.ts';
import { list } from '../../field/list.ts';
import { model } from '../../model.ts';
import { allowedCidrs } from '../allowed-cidrs.ts';
import { Scope } from '../scope.ts';
import { VerifyWithin } from '../verify-within.ts';

/** The body that creates an API key (`keys.create`). */
export const CreateApiKey = model('CreateApiKey', 'Creates an API key.', {
  account_id: z.string().meta({ description: 'The account it will act for.' }),
  scopes: list(Scope)
    .min(1)
    .meta({ description: 'What it may do; keys of provider accounts take only requests and secrets.' }),
  name: z.string().nullable().optional().meta({ description: 'Its name, for people; null or absent: none.' }),
  expires_at: dateTime()
    .nullable()
    .optional()
    .meta({ description: 'When it stops working; absent: in a year; null: never.' }),
  allowed_cidrs: allowedCidrs().nullable().optional().meta({
    description:
      'The only networks it works from, in addition to those of its account; null or absent: anywhere.',
  }),
  verify_within: VerifyWithin.nullable().optional().meta({
    description: 'What its scope verify is kept to; null or absent: nothing.',
  }),
});
/** {@link CreateApiKey} as a type. */
export type CreateApiKey = z.infer<typeof CreateApiKey>;
