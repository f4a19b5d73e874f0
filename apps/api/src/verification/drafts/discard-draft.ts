import { DiscardDraft, DiscardedDraft, RequestRef } from '@insurance-verification/schema';
import { discardDraft as discardStoredDraft } from '@insurance-verification/store';
import * as z from 'zod';
import { exampleDraft } from '../../examples/work.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { mutation } from '../../procedure/trpc.ts';

/** Throws away what a verifier has written so far. */
export const discardDraft = () =>
  mutation({
    meta: {
      operation: 'drafts.discard',
      openapi: {
        summary: 'Discard a draft',
        description:
          "Deletes the caller's draft about a request, unless it was saved since it was read (`draft_changed`). One that is gone already is answered alike.",
        tags: ['Work'],
      },
      changes: [],
      ownWork: true,
      problems: ['not_found', 'draft_changed'],
      body: DiscardDraft,
      example: { revision: exampleDraft.revision },
      answers: { discarded: { request_id: exampleDraft.request_id, status: 'discarded' } },
    },
    input: z.object({ ...RequestRef.shape, ...DiscardDraft.shape }),
    output: DiscardedDraft,
    handler: async ({ ctx: { app, call, caller }, input: { request_id: requestId, revision } }) => {
      const discarded = await discardStoredDraft(app.store, { caller, requestId, revision });
      if (discarded.kind !== 'not_found') call.concerns(requestId);
      if (discarded.kind === 'discarded') return { request_id: requestId, status: discarded.kind };
      return refuse({ kind: discarded.kind });
    },
  });
