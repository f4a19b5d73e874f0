import { RequestRef, type Schemas } from '@insurance-verification/schema';
import { revealRequest as revealStoredRequest } from '@insurance-verification/store';
import { exampleOutput } from '../../examples/output.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { mutation } from '../../procedure/trpc.ts';

/** The patient of a request on a page that did not show them at first. */
export const revealRequest = (schemas: Schemas) =>
  mutation({
    meta: {
      operation: 'requests.reveal',
      openapi: {
        summary: 'Reveal the patient of a request',
        description:
          'Gives what `requests.view` keeps back from callers who look after requests of others: the request with the patient, and the result. Each call is in the access log under its own name. Before there is a result `insurance_data` is empty.',
        tags: ['Intake'],
      },
      changes: [],
      limit: 'reads',
      problems: ['not_found', 'request_erased'],
      answers: { active: exampleOutput(schemas) },
    },
    input: RequestRef,
    output: schemas.ResponseModel,
    handler: async ({ ctx, input: { request_id: requestId } }) => {
      const found = await revealStoredRequest(ctx.app.store, { caller: ctx.caller, requestId });
      if (found.kind !== 'found') return refuse(found);
      ctx.call.concerns(requestId);
      return found.revealed;
    },
  });
