import { RequestRef, type Schemas } from '@insurance-verification/schema';
import { viewRequest as viewStoredRequest } from '@insurance-verification/store';
import { exampleView } from '../../examples/view.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { query } from '../../procedure/trpc.ts';

/** One request with everything that happened to it; the patient only for whoever posts requests of the account. */
export const viewRequest = (schemas: Schemas) =>
  query({
    meta: {
      operation: 'requests.view',
      openapi: {
        summary: 'View everything that happened to a request',
        description:
          'Returns in one answer the state of a request, its attempts, results, deliveries, the outputs of it that were held, and what was found. Callers who may post requests of its account also get the request with the patient and the result, `revealed`; to all others, who look after it, that is null until they ask for it with `requests.reveal`. What a held output says is not told here; who sent and settled it, to operators alone.',
        tags: ['Intake'],
      },
      limit: 'reads',
      problems: ['not_found'],
      answers: { masked: exampleView(schemas) },
    },
    input: RequestRef,
    output: schemas.RequestView,
    handler: async ({ ctx, input: { request_id: requestId } }) => {
      const viewed = await viewStoredRequest(ctx.app.store, {
        caller: ctx.caller,
        requestId,
        routes: ctx.app.config.payers.routes,
        makesRequests: ctx.caller.scopes.includes('requests'),
      });
      if (viewed.kind !== 'found') return refuse(viewed);
      ctx.call.concerns(requestId);
      return viewed.view;
    },
  });
