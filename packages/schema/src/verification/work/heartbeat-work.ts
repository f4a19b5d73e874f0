import type * as z from 'zod';
import { dateTime } from '../../field/date/date-time.ts';
import { model } from '../../model.ts';
import { leaseToken } from './lease-token.ts';

/** Reports that the verifier is still working (`work.heartbeat`). */
export const HeartbeatWork = model('HeartbeatWork', 'Says that the verifier is still at it.', {
  lease_token: leaseToken(),
});
/** {@link HeartbeatWork} as a type. */
export type HeartbeatWork = z.infer<typeof HeartbeatWork>;

/** The renewed lease. */
export const RenewedLease = model('RenewedLease', 'The lease as renewed.', {
  lease_expires_at: dateTime().meta({ description: 'When it ends now.' }),
});
/** {@link RenewedLease} as a type. */
export type RenewedLease = z.infer<typeof RenewedLease>;
