import { RequestDrafts, RequestRef } from '@insurance-verification/schema';
import { getDrafts as getStoredDrafts } from '@insurance-verification/store';
import { exampleDraft } from '../../examples/work.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { query } from '../../procedure/trpc.ts';

/** The caller's draft about a request, and one that somebody else left. */
export const getDrafts = () =>
  query({
    meta: {
      operation: 'drafts.get',
      openapi: {
        summary: 'Read what is written about a request so far',
        description:
          "Shows the caller's own draft about a request that it leases, or worked on within a day. Whoever holds the lease sees the latest draft of somebody else as well, and may adopt it.",
        tags: ['Work'],
      },
      limit: 'reads',
      ownWork: true,
      problems: ['not_found', 'request_erased'],
      answers: { own: { own: exampleDraft, other: null }, none: { own: null, other: null } },
    },
    input: RequestRef,
    output: RequestDrafts,
    handler: async ({ ctx: { app, call, caller }, input: { request_id: requestId } }) => {
      const found = await getStoredDrafts(app.store, { caller, requestId });
      if (found.kind !== 'found') return refuse(found);
      call.concerns(requestId);
      return found.drafts;
    },
  });
