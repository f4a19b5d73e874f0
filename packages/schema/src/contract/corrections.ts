import * as z from 'zod';
import type { Schemas } from '../create-schemas.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import { RequestRef } from '../intake/request-view.ts';
import { model } from '../model.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { examplePlanData } from './examples/output.ts';
import { exampleWorkItem } from './examples/work.ts';
import { operation } from './operation.ts';

/** What became of a correction. */
export const CorrectedWork = model('CorrectedWork', 'What became of a correction.', {
  status: z.enum(['applied', 'held']).meta({
    description: 'applied: it is the result now. held: an operator looks at it first.',
  }),
  version: wholeNumber().optional().meta({ description: 'The version of the result; present when applied.' }),
  held_id: z.string().optional().meta({ description: 'The id of the held output; present when held.' }),
});
export type CorrectedWork = z.infer<typeof CorrectedWork>;

/** The operations of `work` that correct what the caller did. */
export const correctionOperations = (schemas: Schemas) => ({
  // A correction that is sent again is the result already, or the same held output.
  correct: operation('work.correct', {
    post: '/work/{request_id}/correct',
    scopes: ['verify'],
    audience: ['verifier'],
    repeatable: true,
    tag: 'Work',
    summary: 'Correct your own result',
    description:
      'Replaces the result that the caller submitted, or the failure that the caller ended the request with: by coverages, checked as in `work.submit`, or by an `error_reason`. Within ten minutes, and while the receiver has not accepted the webhook, the correction is applied and delivered as the next version. Later it is held for an operator. The provider reads `reason` with the corrected result. A correction without a change returns the current version.',
    problems: ['not_found', 'not_own_result', 'request_erased', 'held_capacity_exceeded'],
    changes: ['work', 'request', 'held'],
    params: RequestRef,
    input: schemas.CorrectWork,
    output: CorrectedWork,
    example: {
      insurance_data: [examplePlanData(schemas)],
      reference: 'Call 88-1042',
      reason: 'I typed the end date of another plan.',
    },
    answers: {
      applied: { status: 'applied', version: 2 },
      held: { status: 'held', held_id: EXAMPLE_IDS.held },
    },
  }),

  // A second call answers 409: the caller has the lease already.
  takeBack: operation('work.takeBack', {
    post: '/work/{request_id}/take-back',
    scopes: ['verify'],
    audience: ['verifier'],
    repeatable: false,
    tag: 'Work',
    summary: 'Take back your own failure',
    description:
      'Reverses the `work.fail` with which the caller passed a request to the next channel, while no verifier has leased it there. The request is in its channel again, leased by the caller; the attempt continues and does not count as failed.',
    problems: ['not_found', 'request_finished', 'request_leased', 'request_not_claimable', 'request_erased'],
    changes: ['work'],
    params: RequestRef,
    output: schemas.WorkItem,
    answers: { leased: exampleWorkItem(schemas) },
  }),
});
