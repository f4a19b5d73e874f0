import { RequestRef, type Schemas } from '@insurance-verification/schema';
import { getProof as getStoredProof } from '@insurance-verification/store';
import { toRequestBenefits } from '../benefits/to-request-benefits.ts';
import { exampleProof } from '../examples/proof.ts';
import { refuse } from '../procedure/problem/refuse.ts';
import { query } from '../procedure/trpc.ts';

/** What a clinic files against a denial. */
export const getProof = (schemas: Schemas) =>
  query({
    meta: {
      operation: 'requests.proof',
      openapi: {
        summary: 'Read the proof of a verification',
        description:
          'Gives in one answer what proves that eligibility was verified: who was asked, about which day, by whom, when and over which channel, what was answered, when the receiver took it, the SHA-256 of the body of its webhook, and the seal over the audit’s entry of it. Callers who look after requests of others get it without the patient and the benefits: `requests.reveal` and `requests.benefits` show these. Before there is a result the answer is 404 `result_not_ready`.',
        tags: ['Output'],
      },
      limit: 'reads',
      problems: ['not_found', 'result_not_ready', 'request_erased'],
      answers: { call: exampleProof(schemas) },
    },
    input: RequestRef,
    output: schemas.VerificationProof,
    handler: async ({ ctx, input: { request_id: requestId } }) => {
      const found = await getStoredProof(ctx.app.store, {
        caller: ctx.caller,
        requestId,
        makesRequests: ctx.caller.scopes.includes('requests'),
      });
      if (found.kind !== 'not_found') ctx.call.concerns(requestId);
      if (found.kind !== 'found') return refuse(found);
      const { proof, input, insuranceData, benefits, isShown } = found;
      const { version, service_date: serviceDate } = proof;
      return {
        ...proof,
        benefits: isShown
          ? toRequestBenefits({ requestId, version, input, insuranceData, serviceDate, benefits })
          : null,
      };
    },
  });
