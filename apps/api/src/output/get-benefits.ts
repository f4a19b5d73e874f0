import { GetBenefits, RequestBenefits, RequestRef, type Schemas } from '@insurance-verification/schema';
import { getBenefits as getStoredBenefits } from '@insurance-verification/store';
import * as z from 'zod';
import { toRequestBenefits } from '../benefits/to-request-benefits.ts';
import { exampleBenefits } from '../examples/benefits.ts';
import { refuse } from '../procedure/problem/refuse.ts';
import { query } from '../procedure/trpc.ts';

/** Everything the payer said, whichever channel it was said over. */
export const getBenefits = (schemas: Schemas) =>
  query({
    meta: {
      operation: 'requests.benefits',
      ownWork: true,
      openapi: {
        summary: 'Read the benefits',
        description:
          'Returns everything that the payer said of the patient in addition to the result: co-payments, deductibles and what is left of them, limits, authorizations, other payers. Nothing is left out. `summary` has what a desk asks for first, where the rows leave exactly one reading. A result that came without benefits answers with empty lists. Before there is a result the answer is 404 `result_not_ready`.',
        tags: ['Output'],
      },
      limit: 'reads',
      problems: ['not_found', 'result_not_ready', 'request_erased'],
      example: { version: 1 },
      answers: { active: exampleBenefits(schemas) },
    },
    input: z.object({ ...RequestRef.shape, ...GetBenefits.shape }),
    output: RequestBenefits,
    handler: async ({ ctx, input: { request_id: requestId, version } }) => {
      const found = await getStoredBenefits(ctx.app.store, { caller: ctx.caller, requestId, version });
      if (found.kind !== 'not_found') ctx.call.concerns(requestId);
      if (found.kind !== 'found') return refuse(found);
      return toRequestBenefits({ requestId, ...found });
    },
  });
