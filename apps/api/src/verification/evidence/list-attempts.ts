import { RequestRef, VerificationAttemptList } from '@insurance-verification/schema';
import { listAttempts as listStoredAttempts } from '@insurance-verification/store';
import { exampleAttempt, exampleCall } from '../../examples/work.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { query } from '../../procedure/trpc.ts';

/** Every attempt at a request: how each went, why it failed and who must fix it. Operators and verifiers also see internal notes. */
export const listAttempts = () =>
  query({
    meta: {
      operation: 'requests.attempts',
      openapi: {
        summary: 'List the attempts at a verification',
        description:
          'Lists who tried to verify, through which channel, how it ended and what supports the result. Operators and verifiers also see the internal notes.',
        tags: ['Work'],
      },
      ownWork: true,
      limit: 'reads',
      problems: ['not_found', 'request_erased'],
      answers: { portal_then_phone: { items: [exampleAttempt, exampleCall] } },
    },
    input: RequestRef,
    output: VerificationAttemptList,
    handler: async ({ ctx, input: { request_id: requestId } }) => {
      const { caller } = ctx;
      const withInternals = caller.scopes.includes('operate') || caller.scopes.includes('verify');
      const listed = await listStoredAttempts(ctx.app.store, { caller, requestId, withInternals });
      if (listed.kind !== 'found') return refuse(listed);
      ctx.call.concerns(requestId);
      return { items: listed.attempts };
    },
  });
