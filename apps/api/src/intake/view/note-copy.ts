import { NotedCopy, RequestRef } from '@insurance-verification/schema';
import { noteCopy as noteStoredCopy } from '@insurance-verification/store';
import { refuse } from '../../procedure/problem/refuse.ts';
import { mutation } from '../../procedure/trpc.ts';

/** Somebody copied a patient's data out of a page. */
export const noteCopy = () =>
  mutation({
    meta: {
      operation: 'requests.noteCopy',
      openapi: {
        summary: 'Note that patient data was copied',
        description:
          'Puts into the access log that something of the patient was copied out of a page about the request; pages call it with each copy. With `verify` it takes what the caller leases, or worked on within a day.',
        tags: ['Intake'],
      },
      changes: [],
      ownWork: true,
      problems: ['not_found'],
      answers: { noted: { status: 'noted' } },
    },
    input: RequestRef,
    output: NotedCopy,
    handler: async ({ ctx, input: { request_id: requestId } }) => {
      const noted = await noteStoredCopy(ctx.app.store, { caller: ctx.caller, requestId });
      if (noted.kind !== 'noted') return refuse(noted);
      ctx.call.concerns(requestId);
      return { status: noted.kind };
    },
  });
