import { RequestRef, type Schemas } from '@insurance-verification/schema';
import { getResult as getStoredResult } from '@insurance-verification/store';
import { found } from '../found.ts';
import { ProblemError } from '../problem.ts';
import { query } from '../trpc.ts';

/** The result that stands, with the request's current state. */
export const getResult = ({ ResponseModel }: Schemas) =>
  query({
    meta: {
      openapi: {
        method: 'GET',
        path: '/requests/{request_id}/result',
        summary: 'Read the result',
        tags: ['Output'],
      },
      scopes: ['requests', 'operate'],
      limit: 'reads',
      problems: ['not_found', 'result_not_ready'],
    },
    input: RequestRef,
    output: ResponseModel,
    handler: async ({ ctx, input: { request_id: requestId } }) => {
      const result = found(await getStoredResult(ctx.app.store, ctx.caller, requestId));
      ctx.call.concerns(requestId);
      if (result === 'not_ready') throw new ProblemError('result_not_ready');
      return result;
    },
  });
