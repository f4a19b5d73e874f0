import * as z from 'zod';
import { dateTime } from '../field/date.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import { enumeration, model } from '../model.ts';
import { nextCursorField } from '../page.ts';

/** The policies that can be set for an account. An answer's `RateLimit-Policy` names them. */
export const LimitPolicy = enumeration('LimitPolicy', 'A policy that can be set for an account.', [
  'intake',
  'reads',
  'redeliver-exhausted',
  'secret-reveal',
]);
export type LimitPolicy = z.infer<typeof LimitPolicy>;

/** What one policy allows an account. */
export const PolicyLimit = model('PolicyLimit', 'What one policy allows an account.', {
  quota: wholeNumber().nullable().meta({
    description:
      'Units at once, and as many again in each window; null when the policy is off for the account.',
  }),
  window_seconds: wholeNumber().nullable().meta({
    description: 'The window in seconds; null when the policy is off for the account.',
  }),
  overridden: z.boolean().meta({ description: 'Whether it was set for this account; false: the default.' }),
});
export type PolicyLimit = z.infer<typeof PolicyLimit>;

/** How much an account may use, and from which networks. */
export const AccountLimits = model('AccountLimits', 'What an account may take, and from where.', {
  account_id: z.string().meta({ description: 'The id of the account.' }),
  policies: model('PolicyLimits', 'What each policy allows an account.', {
    intake: PolicyLimit.meta({ description: 'Requests created.' }),
    reads: PolicyLimit.meta({ description: 'Rows read by lists and single reads.' }),
    'redeliver-exhausted': PolicyLimit.meta({ description: 'Redeliveries of all that is exhausted.' }),
    'secret-reveal': PolicyLimit.meta({
      description: 'Webhook secrets shown or rotated and endpoints created, for each key.',
    }),
  } satisfies Record<LimitPolicy, z.ZodType>).meta({ description: 'What each policy allows it.' }),
  allowed_cidrs: list(z.string())
    .nullable()
    .meta({ description: 'The networks its keys work from; null when they work from anywhere.' }),
});
export type AccountLimits = z.infer<typeof AccountLimits>;

/** The owner of an account: an outside provider, or the platform itself. */
export const AccountKind = enumeration('AccountKind', 'Who an account belongs to.', ['provider', 'platform']);
export type AccountKind = z.infer<typeof AccountKind>;

/** Whether an account's requests are real. The prefix of its keys shows it: `ivk_live_` or `ivk_test_`. */
export const AccountMode = enumeration('AccountMode', "Whether an account's requests are real.", [
  'live',
  'test',
]);
export type AccountMode = z.infer<typeof AccountMode>;

/** The mode of the account that something belongs to. */
export const accountModeField = () => AccountMode.meta({ description: 'The mode of that account.' });

/** Keeps a list of many accounts to those of one mode. */
export const ofModeField = () =>
  AccountMode.optional().meta({ description: 'Only of accounts of this mode.' });

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
