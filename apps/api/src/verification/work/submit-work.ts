import type { SubmitWork, ValidationError } from '@insurance-verification/schema';
import { correctWork, type Mismatch, submitWork } from '@insurance-verification/store';
import { faultsOfCoverages, foundBenefits } from '../../benefits/benefits.ts';
import { traceResult } from '../../output/trace-result.ts';
import { ValidationFailedError } from '../../procedure/problem.ts';
import type { Handler } from '../../procedure/procedure.ts';
import { refuse } from '../../procedure/refuse.ts';
import { beginSpan } from '../../telemetry/tracing.ts';

/** Submits what was found. It becomes the result as an accepted output does. */
export const submit: Handler<'work.submit'> = async ({ ctx: { app, call, caller }, input }) => {
  const findings = findingsOf(input);
  const span = beginSpan();
  const submission = {
    caller,
    requestId: input.request_id,
    leaseToken: input.lease_token,
    routes: app.config.payers.routes,
    ...findings,
  };
  const submitted = await submitWork(app.store, submission, app.localWorker);
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
    case 'mismatch':
      throw new ValidationFailedError(submitted.mismatches.map(faultOf));
    default:
      return refuse(submitted);
  }
};

/** Corrects a result of the caller's own. */
export const correct: Handler<'work.correct'> = async ({ ctx: { app, call, caller }, input }) => {
  const { insurance_data: insuranceData = [], error_reason: errorReason = null } = input;
  if ((input.insurance_data === undefined) === (errorReason === null))
    throw new ValidationFailedError([ONE_OF_TWO]);
  const findings = findingsOf({ ...input, insurance_data: insuranceData });
  const span = beginSpan();
  const correction = {
    caller,
    requestId: input.request_id,
    errorReason,
    routes: app.config.payers.routes,
    ...findings,
    evidence: { ...findings.evidence, correctionReason: input.reason },
  };
  const corrected = await correctWork(app.store, correction, app.localWorker);
  switch (corrected.kind) {
    case 'applied':
      call.concerns(input.request_id);
      app.metrics.outputsAccepted.inc({ disposition: 'applied' });
      traceResult(app.tracing, { requestId: input.request_id, version: corrected.version, ...span() });
      return { status: 'applied' as const, version: corrected.version };
    case 'unchanged':
      call.concerns(input.request_id);
      return { status: 'applied' as const, version: corrected.version };
    case 'held':
      call.concerns(input.request_id);
      app.metrics.outputsAccepted.inc({ disposition: 'superseding' });
      return { status: 'held' as const, held_id: corrected.heldId };
    case 'mismatch':
      throw new ValidationFailedError(corrected.mismatches.map(faultOf));
    default:
      return refuse(corrected);
  }
};

const ONE_OF_TWO: ValidationError = {
  loc: ['body', 'insurance_data'],
  msg: 'Give either insurance_data or error_reason',
  type: 'one_of_two',
};

/** What a verifier found, in the store's form. @throws {ValidationFailedError} for benefits of no entry, or too many. */
function findingsOf(input: Omit<SubmitWork, 'lease_token'>) {
  const { insurance_data: insuranceData, benefits: coverages = [] } = input;
  const faults = faultsOfCoverages(coverages, insuranceData);
  if (faults.length > 0) throw new ValidationFailedError(faults);
  return {
    insuranceData,
    benefits: foundBenefits(coverages, insuranceData),
    isPatientConfirmed: input.same_patient_confirmed,
    evidence: {
      note: input.note,
      reference: input.reference,
      representative: input.representative,
      provenance: input.provenance,
      samePatientConfirmed: input.same_patient_confirmed,
    },
  };
}

function faultOf(mismatch: Mismatch): ValidationError {
  const loc = ['body', 'insurance_data', mismatch.index];
  switch (mismatch.kind) {
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
        msg: `The entry may be about another patient: ${mismatch.sentence}. If you are certain, send it again with same_patient_confirmed`,
        type: 'patient_unconfirmed',
      };
  }
}
