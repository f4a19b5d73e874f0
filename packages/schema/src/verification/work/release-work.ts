import * as z from 'zod';
import { model } from '../../model.ts';
import { leaseToken } from './lease-token.ts';

/** Returns a request untried (`work.release`). It does not count as an attempt. */
export const ReleaseWork = model('ReleaseWork', 'Gives a request back untried.', {
  lease_token: leaseToken(),
  reason: z.string().nullable().optional().meta({ description: 'Why, for the next verifier; free text.' }),
});
/** {@link ReleaseWork} as a type. */
export type ReleaseWork = z.infer<typeof ReleaseWork>;

/** The request is in the queue again. */
export const ReleasedWork = model('ReleasedWork', 'The request is in the queue again.', {
  status: z.literal('released').meta({ description: 'Always `released`.' }),
});
/** {@link ReleasedWork} as a type. */
export type ReleasedWork = z.infer<typeof ReleasedWork>;
