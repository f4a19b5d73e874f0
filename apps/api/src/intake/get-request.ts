import { RequestRef, type Schemas } from '@insurance-verification/schema';
import { getRequest as getStoredRequest } from '@insurance-verification/store';
import { exampleRequestModel } from '../examples/request.ts';
import { refuse } from '../procedure/problem/refuse.ts';
import { query } from '../procedure/trpc.ts';

/** One request as it stands now. */
export const getRequest = (schemas: Schemas) =>
  query({
    meta: {
      operation: 'requests.get',
      openapi: {
        summary: 'Read a request',
        description:
          'Returns the current state of a request. `complete` shows as soon as its result is accepted and does not wait for the callback address; `error_reason` says why where the state is an error. With `verify` it reads what the caller leases, or worked on within a day.',
        tags: ['Intake'],
      },
      ownWork: true,
      limit: 'reads',
      problems: ['not_found', 'request_erased'],
      answers: {
        pending: exampleRequestModel(schemas),
        complete: exampleRequestModel(schemas, { state: 'complete' }),
        not_found_by_payer: exampleRequestModel(schemas, {
          state: 'error_verifying',
          error_reason: 'member_not_found',
        }),
      },
    },
    input: RequestRef,
    output: schemas.RequestModel,
    handler: async ({ ctx, input: { request_id: requestId } }) => {
      const found = await getStoredRequest(ctx.app.store, { caller: ctx.caller, requestId });
      if (found.kind !== 'found') return refuse(found);
      ctx.call.concerns(requestId);
      return found.request;
    },
  });
