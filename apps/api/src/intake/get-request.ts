import { RequestRef, type Schemas } from '@insurance-verification/schema';
import { getRequest as getStoredRequest } from '@insurance-verification/store';
import { found } from '../found.ts';
import { query } from '../trpc.ts';

/** One request as it stands now. */
export const getRequest = ({ RequestModel }: Schemas) =>
  query({
    meta: {
      openapi: { method: 'GET', path: '/requests/{request_id}', summary: 'Read a request', tags: ['Intake'] },
      scopes: ['requests', 'operate'],
      limit: 'reads',
      problems: ['not_found'],
    },
    input: RequestRef,
    output: RequestModel,
    handler: async ({ ctx, input: { request_id: requestId } }) => {
      const request = found(await getStoredRequest(ctx.app.store, ctx.caller, requestId));
      ctx.call.concerns(requestId);
      return request;
    },
  });
