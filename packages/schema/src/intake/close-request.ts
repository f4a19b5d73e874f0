import type * as z from 'zod';
import { enumeration, model } from '../model.ts';
import { VERIFICATION_REASON_SLUGS } from '../reason/error-reason.ts';

/**
 * Why a request ends without a verifier: the requester withdrew it, it is too old, or a slug of `ERROR_REASONS` except
 * the delivery's: a closed request was not verified, and its `error_reason` says why.
 */
export const CloseReason = enumeration('CloseReason', 'Why a request is closed.', [
  'withdrawn',
  'expired',
  ...VERIFICATION_REASON_SLUGS,
]);
/** {@link CloseReason} as a type. */
export type CloseReason = z.infer<typeof CloseReason>;

/** The body that closes a request as error_verifying (`requests.close`). */
export const CloseRequest = model('CloseRequest', 'Closes a request as error_verifying.', {
  reason: CloseReason.meta({ description: 'Why; it becomes the error_reason of the request.' }),
});
/** {@link CloseRequest} as a type. */
export type CloseRequest = z.infer<typeof CloseRequest>;
