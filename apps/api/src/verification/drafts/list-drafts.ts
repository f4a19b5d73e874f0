import { initialsOf, ListPage, type Schemas } from '@insurance-verification/schema';
import { listDrafts as listStoredDrafts } from '@insurance-verification/store';
import { EXAMPLE_IDS } from '../../examples/ids.ts';
import { exampleRequest } from '../../examples/request.ts';
import { exampleDraft } from '../../examples/work.ts';
import { readCursor } from '../../procedure/cursor.ts';
import { query } from '../../procedure/trpc.ts';

/** The caller's drafts, without what is in them. */
export const listDrafts = (schemas: Schemas) =>
  query({
    meta: {
      operation: 'drafts.list',
      openapi: {
        summary: "List the caller's drafts",
        description:
          'Lists the requests about which the caller has saved a draft, of the newest request first. What is in a draft is read one by one.',
        tags: ['Work'],
      },
      limit: 'reads',
      example: { limit: 20, cursor: EXAMPLE_IDS.request },
      answers: {
        one: {
          items: [
            {
              request_id: exampleDraft.request_id,
              payer: exampleRequest(schemas).payer_info.name,
              patient_initials: initialsOf(exampleRequest(schemas).patient_info.name),
              saved_at: exampleDraft.saved_at,
              expires_at: '2026-11-27T10:04:30.000Z',
              is_leased: false,
            },
          ],
          next_cursor: null,
        },
      },
    },
    input: ListPage,
    output: schemas.DraftList,
    handler: async ({ ctx: { app, caller }, input }) => {
      const { items, next_cursor } = await listStoredDrafts(app.store, {
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
  });
