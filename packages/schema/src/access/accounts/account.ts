import * as z from 'zod';
import { dateTime } from '../../field/date/date-time.ts';
import { list } from '../../field/list.ts';
import { wholeNumber } from '../../field/whole-number.ts';
import { enumeration, model } from '../../model.ts';
import { nextCursorField } from '../../page/page-fields.ts';

/** The owner of an account: an outside provider, or the platform itself. */
export const AccountKind = enumeration('AccountKind', 'Who an account belongs to.', ['provider', 'platform']);
export type AccountKind = z.infer<typeof AccountKind>;

/** Whether an account's requests are real. The prefix of its keys shows it: `ivk_live_` or `ivk_test_`. */
export const AccountMode = enumeration('AccountMode', "Whether an account's requests are real.", [
  'live',
  'test',
]);
export type AccountMode = z.infer<typeof AccountMode>;

/** An owner of requests (`accounts.list`). */
export const Account = model('Account', 'Who requests belong to.', {
  account_id: z.string().meta({ description: 'The id of the account.' }),
  name: z.string().meta({ description: 'Its name, for people.' }),
  kind: AccountKind.meta({ description: 'Who it belongs to.' }),
  mode: AccountMode.meta({ description: 'Whether its requests are real.' }),
  created_at: dateTime().meta({ description: 'When it was created.' }),
  suspended_at: dateTime()
    .nullable()
    .meta({ description: 'Since when its keys are refused; null while they work.' }),
  retention_days: wholeNumber().nullable().meta({
    description: 'Days from the end of a request to the erasure of its data; null: the data is kept.',
  }),
  retention_asked: wholeNumber().nullable().meta({
    description:
      'A shorter retention that waits for a second person (`accounts.retention` names who asked); null for none.',
  }),
});
export type Account = z.infer<typeof Account>;

/** One page of accounts. */
export const AccountList = model('AccountList', 'One page of accounts.', {
  items: list(Account).meta({ description: 'The accounts, newest first.' }),
  next_cursor: nextCursorField(),
});
export type AccountList = z.infer<typeof AccountList>;
