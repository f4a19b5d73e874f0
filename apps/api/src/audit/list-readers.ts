import { RequestReaderList, RequestRef } from '@insurance-verification/schema';
import { listReaders as listStoredReaders } from '@insurance-verification/store';
import { exampleReader } from '../examples/view.ts';
import { refuse } from '../procedure/problem/refuse.ts';
import { query } from '../procedure/trpc.ts';

/** Who saw one request, and what else was done with it. */
export const listReaders = () =>
  query({
    meta: {
      operation: 'requests.readers',
      openapi: {
        summary: 'List who saw a request',
        description:
          'Tells from the access log who did what with a request, and how often: each caller and operation once, the latest first, from the newest 10,000 lines. For operators, who may read the request itself, and auditors. Reading it is in the access log as well.',
        tags: ['Access'],
      },
      limit: 'reads',
      problems: ['not_found'],
      answers: { revealed: { items: [exampleReader] } },
    },
    input: RequestRef,
    output: RequestReaderList,
    handler: async ({ ctx, input: { request_id: requestId } }) => {
      const listed = await listStoredReaders(ctx.app.store, { caller: ctx.caller, requestId });
      if (listed.kind !== 'found') return refuse(listed);
      ctx.call.concerns(requestId);
      return { items: listed.readers };
    },
  });
