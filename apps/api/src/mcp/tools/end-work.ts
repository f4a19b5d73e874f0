import { createHash } from 'node:crypto';
import {
  ERROR_REASONS,
  FailedWork,
  FailureReason,
  FailWork,
  FieldProvenance,
  list,
  PatientInfo,
  RequestRef,
  type Schemas,
  SubmittedCoverage,
  SubmittedWork,
} from '@insurance-verification/schema';
import { OPERATIONS } from '@insurance-verification/schema/contract';
import { NotHeldError } from '../leases/lease.ts';
import { strictly, strictObject } from './tool-schema.ts';
import { tool } from './tool.ts';

export const submitResult = (schemas: Schemas) => {
  const { note, reference, same_patient_confirmed } = schemas.SubmitWork.shape;
  const finding = strictObject({
    plan_info: strictObject(schemas.PlanInfo.shape).meta({ description: 'The plan that was found.' }),
    notes: schemas.InsurancePlanData.shape.notes,
    patient_info: strictObject(PatientInfo.shape).optional().meta({
      description:
        'The patient as the payer holds them, where that differs; the patient of the request when left out.',
    }),
  });
  return tool({
    name: 'submit_result',
    title: OPERATIONS['work.submit'].summary,
    description:
      'Ends your work on the request: the result is sent to the provider, signed, at once; `held` says that a person looks at it first, and you are done. ' +
      'Inactive coverage is a result. ' +
      'List every coverage the payer named. Leave out a procedure code the payer did not answer for, and say so in notes. ' +
      'Where the payer said more of a coverage than its status, such as co-payments, deductibles, limits or authorizations, put each into benefits, with its words in quote. ' +
      'The same sent again, as when the answer was lost, counts once and gets the same answer. ' +
      'Never guess: what the payer did not say is null.',
    annotations: { destructiveHint: true, openWorldHint: false },
    input: strictObject({
      ...RequestRef.shape,
      insurance_data: list(finding).min(1).meta({ description: 'Every coverage that was found.' }),
      benefits: list(strictly(SubmittedCoverage)).optional().meta({
        description:
          'One for each entry that the payer said more of. Amounts and percents are text; what it did not say is left out. 500 benefits in all at most.',
      }),
      note,
      reference,
      same_patient_confirmed,
      provenance: list(strictObject(FieldProvenance.shape)).optional().meta({
        description: 'Where fields were read, as far as you can tell.',
      }),
    }),
    output: SubmittedWork.shape,
    run: ({ book, call, presence }, { request_id, insurance_data: findings, ...evidence }) =>
      book.with(request_id, presence, async (lease, token) => {
        const { item } = lease;
        if (!item) throw new NotHeldError(request_id, lease);
        const { channel, request } = item;
        const digest = createHash('sha256').update(JSON.stringify(findings)).digest('base64');
        if (lease.submission?.digest !== digest)
          lease.submission = { digest, verifiedAt: new Date().toISOString() };
        const verification_time = lease.submission.verifiedAt;
        const insurance_data = findings.map((found) => ({
          person_uuid: lease.personUuid,
          verification_time,
          verification_source: channel,
          ...found,
          patient_info: found.patient_info ?? request.input.patient_info,
        }));
        const submitted = await call('work.submit', { ...token, ...evidence, insurance_data });
        lease.isSubmitted = true;
        return submitted;
      }),
  });
};

const MEANINGS = FailureReason.options
  .map((reason) => `${reason}: ${ERROR_REASONS[reason].sentence}`)
  .join('\n');

export const fail = () => {
  const { note, reference, final } = FailWork.shape;
  return tool({
    name: 'fail',
    title: OPERATIONS['work.fail'].summary,
    description:
      'Passes the request to its next channel, or ends it when no channel is left. `note` is for the next verifier. ' +
      '`final` ends it at once: only when no other way to the payer can help.',
    annotations: { destructiveHint: true, openWorldHint: false },
    input: strictObject({
      ...RequestRef.shape,
      error_reason: FailureReason.meta({ description: `Why. What each one says:\n${MEANINGS}` }),
      note,
      reference,
      final,
    }),
    output: FailedWork.shape,
    run: ({ book, call, presence }, { request_id, ...failure }) =>
      book.with(request_id, presence, async (lease, token) => {
        const failed = await call('work.fail', { ...token, ...failure });
        book.drop(lease);
        return failed;
      }),
  });
};
