import * as z from 'zod';
import { model } from '../../model.ts';
import { allowedCidrs } from '../allowed-cidrs.ts';
import { type LimitPolicy } from './account-limits.ts';

const QUOTA_MAX = 10_000_000;

/** The longest window: a day. */
const WINDOW_SECONDS_MAX = 86_400;

/** A quota for one account. */
export const NewQuota = model('NewQuota', 'A quota for one account.', {
  quota: z
    .int()
    .min(1)
    .max(QUOTA_MAX)
    .meta({ description: 'Units at once, and as many again in each window.' }),
  window_seconds: z.int().min(1).max(WINDOW_SECONDS_MAX).meta({ description: 'The window in seconds.' }),
});
/** {@link NewQuota} as a type. */
export type NewQuota = z.infer<typeof NewQuota>;

const override = () =>
  NewQuota.nullable()
    .optional()
    .meta({ description: 'Its quota; null: the default again; absent: as it is.' });

/** The body that sets an account's limits. */
export const SetAccountLimits = model('SetAccountLimits', "Sets an account's limits.", {
  policies: model('NewQuotas', 'Quotas by policy.', {
    intake: override(),
    reads: override(),
    'redeliver-exhausted': override(),
    'secret-reveal': override(),
  } satisfies Record<LimitPolicy, z.ZodType>)
    .optional()
    .meta({ description: 'Quotas by policy; what is not named stays as it is.' }),
  allowed_cidrs: allowedCidrs()
    .nullable()
    .optional()
    .meta({ description: 'The only networks its keys work from; null: anywhere; absent: as it is.' }),
});
/** {@link SetAccountLimits} as a type. */
export type SetAccountLimits = z.infer<typeof SetAccountLimits>;
