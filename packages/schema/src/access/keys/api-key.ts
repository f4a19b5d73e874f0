import * as z from 'zod';
import { dateTime } from '../../field/date/date-time.ts';
import { list } from '../../field/list.ts';
import { model } from '../../model.ts';
import { nextCursorField } from '../../page/page-fields.ts';
import { Scope } from '../scope.ts';
import { VerifyWithin } from '../verify-within.ts';

const apiKeyShape = {
  key_id: z.string().meta({ description: 'The id of the key; not secret.' }),
  account_id: z.string().meta({ description: 'The account it acts for.' }),
  account_name: z.string().meta({ description: 'The name of that account.' }),
  name: z.string().nullable().meta({ description: 'Its name, for people; null when it has none.' }),
  prefix: z
    .string()
    .meta({ description: "The start of the key's text, to tell keys apart; not enough to use it." }),
  scopes: list(Scope).meta({ description: 'What it may do.' }),
  created_at: dateTime().meta({ description: 'When it was created.' }),
  expires_at: dateTime()
    .nullable()
    .meta({ description: 'When it stops working; null when it does not expire.' }),
  revoked_at: dateTime().nullable().meta({ description: 'When it was revoked; null when it was not.' }),
  last_used_at: dateTime().nullable().meta({ description: 'When it was last used; null when never.' }),
  allowed_cidrs: list(z.string()).nullable().meta({
    description:
      'The networks it works from, in addition to those of its account; null when it works from anywhere.',
  }),
  verify_within: VerifyWithin.nullable().meta({
    description: 'What its scope verify is kept to; null when to nothing.',
  }),
  created_by: z.string().nullable().meta({
    description:
      'Who made it: a person (stf_…) or a key; null for a key of the first start, and where a live caller made it, to a test account’s key.',
  }),
  creator_left: z.boolean().meta({
    description: 'Whether a person made it whose access has ended since; such a key may have left with them.',
  }),
};

/** An API key without its text (`keys.list`). */
export const ApiKey = model('ApiKey', 'An API key without its text.', apiKeyShape);
/** {@link ApiKey} as a type. */
export type ApiKey = z.infer<typeof ApiKey>;

/** A key that was just created: the only answer that ever holds its text (`keys.create`). */
export const CreatedApiKey = model('CreatedApiKey', 'A key that was just created, with its text.', {
  ...apiKeyShape,
  key: z.string().meta({ description: "The key's text, for the header x-key. Shown once." }),
});
/** {@link CreatedApiKey} as a type. */
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;

/** One page of keys. */
export const ApiKeyList = model('ApiKeyList', 'One page of keys.', {
  items: list(ApiKey).meta({ description: 'The keys, newest first.' }),
  next_cursor: nextCursorField(),
});
/** {@link ApiKeyList} as a type. */
export type ApiKeyList = z.infer<typeof ApiKeyList>;
