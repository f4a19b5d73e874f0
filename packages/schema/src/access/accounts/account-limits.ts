import * as z from 'zod';
import { list } from '../../field/list.ts';
import { wholeNumber } from '../../field/whole-number.ts';
import { enumeration, model } from '../../model.ts';

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
    'secret-reveal': PolicyLimit.meta({ description: 'Webhook secrets shown or rotated, for each key.' }),
  } satisfies Record<LimitPolicy, z.ZodType>).meta({ description: 'What each policy allows it.' }),
  allowed_cidrs: list(z.string())
    .nullable()
    .meta({ description: 'The networks its keys work from; null when they work from anywhere.' }),
});
export type AccountLimits = z.infer<typeof AccountLimits>;
