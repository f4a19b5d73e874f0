import * as z from 'zod';
import { enumeration, model } from '../../model.ts';
import { VERIFICATION_REASON_SLUGS } from '../../reason/error-reason.ts';
import { VerificationSource } from '../verification-source.ts';
import { leaseToken } from './lease-token.ts';

/** Why a verifier failed: every slug of `ERROR_REASONS` except the delivery's. */
export const FailureReason = enumeration(
  'FailureReason',
  'Why a verifier could not verify.',
  VERIFICATION_REASON_SLUGS,
);
export type FailureReason = z.infer<typeof FailureReason>;

/** Reports that this channel cannot verify the request (`work.fail`). */
export const FailWork = model('FailWork', 'Reports a failed channel.', {
  lease_token: leaseToken(),
  error_reason: FailureReason.meta({ description: 'Why.' }),
  note: z
    .string()
    .nullable()
    .optional()
    .meta({ description: 'What the next verifier should know; never shown to the provider.' }),
  reference: z
    .string()
    .nullable()
    .optional()
    .meta({ description: "The payer's reference number for the call or inquiry." }),
  final: z
    .boolean()
    .optional()
    .meta({ description: 'True: no other channel can verify it either, so the request ends here.' }),
});
export type FailWork = z.infer<typeof FailWork>;

/** The status of a request after its channel failed. */
export const FailedStatus = enumeration('FailedStatus', 'What became of a request whose channel failed.', [
  'next_channel',
  'error_verifying',
]);
export type FailedStatus = z.infer<typeof FailedStatus>;

/** The answer about a request whose channel failed (`work.fail`). */
export const FailedWork = model('FailedWork', 'What became of a request whose channel failed.', {
  status: FailedStatus.meta({ description: 'Passed to the next channel, or ended.' }),
  next_channel: VerificationSource.nullable().meta({
    description: 'The channel it waits in now; null when it has ended.',
  }),
});
export type FailedWork = z.infer<typeof FailedWork>;
