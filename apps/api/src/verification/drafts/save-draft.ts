import { RequestRef, SaveDraft, SavedDraft } from '@insurance-verification/schema';
import { saveDraft as saveStoredDraft } from '@insurance-verification/store';
import * as z from 'zod';
import { exampleDraft } from '../../examples/work.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { mutation } from '../../procedure/trpc.ts';

/** Saves what a verifier has written so far. */
export const saveDraft = () =>
  mutation({
    meta: {
      operation: 'drafts.save',
      openapi: {
        summary: 'Save what is written about a request so far',
        description:
          "Saves the caller's draft about a request that it leases, or worked on within a day; a lease that lapsed meanwhile does not matter. Of two that start from one revision the second is refused with `draft_changed`, and nothing is lost. A draft ends with the request's result, and seven days after it was saved last.",
        tags: ['Work'],
      },
      changes: [], // its writer's own, and saved too often for everyone to hear of it
      ownWork: true,
      problems: ['not_found', 'request_finished', 'draft_changed', 'request_erased'],
      body: SaveDraft,
      example: { content: exampleDraft.content, revision: null },
      answers: {
        saved: {
          request_id: exampleDraft.request_id,
          revision: exampleDraft.revision,
          saved_at: exampleDraft.saved_at,
        },
      },
    },
    input: z.object({ ...RequestRef.shape, ...SaveDraft.shape }),
    output: SavedDraft,
    handler: async ({ ctx: { app, call, caller }, input }) => {
      const { request_id: requestId, content, revision } = input;
      const saved = await saveStoredDraft(app.store, { caller, requestId, content, revision });
      if (saved.kind !== 'not_found') call.concerns(requestId);
      return saved.kind === 'saved' ? saved.draft : refuse(saved);
    },
  });
