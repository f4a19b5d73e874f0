import { discardDraft, getDraft, listDrafts, saveDraft } from '@insurance-verification/store';
import { readCursor } from '../../procedure/cursor.ts';
import type { Handlers } from '../../procedure/procedure.ts';
import { refuse } from '../../procedure/refuse.ts';

/** The unsubmitted text of a request's verifier. */
export const drafts: Handlers<'drafts'> = {
  list: async ({ ctx: { app, caller }, input }) => {
    const { items, next_cursor } = await listDrafts(app.store, {
      caller,
      limit: input.limit,
      cursor: readCursor('req', input.cursor),
    });
    return {
      items: items.map((draft) => ({
        request_id: draft.requestId,
        payer: app.config.payers.byId(draft.payerId)?.name ?? '',
        patient_initials: draft.patientInitials,
        saved_at: draft.savedAt.toISOString(),
        expires_at: draft.expiresAt.toISOString(),
        is_leased: draft.isLeased,
      })),
      next_cursor,
    };
  },

  get: async ({ ctx: { app, call, caller }, input: { request_id: requestId } }) => {
    const found = await getDraft(app.store, { caller, requestId });
    if (found.kind !== 'found') return refuse(found);
    call.concerns(requestId);
    return { draft: found.draft };
  },

  save: async ({ ctx: { app, call, caller }, input }) => {
    const { request_id: requestId, content, revision } = input;
    const saved = await saveDraft(app.store, { caller, requestId, content, revision });
    if (saved.kind !== 'not_found') call.concerns(requestId);
    return saved.kind === 'saved' ? saved.draft : refuse(saved);
  },

  discard: async ({ ctx: { app, call, caller }, input: { request_id: requestId, revision } }) => {
    const discarded = await discardDraft(app.store, { caller, requestId, revision });
    if (discarded.kind !== 'not_found') call.concerns(requestId);
    if (discarded.kind === 'discarded') return { request_id: requestId, status: discarded.kind };
    return refuse({ kind: discarded.kind });
  },
};
