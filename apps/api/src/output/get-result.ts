import { RequestRef, type Schemas } from '@insurance-verification/schema';
import { getResult as getStoredResult } from '@insurance-verification/store';
import { exampleOutput } from '../examples/output.ts';
import { exampleRequestModel } from '../examples/request.ts';
import { refuse } from '../procedure/problem/refuse.ts';
import { query } from '../procedure/trpc.ts';

/** The current result, with the request's current state. */
export const getResult = (schemas: Schemas) =>
  query({
    meta: {
      operation: 'requests.result',
      ownWork: true,
      openapi: {
        summary: 'Read the result',
        description:
          'Gives the latest result of a request, as its webhook has it, with the state that the request has now. Before there is a result the answer is 404 `result_not_ready`.',
        tags: ['Output'],
      },
      limit: 'reads',
      problems: ['not_found', 'result_not_ready', 'request_erased'],
      answers: {
        active: exampleOutput(schemas),
        member_not_found: {
          request: exampleRequestModel(schemas, {
            state: 'error_verifying',
            error_reason: 'member_not_found',
          }),
          insurance_data: [],
        },
      },
    },
    input: RequestRef,
    output: schemas.ResponseModel,
    handler: async ({ ctx, input: { request_id: requestId } }) => {
      const found = await getStoredResult(ctx.app.store, { caller: ctx.caller, requestId });
      if (found.kind !== 'not_found') ctx.call.concerns(requestId);
      return found.kind === 'found' ? found.result : refuse(found);
    },
  });
