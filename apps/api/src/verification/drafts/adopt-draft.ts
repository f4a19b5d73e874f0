import { AdoptDraft, Draft, RequestRef } from '@insurance-verification/schema';
import { adoptDraft as adoptStoredDraft } from '@insurance-verification/store';
import * as z from 'zod';
import { EXAMPLE_IDS } from '../../examples/ids.ts';
import { exampleDraft } from '../../examples/work.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { mutation } from '../../procedure/trpc.ts';

/** Makes the draft that somebody else left the caller's own. */
export const adoptDraft = () =>
  mutation({
    meta: {
      operation: 'drafts.adopt',
      openapi: {
        summary: 'Take over the draft that somebody else left',
        description:
          "Makes the latest draft of somebody else the caller's own, in place of the one it has. The caller must hold the request's lease. 404 when there is none.",
        tags: ['Work'],
      },
      changes: [],
      problems: ['not_found', 'lease_lost', 'draft_changed', 'request_erased'],
      body: AdoptDraft,
      example: { lease_token: EXAMPLE_IDS.leaseToken, revision: null },
      answers: { adopted: exampleDraft },
    },
    input: z.object({ ...RequestRef.shape, ...AdoptDraft.shape }),
    output: Draft,
    handler: async ({ ctx: { app, call, caller }, input }) => {
      const { request_id: requestId, lease_token: leaseToken, revision } = input;
      const adopted = await adoptStoredDraft(app.store, { caller, requestId, leaseToken, revision });
      if (adopted.kind !== 'adopted') return refuse(adopted);
      call.concerns(requestId);
      return adopted.draft;
    },
  });
