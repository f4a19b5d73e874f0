import {
  RequestRef,
  type Schemas,
  SubmittedWork,
  type ValidationError,
} from '@insurance-verification/schema';
import type { Misfit } from '@insurance-verification/store';
import * as z from 'zod';
import { faultsOfCoverages, foundBenefits } from '../../benefits/found-benefits.ts';
import { EXAMPLE_IDS } from '../../examples/ids.ts';
import { examplePlanData } from '../../examples/output.ts';
import { traceResult } from '../../output/trace-result.ts';
import { ValidationFailedError } from '../../procedure/problem/problem.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { mutation } from '../../procedure/trpc.ts';
import { beginSpan } from '../../telemetry/begin-span.ts';

/** Submits what was found. It becomes the result as an accepted output does. */
export const submitWork = (schemas: Schemas) =>
  mutation({
    meta: {
      operation: 'work.submit',
      openapi: {
        summary: 'Hand in a result',
        description:
          'Hands in what was found out, and ends the lease. It becomes the result of the request and is delivered; what an agent found, where the route of the payer says so, is held for an operator first. An entry about another patient, or of another channel than the leased one, is refused; one that may be about another patient is accepted when it is sent again with `same_patient_confirmed`. `benefits` has what else the payer said of these coverages, for `requests.benefits`.',
        tags: ['Work'],
      },
      changes: ['work', 'request'],
      problems: ['not_found', 'lease_lost', 'request_erased', 'held_capacity_exceeded'],
      body: schemas.SubmitWork,
      example: {
        lease_token: EXAMPLE_IDS.leaseToken,
        insurance_data: [examplePlanData(schemas)],
        benefits: [
          {
            entry: 0,
            benefits: [
              {
                kind: 'copayment',
                service: { types: [{ code: '98' }] },
                network: 'in',
                amount: '25.00',
                quote: 'Twenty-five for an office visit, in network.',
              },
            ],
          },
        ],
        reference: 'Call 88-1042',
      },
      answers: {
        applied: { status: 'applied', version: 1 },
        held: { status: 'held', held_id: EXAMPLE_IDS.held },
      },
    },
    input: z.object({ ...RequestRef.shape, ...schemas.SubmitWork.shape }),
    output: SubmittedWork,
    handler: async ({ ctx: { app, call, caller }, input }) => {
      const { insurance_data: insuranceData, benefits: coverages = [] } = input;
      const faults = faultsOfCoverages(coverages, insuranceData);
      if (faults.length > 0) throw new ValidationFailedError(faults);
      const span = beginSpan();
      const submitted = await app.results.submitWork({
        caller,
        requestId: input.request_id,
        leaseToken: input.lease_token,
        insuranceData,
        benefits: foundBenefits(coverages, insuranceData),
        isPatientConfirmed: input.same_patient_confirmed,
        routes: app.config.payers.routes,
        evidence: {
          note: input.note,
          reference: input.reference,
          provenance: input.provenance,
          samePatientConfirmed: input.same_patient_confirmed,
        },
      });
      switch (submitted.kind) {
        case 'applied':
          call.concerns(input.request_id);
          app.metrics.outputsAccepted.inc({ disposition: 'applied' });
          traceResult(app.tracing, { requestId: input.request_id, version: submitted.version, ...span() });
          return { status: 'applied' as const, version: submitted.version };
        case 'applied_before':
          call.concerns(input.request_id);
          return { status: 'applied' as const, version: submitted.version };
        case 'held':
          call.concerns(input.request_id);
          app.metrics.outputsAccepted.inc({ disposition: 'agent_result' });
          return { status: 'held' as const, held_id: submitted.heldId };
        case 'misfit':
          throw new ValidationFailedError(submitted.misfits.map(faultOf));
        default:
          return refuse(submitted);
      }
    },
  });

function faultOf(misfit: Misfit): ValidationError {
  const loc = ['body', 'insurance_data', misfit.index];
  switch (misfit.kind) {
    case 'channel':
      return {
        loc: [...loc, 'verification_source'],
        msg: 'The entry must be of the leased channel',
        type: 'not_the_leased_channel',
      };
    case 'another_patient':
      return {
        loc: [...loc, 'patient_info'],
        msg: 'The entry must be about the patient of the request',
        type: 'not_the_patient',
      };
    case 'patient_unconfirmed':
      return {
        loc: [...loc, 'patient_info'],
        msg: `The entry may be about another patient: ${misfit.sentence}. If you are certain, send it again with same_patient_confirmed`,
        type: 'patient_unconfirmed',
      };
  }
}
