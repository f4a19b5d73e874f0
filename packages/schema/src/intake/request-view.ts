import * as z from 'zod';
import { Delivery } from '../delivery/delivery.ts';
import { dateTime } from '../field/date/date-time.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/whole-number.ts';
import { model } from '../model.ts';
import { HeldOutputSummary } from '../output/held-output-summary.ts';
import type { createResponseModel } from '../output/response-model.ts';
import type { PayerNames } from '../payers.ts';
import { ErasedBecause } from '../retention/erasure.ts';
import { StandingHold } from '../retention/legal-hold.ts';
import { VerificationAttempt } from '../verification/evidence/verification-attempt.ts';
import { X12Exchange } from '../verification/evidence/x12-exchange.ts';
import type { createPlanInfo } from '../verification/plan-info.ts';
import { VerificationSource } from '../verification/verification-source.ts';
import { serviceDateField } from './asked-when.ts';
import { ProviderInfo } from './info/provider-info.ts';
import { requestSummaryShape } from './search/request-summary.ts';

/** A version of a request's result (`requests.view`). */
export const ResultVersion = model('ResultVersion', "A version of a request's result.", {
  version: wholeNumber().meta({ description: 'Which version, from 1; the last one counts.' }),
  outcome: z.enum(['complete', 'error_verifying']).meta({ description: 'Whether it was verified.' }),
  applied_at: dateTime().meta({ description: 'When it was accepted.' }),
  applied_by: z.string().nullable().meta({
    description: 'The key or person that handed it in; null for the service itself and for a stranger.',
  }),
  applied_by_name: z.string().nullable().meta({
    description: 'Their name; null where there is none.',
  }),
  held_id: z.string().nullable().meta({
    description: 'The held output that an operator made it of; null when it was accepted at once.',
  }),
});
export type ResultVersion = z.infer<typeof ResultVersion>;

/** An exchange with a payer without its texts, which are a patient's (`requests.view`). */
export const X12ExchangeSummary = model(
  'X12ExchangeSummary',
  'An exchange with a payer, without its texts.',
  (({ inquiry: _inquiry, answer: _answer, ...shape }) => shape)(X12Exchange.shape),
);
export type X12ExchangeSummary = z.infer<typeof X12ExchangeSummary>;

/** A coverage that was found, without the patient (`requests.view`). */
export function createFoundCoverage<P extends PayerNames>(planInfo: ReturnType<typeof createPlanInfo<P>>) {
  return model('FoundCoverage', 'A coverage that was found, without the patient.', {
    verification_time: dateTime().meta({ description: 'When the payer gave the answer.' }),
    verification_source: VerificationSource.meta({ description: 'How the answer was obtained.' }),
    plan_info: planInfo.meta({ description: 'The plan that was found.' }),
  });
}

/** Everything that happened to a request, for somebody who looks at it (`requests.view`). */
export function createRequestView<P extends PayerNames>({
  foundCoverage,
  responseModel,
}: {
  foundCoverage: ReturnType<typeof createFoundCoverage<P>>;
  responseModel: ReturnType<typeof createResponseModel<P>>;
}) {
  return model('RequestView', 'Everything that happened to a request; the patient only where shown.', {
    ...requestSummaryShape,
    service_date: serviceDateField(),
    erased_because: ErasedBecause.nullable().meta({
      description: 'Why its data is gone; null while it is there.',
    }),
    holds: list(StandingHold).meta({
      description: 'The legal holds that keep its data, also those on all of its account.',
    }),
    provider_info: ProviderInfo.nullable().meta({
      description: 'The provider on whose behalf the payer is asked; null once the data is erased.',
    }),
    cpt_code_coverage: list(z.string()).meta({
      description: 'Procedure codes to check coverage for; empty for none.',
    }),
    callback_host: z.string().nullable().meta({
      description:
        'The host and port that the result goes to; null when its address has none, and once the data is erased.',
    }),
    coverages: list(foundCoverage).meta({ description: 'What was found, without the patient.' }),
    versions: list(ResultVersion).meta({ description: 'The results, first to last.' }),
    held_outputs: list(HeldOutputSummary).meta({
      description:
        'Its outputs that were held, first to last: those that became its result, and the last 100 that name it. Settled ones until they expire.',
    }),
    attempts: list(VerificationAttempt).meta({
      description:
        'Every attempt, first to last, without notes; without quotes where the patient is not shown.',
    }),
    deliveries: list(Delivery).meta({
      description:
        'The deliveries in the order of their versions; without what receivers answered where the patient is not shown.',
    }),
    exchanges: list(X12ExchangeSummary).meta({
      description: 'The exchanges with payers, first to last, without their texts.',
    }),
    revealed: responseModel.nullable().meta({
      description:
        'The request with the patient, and the result; null where the caller looks after requests of others: then requests.reveal shows it.',
    }),
  });
}
