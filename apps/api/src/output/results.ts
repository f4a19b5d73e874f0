import { getBenefits, getProof, getResult } from '@insurance-verification/store';
import { toRequestBenefits } from '../benefits/benefits.ts';
import type { Handlers } from '../procedure/procedure.ts';
import { refuse } from '../procedure/refuse.ts';

/** The result of a request, its benefits and its proof. */
export const results: Pick<Handlers<'requests'>, 'result' | 'benefits' | 'proof'> = {
  result: async ({ ctx, input: { request_id: requestId } }) => {
    const found = await getResult(ctx.app.store, { caller: ctx.caller, requestId });
    if (found.kind !== 'not_found') ctx.call.concerns(requestId);
    return found.kind === 'found' ? found.result : refuse(found);
  },

  benefits: async ({ ctx, input: { request_id: requestId, version } }) => {
    const found = await getBenefits(ctx.app.store, { caller: ctx.caller, requestId, version });
    if (found.kind !== 'not_found') ctx.call.concerns(requestId);
    if (found.kind !== 'found') return refuse(found);
    return toRequestBenefits({ requestId, ...found });
  },

  proof: async ({ ctx, input: { request_id: requestId } }) => {
    const found = await getProof(ctx.app.store, {
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
};
