import { GetBenefits, RequestBenefits } from '../benefits/request-benefits.ts';
import type { Schemas } from '../create-schemas.ts';
import { DeliveryList } from '../delivery.ts';
import { RequestRef } from '../intake/request-view.ts';
import { VerificationAttemptList, X12ExchangeList } from '../verification/evidence.ts';
import { exampleBenefits } from './examples/benefits.ts';
import { exampleAttempts } from './examples/delivery.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { exampleOutput } from './examples/output.ts';
import { exampleProof } from './examples/proof.ts';
import { exampleRequestModel } from './examples/request.ts';
import { exampleAttempt, exampleCall, exampleExchange } from './examples/work.ts';
import { operation } from './operation.ts';

/** The operations of `requests` about its attempts, its result and the deliveries of it. */
export const resultsOperations = (schemas: Schemas) => ({
  result: operation('requests.result', {
    get: '/requests/{request_id}/result',
    scopes: ['requests', 'operate', 'verify'],
    audience: ['provider', 'verifier', 'operator'],
    tag: 'Output',
    summary: 'Read the result',
    description:
      'Returns the latest result of a request, as in its webhook, with the current state of the request. Returns 404 `result_not_ready` until there is a result.',
    ownWork: true,
    limit: 'reads',
    problems: ['not_found', 'result_not_ready', 'request_erased'],
    params: RequestRef,
    output: schemas.ResponseModel,
    answers: {
      active: exampleOutput(schemas),
      member_not_found: {
        request: exampleRequestModel(schemas, {
          state: 'error_verifying',
          error_reason: 'member_not_found',
        }),
        insurance_data: [],
      },
    },
  }),

  benefits: operation('requests.benefits', {
    get: '/requests/{request_id}/benefits',
    scopes: ['requests', 'operate', 'verify'],
    audience: ['provider', 'verifier', 'operator'],
    tag: 'Output',
    summary: 'Read the benefits',
    description:
      'Returns everything the payer reported in addition to the result: co-payments, deductibles and what is left of them, limits, authorizations, other payers. `summary` has what a front desk asks for first. The lists are empty for a result without benefits. Returns 404 `result_not_ready` until there is a result.',
    ownWork: true,
    limit: 'reads',
    problems: ['not_found', 'result_not_ready', 'request_erased'],
    params: RequestRef,
    input: GetBenefits,
    output: RequestBenefits,
    example: { version: 1 },
    answers: { active: exampleBenefits(schemas) },
  }),

  deliveries: operation('requests.deliveries', {
    get: '/requests/{request_id}/deliveries',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    tag: 'Delivery',
    summary: 'List deliveries and attempts',
    description:
      'Lists the deliveries of a request’s results, one for each version, with each attempt, its outcome and the start of the receiver’s response.',
    limit: 'reads',
    problems: ['not_found'],
    params: RequestRef,
    output: DeliveryList,
    answers: {
      second_attempt_succeeded: {
        items: [
          {
            delivery_id: EXAMPLE_IDS.delivery,
            version: 1,
            status: 'delivered',
            next_attempt_at: null,
            paused_since: null,
            attempts: exampleAttempts,
          },
        ],
      },
    },
  }),

  // During the first round a second redelivery changes nothing; afterwards, the receiver knows the id.
  redeliver: operation('requests.redeliver', {
    post: '/requests/{request_id}/redeliver',
    scopes: ['requests'],
    audience: ['provider'],
    repeatable: true,
    tag: 'Delivery',
    summary: 'Deliver the result again',
    description:
      'Starts a new round of attempts for the latest result: the same message, with the same `webhook-id` and the same bytes. Changes nothing while attempts are still due.',
    problems: ['not_found', 'no_result', 'request_erased'],
    changes: ['delivery'],
    params: RequestRef,
    output: schemas.RequestModel,
    answers: { under_way: exampleRequestModel(schemas, { state: 'complete' }) },
  }),

  attempts: operation('requests.attempts', {
    get: '/requests/{request_id}/attempts',
    scopes: ['requests', 'operate', 'verify'],
    audience: ['provider', 'verifier', 'operator'],
    tag: 'Work',
    summary: 'List the attempts at a verification',
    description:
      'Lists each attempt: who made it, through which channel, its outcome and what supports the result. Operators and verifiers also see internal notes.',
    ownWork: true,
    limit: 'reads',
    problems: ['not_found', 'request_erased'],
    params: RequestRef,
    output: VerificationAttemptList,
    answers: { portal_then_phone: { items: [exampleAttempt, exampleCall] } },
  }),

  exchanges: operation('requests.exchanges', {
    get: '/requests/{request_id}/exchanges',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    tag: 'Work',
    summary: 'List the X12 exchanges of a request',
    description:
      'Lists the X12 inquiries (270) about a request and the responses, as they were sent. Its account gets X12 only; operators also anything else, such as a gateway’s page.',
    limit: 'reads',
    problems: ['not_found', 'request_erased'],
    params: RequestRef,
    output: X12ExchangeList,
    answers: { active: { items: [exampleExchange] } },
  }),

  proof: operation('requests.proof', {
    get: '/requests/{request_id}/proof',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    tag: 'Output',
    summary: 'Read the proof of a verification',
    description:
      'Returns the proof that eligibility was verified: who asked the payer, when and how, the answer, the receipt, the webhook’s SHA-256, the seal of its audit entry; without the patient and the benefits where `requests.reveal` returns them. Returns 404 `result_not_ready` until there is a result.',
    limit: 'reads',
    problems: ['not_found', 'result_not_ready', 'request_erased'],
    params: RequestRef,
    output: schemas.VerificationProof,
    answers: { call: exampleProof(schemas) },
  }),
});
