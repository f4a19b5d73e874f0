import {
  ERROR_REASONS,
  FailedWork,
  FailureReason,
  FailWork,
  RequestRef,
} from '@insurance-verification/schema';
import { strictObject } from './strict-object.ts';
import { tool } from './tool.ts';
import { withLease } from './with-lease.ts';

const MEANINGS = FailureReason.options
  .map((reason) => `${reason}: ${ERROR_REASONS[reason].sentence}`)
  .join('\n');

export const fail = () => {
  const { note, reference, final } = FailWork.shape;
  return tool({
    name: 'fail',
    title: 'Say that this channel cannot find out',
    description:
      'Hands the request on to its next channel, or ends it when there is none. `note` is for the next verifier. ' +
      '`final` ends it at once: only when no other way to the payer can help.',
    annotations: { destructiveHint: true, openWorldHint: false },
    input: strictObject({
      ...RequestRef.shape,
      error_reason: FailureReason.meta({ description: `Why. What each one says:\n${MEANINGS}` }),
      note,
      reference,
      final,
    }),
    output: FailedWork.shape,
    run: (context, { request_id, ...failure }) =>
      withLease(context, request_id, async (lease, token) => {
        const failed = await context.client.work.fail({ ...token, ...failure });
        context.book.drop(lease);
        return failed;
      }),
  });
};
